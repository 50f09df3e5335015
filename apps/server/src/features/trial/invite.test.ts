import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshMobile, type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { makeRunningTrial, makeTrial, signUp } from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { lockMessages, receiptChange, writeChanges } from '../sending/record.queries.ts'
import { inviteTrial } from './invite.jobs.ts'
import { countTrials } from './trial-count.jobs.ts'

const { forecast, start } = contract.trialInvite
let server: TestServer
let support: Support
let worlds: MessagingWorld[]

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  worlds = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  for (const world of worlds) {
    const old = { born: '1950-05-05' }
    await addPeople(server, world, [
      ...Array.from({ length: 4 }, () => person({ ...old, sms_to: freshMobile() })),
      person({ born: '1999-01-01', sms_to: freshMobile() }),
    ])
  }
  await asOwner(server, `update location set data_to = '2026-11-01'`)
})
afterAll(() => server.close())

/** A trial for people aged 65 or over, whose template contains the link. */
async function inviting(more: object = {}) {
  const { body } = await support.ask(contract.templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} helps with {Trial Name} of {Trial Provider}: {Consent ID}',
    communication_type: 'sms',
  })
  const trial = await makeRunningTrial(server, support, {
    filters: { age: ['65-74', '75+'] },
    template_ids: [String(body.id)],
    ...more,
  })
  await countTrials(server.services, trial.id, server.services.now())
  return trial
}
const run = (trialId: number, uuid: string = crypto.randomUUID()) =>
  inviteTrial.run({ uuid, trial_id: trialId, login_id: null }, server.services)
const messagesOf = (trialId: number) =>
  asOwner<{ patient_id: number; state: string; reason: string | null; body: string | null; parts: number }>(
    server,
    `select m.* from message m join message_run r on r.id = m.run_id
     where r.trial_id = $1 and r.context = 'trial' order by m.patient_id, m.id`,
    [trialId],
  )
/** The companies' log entries about a trial. */
const logsOf = (trialUuid: string) =>
  asOwner(
    server,
    `select action, (detail->>'invitations')::int as invitations from audit where object = $1 and company_id = any($2) order by id`,
    [trialUuid, worlds.map(({ company }) => company.id)],
  )
const going = async (trialId: number) => (await messagesOf(trialId)).filter(({ state }) => state !== 'skipped')

