import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  type PatientColumns,
  type TestPatient,
} from '../../../../test/messaging.ts'
import { FakePhones } from '../../../../test/outside/fake-gateway.ts'
import { asOwner, dump } from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { makeRunningTrial, signUp, trialTokenFor } from '../../../../test/trial.ts'
import { openEmailSimulator } from '../../../gateways/simulator.ts'
import { cancelInvitations } from '../../trial/change/trial-status.queries.ts'
import { recordConsent } from '../consent-log.queries.ts'

let server: TestServer
let world: MessagingWorld
let support: Support
let trial: Awaited<ReturnType<typeof makeRunningTrial>>
let phones: FakePhones

beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  support = await makeSupport(server)
  trial = await makeRunningTrial(server, support)
})
afterAll(() => server.close())
afterEach(async () => {
  await asOwner(server, 'truncate throttle')
})

/** Invites a patient and hands the invitation over, so that the confirmation is the next message. */
async function invited(columns: PatientColumns = {}, trialId = trial.id) {
  const [one] = (await makePatients(server, world.locations[0]!.id, 1, () => columns)) as [TestPatient]
  const token = await trialTokenFor(server, world, trialId, one)
  await send()
  phones = new FakePhones()
  return { one, token }
}

const send = () => {
  phones ??= new FakePhones()
  const bulkEmail = openEmailSimulator(server.services.pools.system, Number.POSITIVE_INFINITY)
  const services = { ...server.services, sms: phones.gateway(), bulkEmail }
  return sendAll(services).then(() => sendAll(services, {}, 'email'))
}
const texts = () => [...phones.accepted.values()]
const confirmationsTo = (one: TestPatient) =>
  asOwner<{ state: string; reason: string | null; channel: string; contact: string; body: string; rule: string }>(
    server,
    `select m.* from message m join message_run r on r.id = m.run_id
     where m.patient_id = $1 and r.context = 'communication' and r.trial_id is not null`,
    [one.id],
  )
const say = (one: TestPatient, event: { type: 'stop' | 'unsubscribe' }) =>
  world.inside((tx) => {
    const at = server.services.now()
    const whose = { locationId: one.locationId, patientId: one.id, at }
    return recordConsent(tx, { ...whose, event, wording: null, source: 'test' }, at)
  })

