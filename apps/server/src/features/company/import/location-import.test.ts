import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../../test/field/contacts.ts'
import {
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
} from '../../../../test/messaging.ts'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'

const { pharmacies, preview, run } = contract.locationImport
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const link = (world: MessagingWorld, at: number, loginId: number) =>
  asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
    world.locations[at]!.id,
    world.company.id,
    loginId,
  ])
const portal = async (companyId: number) =>
  signIn(server, await makeLogin(server, companyId, { flags: ['data_analytics'] }))
const sees = async (tab: SignedIn, uuid: string) => {
  const { status, body } = await server.call<{ data: { uuid: string }[] }>('/api/get-pharmacies', {}, tab.bearer)
  expect(status).toBe(200)
  return body.data.some((one) => one.uuid === uuid)
}

/** A company with two pharmacies, the first of which is to move, and a campaign that runs at both. */
async function makeMove() {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const to = await makeCompany(server)
  const [place, other] = world.locations as [MessagingWorld['locations'][0], MessagingWorld['locations'][0]]
  const campaign = await makeCampaign(server, world.company.id, { locationIds: [place.id, other.id], name: 'Winter' })
  await asOwner(server, 'update campaign set active = true where id = $1', [campaign.id])
  const [own, others] = [await makePatients(server, place.id, 3), await makePatients(server, other.id, 2)]
  const sent = await makeRun(server, world, { campaignId: campaign.id, patients: [...own, ...others] })
  const which = { company_id: to.uuid, import_pharmacy_id: place.uuid }
  return { world, to, place, other, campaign, own, sent, which }
}

describe('the preview of an import', () => {
  it('names what moves, what stays and what is stopped, and changes nothing', async () => {
    const { world, to, place, which } = await makeMove()
    const [goes, stays, staff] = [
      await makeLogin(server, world.company.id),
      await makeLogin(server, world.company.id),
      await makeLogin(server, world.company.id, { flags: ['sr_login'] }),
    ]
    for (const { id } of [goes, stays, staff]) await link(world, 0, id)
    await link(world, 1, stays.id)
    const { status, body } = await support.ask(preview, which)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pharmacy: { uuid: place.uuid, name: place.name },
      from: { uuid: world.company.uuid, name: world.company.name },
      to: { uuid: to.uuid, name: to.name },
      logins_moving: [{ uuid: goes.uuid, email: goes.email, pharmacies: 0 }],
      ...{ patients: 3, messages: 3, queued_messages: 3, uploads: 0, sequences: 0 },
      campaigns: [{ name: 'Winter', running: true }],
    })
    expect(body.logins_staying.map(({ uuid, pharmacies: n }) => [uuid, n]).sort()).toEqual(
      [
        [stays.uuid, 1],
        [staff.uuid, 0],
      ].sort(),
    )
    expect((await support.ask(preview, which)).body).toEqual(body)
    const found = (await support.ask(pharmacies, { search_term: place.name, not_company: to.uuid })).body.results
    expect(found).toMatchObject([{ uuid: place.uuid, company_name: world.company.name }])
    const none = await support.ask(pharmacies, { search_term: place.name, not_company: world.company.uuid })
    expect(none.body.results).toEqual([])
  })

  it('is refused for the company that already has it, and for unknown ids', async () => {
    const { world, to, place } = await makeMove()
    const own = { company_id: world.company.uuid, import_pharmacy_id: place.uuid }
    for (const call of [preview, run]) {
      const refused = await support.ask(call, own)
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `${place.name} is already a pharmacy of ${world.company.name}.`,
      ])
      const nowhere = { company_id: to.uuid, import_pharmacy_id: to.uuid }
      expect((await support.ask(call, nowhere)).body.message).toBe('That pharmacy was not found.')
      const nobody = { company_id: place.uuid, import_pharmacy_id: place.uuid }
      expect((await support.ask(call, nobody)).body.message).toBe('That company was not found.')
    }
  })

  it('is refused for a company in another country, because pounds would be added to dollars', async () => {
    const { to, place, which } = await makeMove()
    await asOwner(server, `update company set country = 'GB' where id = $1`, [to.id])
    const words = `${place.name} cannot be imported: its figures are in AUD, those of ${to.name} in GBP.`
    for (const call of [preview, run]) {
      const refused = await support.ask(call, which)
      expect([refused.status, refused.body.message]).toEqual([409, words])
    }
  })
})