describe('inviting', () => {
  it('reaches everybody eligible at every company once, as forecast, however often it is done', async () => {
    const trial = await inviting()
    const country = (of: 'AU' | 'GB') =>
      asOwner(server, 'update company set country = $2 where id = $1', [worlds[1]!.company.id, of])
    await country('GB')
    const abroad = await support.ask(forecast, { trial_id: trial.trial_id })
    await country('AU')
    const { body } = await support.ask(forecast, { trial_id: trial.trial_id })
    expect(body).toMatchObject({ not_ready: '', sms: 8, email: 0, held: [] })
    const act = crypto.randomUUID()
    await Promise.all([run(trial.id, act), run(trial.id, act), run(trial.id)])
    await run(trial.id)
    const sent = await going(trial.id)
    expect(sent).toHaveLength(8)
    expect(await logsOf(trial.trial_id)).toEqual(worlds.map(() => ({ action: 'trialInvite.start', invitations: 4 })))
    expect(new Set(sent.map(({ patient_id }) => patient_id)).size).toBe(8)
    expect(sent[0]!.body).toMatch(/helps with Heart failure at home.* of provider.*\{Consent ID\}/)
    const cost = expect.closeTo(sent.reduce((sum, { parts }) => sum + parts, 0) * 0.12, 2)
    expect(body.costs).toEqual([{ country: 'AU', cost }])
    // Dollars and pounds cannot be added.
    expect(abroad.body.costs).toEqual([
      { country: 'AU', cost: body.costs[0]!.cost / 2 },
      { country: 'GB', cost: body.costs[0]!.cost / 2 },
    ])
    expect((await support.ask(forecast, { trial_id: trial.trial_id })).body).toMatchObject({
      sms: 0,
      email: 0,
      held: [],
    })
    await asOwner(
      server,
      `delete from message_run where trial_id = $1 and not exists (select from message m where m.run_id = message_run.id)`,
      [trial.id],
    )
  })

  it('sends a link that opens the page and accepts a sign-up; delivered counts as contacted, STOP as opted out', async () => {
    const trial = await inviting()
    // Otherwise the frequency limit would hold back people just invited to another trial.
    await asOwner(server, 'delete from contact_history')
    await run(trial.id)
    await asOwner(server, `update message_run set starts_at = now() - interval '1 minute' where trial_id = $1`, [
      trial.id,
    ])
    await asOwner(
      server,
      `update message set planned_at = now() - interval '1 minute' where run_id in (select id from message_run where trial_id = $1)`,
      [trial.id],
    )
    await asOwner(
      server,
      `update message_batch set next_at = now() - interval '1 minute' where run_id in (select id from message_run where trial_id = $1)`,
      [trial.id],
    )
    const phones = new FakePhones()
    await sendAll({ ...server.services, sms: phones.gateway() })
    const texts = [...phones.accepted.values()].filter(({ text }) => text.includes('/clinicaltrial/'))
    expect(texts).toHaveLength(8)
    const tokens = texts.map(({ text }) => /\/clinicaltrial\/([\w-]{22})/.exec(text)![1]!)
    expect(new Set(tokens).size).toBe(8)
    expect((await signUp(server, tokens[0]!)).status).toBe(200)
    const [, got, said, held] = (await going(trial.id)).map(({ patient_id }) => patient_id)
    await asOwner(
      server,
      `update message set state = 'skipped' where patient_id = $1 and run_id in (select id from message_run where trial_id = $2)`,
      [held, trial.id],
    )
    const one = async (patient: number, ask: string) =>
      (await asOwner<{ location_id: number; id: number; state: string }>(server, ask, [patient, trial.id]))[0]!
    const messageOf = (patient: number) =>
      one(
        patient,
        `select m.* from message m join message_run r on r.id = m.run_id where m.patient_id = $1 and r.trial_id = $2`,
      )
    const stateOf = async (patient: number) =>
      (await one(patient, 'select * from trial_participant where patient_id = $1 and trial_id = $2')).state
    const inPlace = (locationId: number, work: (tx: Tx) => Promise<unknown>) =>
      inScope(server.services.pools.app, { companyId: worlds[0]!.company.id, locationIds: [locationId] }, work)
    const deliver = async (patient: number) => {
      const { location_id, id } = await messageOf(patient)
      await inPlace(location_id, async (tx) => {
        const standing = (await lockMessages(tx, server.services.keys, location_id, [id])).get(id)!
        const change = receiptChange(standing, { status: 'delivered', reason: null, gatewayRef: null, at: new Date() })!
        for (let twice = 0; twice < 2; twice++) await writeChanges(tx, location_id, [change])
      })
    }
    await deliver(got!)
    expect(await stateOf(got!)).toBe('contacted')
    for (const patientId of [said!, held!]) {
      const { location_id: locationId } = await messageOf(patientId)
      const stop = { event: { type: 'stop' } as const, wording: 'STOP', source: 'reply', at: new Date() }
      await inPlace(locationId, (tx) => recordConsent(tx, { locationId, patientId, ...stop }, new Date()))
    }
    // A patient who was sent nothing has not answered; a late receipt undoes no answer, and shows that the invitation arrived.
    await deliver(said!)
    expect([await stateOf(said!), await stateOf(held!)]).toEqual(['opted_out', 'eligible'])
    const { totals } = (await support.ask(contract.clinicalTrial.info, { trial_id: trial.trial_id })).body
    expect(totals).toMatchObject({ total_contacted: 3, total_referred: 1, total_optout: 1 })
  })

  it('needs an active trial, an approval in force, its dates, and a template with the link', async () => {
    const draft = await makeTrial(support)
    const [why] = [refusal(await support.ask(start, { trial_id: draft }))]
    expect(why).toEqual([409, expect.stringContaining('is not active. Please activate it first. Nobody was invited.')])
    const bare = await makeRunningTrial(server, support)
    expect(refusal(await support.ask(start, { trial_id: bare.trial_id }))).toEqual([
      409,
      expect.stringContaining('has {Consent ID}, the link with which patients answer'),
    ])
    const trial = await inviting()
    const ready = () =>
      asOwner(server, 'update trial set active = true, start_day = null, end_day = null where id = $1', [trial.id])
    for (const change of ['active = false', `start_day = '2999-01-01'`, `end_day = '2020-01-01'`]) {
      await ready()
      await asOwner(server, `update trial set ${change} where id = $1`, [trial.id])
      await run(trial.id)
      expect([change, await going(trial.id)]).toEqual([change, []])
    }
    await ready()
    await asOwner(server, `update template set removed_at = now() where name like 'Invitation%'`)
    await run(trial.id)
    expect(await going(trial.id)).toEqual([])
    await asOwner(server, `update template set removed_at = null where name like 'Invitation%'`)
    await asOwner(server, `update trial_ethics_approval set expires_on = '2026-08-03' where trial_id = $1`, [trial.id])
    await run(trial.id)
    expect(await going(trial.id)).toEqual([])
  })

  it('sends no template that is marketing, to which these patients have not agreed', async () => {
    const trial = await inviting()
    await asOwner(
      server,
      `update template set message_kind = 'marketing' where id in (select template_id from trial_template where trial_id = $1)`,
      [trial.id],
    )
    const why = expect.stringContaining('is marketing. An invitation goes out as health outreach')
    expect((await support.ask(forecast, { trial_id: trial.trial_id })).body).toMatchObject({ not_ready: why, sms: 0 })
    expect(refusal(await support.ask(start, { trial_id: trial.trial_id }))).toEqual([409, why])
    await run(trial.id)
    expect(await messagesOf(trial.id)).toEqual([])
  })

  it('never reaches a patient who has opted out, has died, is a test patient or has no contact; each is held back for one reason', async () => {
    const world = await makeMessagingWorld(server)
    const old = { born: '1950-05-05' }
    const ids = await addPeople(server, world, [
      person({ ...old, sms_to: freshMobile() }),
      person({ ...old, sms_to: freshMobile(), deceased: true }),
      person({ ...old, sms_to: freshMobile(), facility: true }),
      person({ ...old, sms_to: freshMobile(), fake: true }),
      person({ ...old, sms_to: null }),
    ])
    await asOwner(server, `update location set data_to = '2026-11-01'`)
    const trial = await inviting()
    // A patient dies between the count and the invitation.
    await run(trial.id)
    const rows = (await messagesOf(trial.id)).filter(({ patient_id }) => ids.includes(Number(patient_id)))
    expect(rows.map(({ patient_id, state, reason }) => [ids.indexOf(Number(patient_id)), state, reason])).toEqual([
      [0, 'queued', null],
      [4, 'skipped', 'no_contact'],
    ])
    const invited = 'select patient_id from trial_participant where patient_id = any ($1) and invited_at is not null'
    expect(await asOwner(server, invited, [ids])).toEqual([{ patient_id: ids[0] }])
  })

  it('reaches again a patient whose message was cancelled before it left, and never one who was sent one', async () => {
    const trial = await inviting()
    await run(trial.id)
    const first = await going(trial.id)
    await asOwner(
      server,
      `update message set state = 'skipped', reason = 'stopped' where run_id in (select id from message_run where trial_id = $1) and patient_id = $2`,
      [trial.id, first[0]!.patient_id],
    )
    await asOwner(
      server,
      `update message set state = 'failed' where run_id in (select id from message_run where trial_id = $1) and patient_id = $2`,
      [trial.id, first[1]!.patient_id],
    )
    await run(trial.id)
    const all = await going(trial.id)
    const of = (id: number) => all.filter(({ patient_id }) => patient_id === id).map(({ state }) => state)
    expect(of(first[0]!.patient_id)).toEqual(['queued'])
    expect(of(first[1]!.patient_id)).toEqual(['failed'])
    expect(all).toHaveLength(first.length)
  })

  it('writes nothing for a pharmacy, or a company, that has left since the count', async () => {
    const trial = await inviting()
    await asOwner(server, 'delete from contact_history')
    const [one, two] = worlds.map(({ company }) => Number(company.id))
    const invited = async (removedAt: string) => {
      await asOwner(server, `update location set removed_at = ${removedAt} where company_id = $1`, [one])
      await asOwner(server, `update company set removed_at = ${removedAt} where id = $1`, [two])
      await run(trial.id)
      const runs = `select distinct company_id::int as id from message_run r where trial_id = $1 and company_id = any($2)
        and exists (select from message m where m.run_id = r.id and m.state = 'queued') order by 1`
      return asOwner(server, runs, [trial.id, [one, two]])
    }
    expect(await invited('now()')).toEqual([])
    expect(await invited('null')).toEqual([{ id: one }, { id: two }])
  })

  it('leaves out patients who declined the trial before the invitation was written', async () => {
    const trial = await inviting()
    const [no] = await asOwner<{ id: number }>(
      server,
      `update trial_participant set state = 'opted_out' where (trial_id, patient_id) =
         (select trial_id, min(patient_id) from trial_participant where trial_id = $1 group by 1) returning patient_id as id`,
      [trial.id],
    )
    await run(trial.id)
    const ids = (await messagesOf(trial.id)).map(({ patient_id }) => Number(patient_id))
    expect([ids.length > 0, ids.includes(Number(no!.id))]).toEqual([true, false])
  })

  it('sends nothing if no sending hour opens, and the forecast says so', async () => {
    const world = await makeMessagingWorld(server, { week: Array.from({ length: 7 }, () => null) })
    const [id] = await addPeople(server, world, [person({ born: '1950-05-05', sms_to: freshMobile() })])
    await asOwner(server, `update location set data_to = '2026-11-01'`)
    const trial = await inviting()
    const { held } = (await support.ask(forecast, { trial_id: trial.trial_id })).body
    expect(held).toContainEqual({ reason: 'No sending hours before the end date', count: 1 })
    await run(trial.id)
    expect((await messagesOf(trial.id)).filter(({ patient_id }) => Number(patient_id) === id)).toMatchObject([
      { state: 'skipped', reason: 'quiet_hours' },
    ])
  })
})