describe('the confirmation of a sign-up', () => {
  it('is one text with its purpose and a link that withdraws, however often it is submitted', async () => {
    const { one, token } = await invited()
    const replies = [await signUp(server, token), await signUp(server, token)]
    expect(replies.map(({ status }) => status)).toEqual([200, 404])
    await send()
    await send()
    expect(texts()).toHaveLength(1)
    const { to, text } = texts()[0]!
    expect(to).toBe(one.sms_to)
    expect(text).toContain(`${world.locations[0]!.name}: you signed up for the Heart failure`)
    expect(text).toContain(' may contact you. To withdraw: ')
    expect(text).toMatch(/\nReply STOP to opt out$/)
    expect(text).not.toContain('{')
    const id = /\/clinicaltrial\/([\w-]{22})\/withdraw/.exec(text)?.[1]
    expect(id).toBe(replies[0]!.body.withdraw_id)
    expect((await confirmationsTo(one)).map(({ state, rule }) => [state, rule])).toEqual([
      ['sent', 'Health outreach: nobody has said no'],
    ])
    // As with every link, its secret is stored nowhere.
    expect(await dump(server)).not.toContain(id)
    expect((await server.call(`/api/consent/${id}/withdraw`, {})).status).toBe(200)
  })

  it('is an email for people who get no texts, sent to the pharmacy’s own record, never to what was typed in', async () => {
    const { one, token } = await invited({ sms_to: null, mobile: null })
    expect((await signUp(server, token, { phone_number: '0491 570 156' })).status).toBe(200)
    await send()
    expect(texts()).toEqual([])
    const [mail] = await asOwner<{ recipient: string; subject: string; body: string }>(
      server,
      'select * from simulator_message order by id desc limit 1',
    )
    expect(mail).toMatchObject({
      recipient: one.email_to,
      subject: expect.stringMatching(/^You signed up for the Heart/),
    })
    expect(mail!.body).toContain('/withdraw')
  })

  it('is an email for people whose number does not exist, and nothing if the address does not either', async () => {
    for (const [gone, channels] of [
      [['sms'], ['email']],
      [['sms', 'email'], []],
    ] as const) {
      const { one, token } = await invited()
      for (const channel of gone)
        await asOwner(server, `update patient set ${channel}_gone_at = now() where id = $1`, [one.id])
      expect((await signUp(server, token)).status).toBe(200)
      expect((await confirmationsTo(one)).map(({ channel }) => channel)).toEqual(channels)
    }
  })

  it('comes from the pharmacy’s own sender, costs what its parts cost, and expires after a week', async () => {
    await asOwner(
      server,
      `insert into messaging_setting (company_id, cap_messages, cap_hours, holidays_quiet, sms_sender) values ($1, 100, 24, false, 'GROUP')
       on conflict (company_id) do update set sms_sender = 'GROUP'`,
      [world.company.id],
    )
    const sender = (name: string | null) =>
      asOwner(server, 'update location set sms_sender = $2 where id = $1', [world.locations[0]!.id, name])
    await sender('SALTBUSH')
    const { one, token } = await invited()
    expect((await signUp(server, token)).status).toBe(200)
    await sender(null)
    await asOwner(server, 'update messaging_setting set sms_sender = null where company_id = $1', [world.company.id])
    const rows = await asOwner<{ parts: number }>(
      server,
      `select b.sms_sender, m.parts, m.cents, r.ends_at = r.starts_at + interval '7 days' as week
       from message m join message_batch b on b.id = m.batch_id join message_run r on r.id = m.run_id
       where m.patient_id = $1 and r.context = 'communication'`,
      [one.id],
    )
    const parts = rows[0]!.parts
    expect(parts).toBeGreaterThan(0)
    expect(rows).toEqual([{ sms_sender: 'SALTBUSH', parts, cents: parts * 12, week: true }])
  })

  it('respects an opt-out before and after the sign-up', async () => {
    const before = await invited()
    await say(before.one, { type: 'stop' })
    await say(before.one, { type: 'unsubscribe' })
    await asOwner(
      server,
      `update trial_participant set state = 'contacted', opted_out_at = null where patient_id = $1`,
      [before.one.id],
    )
    expect((await signUp(server, before.token)).status).toBe(200)
    expect(await confirmationsTo(before.one)).toEqual([])
    const after = await invited()
    await signUp(server, after.token)
    await say(after.one, { type: 'stop' })
    await send()
    expect(texts()).toEqual([])
    expect((await confirmationsTo(after.one)).map(({ reason }) => reason)).toEqual(['opted_out'])
  })

  it('is dropped by a withdrawal, but not by the end of the trial', async () => {
    const own = await makeRunningTrial(server, support)
    const { one, token } = await invited({}, own.id)
    expect((await signUp(server, token)).status).toBe(200)
    await world.inside((tx) =>
      cancelInvitations(tx, { trial_id: own.id, at: server.services.now() }, server.services.now()),
    )
    await send()
    expect((await confirmationsTo(one)).map(({ state }) => state)).toEqual(['sent'])
    const quick = await invited()
    const { body } = await signUp(server, quick.token)
    await server.call(`/api/consent/${body.withdraw_id}/withdraw`, {})
    await send()
    expect(texts()).toEqual([])
    expect((await confirmationsTo(quick.one)).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'stopped'],
    ])
  })

  it('does not read braces in a name as a field', async () => {
    const odd = await makeRunningTrial(server, support, { name: 'Heart {Consent ID} {Withdraw link}' })
    const { token } = await invited({}, odd.id)
    expect((await signUp(server, token)).status).toBe(200)
    await send()
    const { text } = texts()[0]!
    expect(text).toContain('Heart (Consent ID) (Withdraw link)')
    expect(text.match(/https?:/g)).toHaveLength(1)
  })
})