describe('an import', () => {
  it('moves the pharmacy with its logins, messages and patients, and stops what runs there', async () => {
    const { world, to, place, other, own, sent, which, campaign } = await makeMove()
    const goes = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
    const stays = await makeLogin(server, world.company.id)
    await link(world, 0, goes.id)
    for (const at of [0, 1]) await link(world, at, stays.id)
    await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [stays.id, place.id])
    await asOwner(server, `insert into consent (location_id, patient_id, sms_health_outreach) values ($1, $2, 'out')`, [
      place.id,
      own[0]!.id,
    ])
    await asOwner(
      server,
      `update message set state = 'delivered', sent_at = now() - interval '1 day' where location_id = $1 and patient_id = $2`,
      [place.id, own[1]!.id],
    )
    const texted = await storedAs(server, own[1]!.sms_to)
    await asOwner(
      server,
      `insert into contact_history (company_id, contact, sent) values ($1, $2, array[now() - interval '3 days'])`,
      [to.id, texted],
    )
    const tab = await signIn(server, goes)
    const { status, body } = await support.ask(run, which)
    expect([status, body]).toEqual([
      200,
      {
        ...{ uuid: place.uuid, name: place.name, moved_logins: 1 },
        ...{ stopped_campaigns: ['Winter'], cancelled_messages: 2 },
      },
    ])
    // The previous session ends, with its tokens; the login is the new company's.
    const tokens = 'select 1 from access_token a join session s on s.id = a.session_id where s.login_id = $1'
    expect(await asOwner(server, tokens, [goes.id])).toEqual([])
    expect((await server.call('/api/get-pharmacies', {}, tab.bearer)).status).toBe(401)
    expect(await sees(await signIn(server, goes), place.uuid)).toBe(true)
    const rows = async (text: string, values: unknown[]) => asOwner(server, text, values)
    expect(await rows('select company_id, owner_login_id from location where id = $1', [place.id])).toEqual([
      { company_id: to.id, owner_login_id: null },
    ])
    expect(await rows('select company_id, login_id from login_location where location_id = $1', [place.id])).toEqual([
      { company_id: to.id, login_id: goes.id },
    ])
    expect(await rows('select company_id from login where id = $1', [stays.id])).toEqual([
      { company_id: world.company.id },
    ])
    expect(await rows('select location_id from campaign_location where campaign_id = $1', [campaign.id])).toEqual([
      { location_id: other.id },
    ])
    expect(await rows('select sms_health_outreach from consent where location_id = $1', [place.id])).toEqual([
      { sms_health_outreach: 'out' },
    ])
    const states = await rows(
      'select m.state, m.reason, r.company_id, r.state as run from message m join message_run r on r.id = m.run_id where m.location_id = $1 order by m.id',
      [place.id],
    )
    expect(states).toEqual([
      { state: 'skipped', reason: 'stopped', company_id: to.id, run: 'done' },
      { state: 'delivered', reason: null, company_id: to.id, run: 'done' },
      { state: 'skipped', reason: 'stopped', company_id: to.id, run: 'done' },
    ])
    expect(await rows('select distinct company_id from message_batch where location_id = $1', [place.id])).toEqual([
      { company_id: to.id },
    ])
    // The campaign continues at the other pharmacy.
    const left = await rows(
      'select m.state, r.id, r.company_id, r.state as run from message m join message_run r on r.id = m.run_id where m.location_id = $1',
      [other.id],
    )
    const going = { state: 'queued', id: sent.id, company_id: world.company.id, run: 'holding' }
    expect(left).toEqual([going, going])
    // The new company's frequency limit counts yesterday's text in addition to its own of three days ago.
    const [history] = await rows(
      'select array_length(sent, 1) as n from contact_history where company_id = $1 and contact = $2',
      [to.id, texted],
    )
    expect(history).toEqual({ n: 2 })
    for (const companyId of [world.company.id, to.id]) {
      const log = await rows(
        `select object, object_name, detail from audit where company_id = $1 and action = 'locationImport.run'`,
        [companyId],
      )
      // Only the platform's log says which company it came from and went to.
      expect(log).toEqual([{ object: place.uuid, object_name: place.name, detail: { ids: [place.uuid] } }])
    }
  })

  it('leaves a moved login only with features its new company has switched on', async () => {
    const { world, to, place, which } = await makeMove()
    await asOwner(server, 'update company set supplier_dashboard = true where id = $1', [to.id])
    const office = await makeLogin(server, world.company.id, { flags: ['data_analytics', 'ecdr', 'ad_analytics'] })
    const register = await makeLogin(server, world.company.id, { flags: ['ecdr', 'sixty_day_signup'] })
    for (const { id } of [office, register]) await link(world, 0, id)
    expect((await support.ask(run, which)).body).toMatchObject({ name: place.name, moved_logins: 2 })
    const rows = await asOwner(
      server,
      `select data_analytics, ecdr, ad_analytics, supplier_analytics, sixty_day_signup from login where id = any($1) order by id`,
      [[office.id, register.id]],
    )
    const none = { ecdr: false, ad_analytics: false, supplier_analytics: false, sixty_day_signup: false }
    expect(rows).toEqual([
      { ...none, data_analytics: true, supplier_analytics: true },
      { ...none, data_analytics: false },
    ])
  })

  it('never leaves a moment in which both companies see the pharmacy, or neither', async () => {
    const { world, to, place, which } = await makeMove()
    const [before, after] = [await portal(world.company.id), await portal(to.id)]
    const faults: string[] = []
    let moved = false
    let rounds = 0
    const watch = async () => {
      while (!moved || rounds < 20) {
        rounds++
        if (!(await sees(before, place.uuid)) && !(await sees(after, place.uuid))) faults.push('neither')
        if ((await sees(after, place.uuid)) && (await sees(before, place.uuid))) faults.push('both')
      }
    }
    const watchers = [watch(), watch(), watch()]
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await support.ask(run, which)).status).toBe(200)
    moved = true
    await Promise.all(watchers)
    expect(faults).toEqual([])
    expect([await sees(before, place.uuid), await sees(after, place.uuid)]).toEqual([false, true])
  })

  it('changes nothing if it fails, and says what is under way', async () => {
    const { world, to, place, which, own } = await makeMove()
    const state = () =>
      asOwner(
        server,
        `select (select company_id from location where id = $1) as company,
           (select count(*)::int from message where location_id = $1 and state = 'queued') as queued,
           (select count(*)::int from campaign_location where location_id = $1) as campaigns`,
        [place.id],
      )
    const same = [{ company: world.company.id, queued: 3, campaigns: 1 }]
    await asOwner(server, 'insert into location (uuid, company_id, name) values (gen_random_uuid(), $1, $2)', [
      to.id,
      place.name,
    ])
    const taken = await support.ask(run, which)
    expect([taken.status, taken.body.message]).toEqual([
      409,
      `${to.name} already has a pharmacy called "${place.name}". Please rename one of them first.`,
    ])
    expect(await state()).toEqual(same)
    await asOwner(server, 'delete from location where company_id = $1', [to.id])
    await asOwner(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source, lease_until) values (gen_random_uuid(), $1, 'PROCESSING', 'fred', now() + interval '1 hour')`,
      [place.id],
    )
    await asOwner(server, `update message set state = 'sending' where location_id = $1 and patient_id = $2`, [
      place.id,
      own[0]!.id,
    ])
    const busy = await support.ask(run, which)
    expect([busy.status, busy.body.message]).toEqual([
      409,
      `${place.name} was not imported: 1 upload is being loaded and 1 message is being handed over. Please try again in a few minutes.`,
    ])
    expect(await state()).toEqual([{ ...same[0], queued: 2 }])
  })

  it('drops reports on its patients that the previous company has requested', async () => {
    const { world, place, which } = await makeMove()
    const login = await makeLogin(server, world.company.id)
    await asOwner(
      server,
      `insert into report_request (location_id, company_id, from_day, to_day, asked_by, asked_at)
       values ($1, $2, '2026-01-01', '2026-02-01', $3, now())`,
      [place.id, world.company.id, login.id],
    )
    await asOwner(
      server,
      `insert into report_file (location_id, company_id, filename, content, created_at, expires_at)
       values ($1, $2, 'x.csv', 'x', now(), now() + interval '1 day')`,
      [place.id, world.company.id],
    )
    expect((await support.ask(run, which)).status).toBe(200)
    expect(await asOwner(server, 'select state from report_request where location_id = $1', [place.id])).toEqual([
      { state: 'failed' },
    ])
    expect(await asOwner(server, 'select 1 from report_file where location_id = $1', [place.id])).toEqual([])
  })
})
