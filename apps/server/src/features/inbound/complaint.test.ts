import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf, type TestRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { signBounce } from '../../gateways/email/bulk-email-events.ts'
import { referenceOf } from '../sending/reference.ts'
import { processEvents } from './events.ts'

const SECRET = 'the-secret-of-the-mail-server'
const [PUBLIC, TOKEN] = ['https://pillar.example', 'f'.repeat(32)]
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: TOKEN, SMS_SENDER: '+61491570006' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { BOUNCE_SECRET: SECRET, PUBLIC_URL: PUBLIC, SMS_GATEWAY: 'twilio', ...TWILIO },
  })
})
afterAll(() => server.close())

let calls = 0
/** The mail server reports a complaint, which is then processed. */
async function complain(report: object): Promise<number> {
  const [id, timestamp, body] = [`m${++calls}`, String(Math.floor(Date.now() / 1000)), JSON.stringify(report)]
  const answer = await server.app.inject({
    method: 'POST',
    url: '/webhooks/email/bounce',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signBounce(SECRET, { id, timestamp, body }),
    },
  })
  while ((await processEvents(server.services)) > 0);
  return answer.statusCode
}

/** Two emailed patients with one address and one with another; and a second run that is waiting. */
async function mailedWorld() {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 3, (at) =>
    at < 2 ? { email_to: `both${world.company.id}@mail.example` } : {},
  )
  const run = await makeRun(server, world, { patients, channel: 'email', state: 'done' })
  await asOwner(server, `update message set state = 'delivered', sent_at = now() where run_id = $1`, [run.id])
  const startsAt = new Date(Date.now() + 3_600_000)
  const next = await makeRun(server, world, { patients, channel: 'email', startsAt })
  return { patients, run, next, place: world.locations[0]!.id }
}

async function referencesOf(run: TestRun): Promise<string[]> {
  const rows = await asOwner<{ location_id: number; id: number }>(
    server,
    'select location_id, id from message where run_id = $1 order by id',
    [run.id],
  )
  return rows.map((row) => referenceOf(run.uuid, row.location_id, row.id))
}

const entries = (place: number) =>
  asOwner(server, 'select patient_id, type, source, wording from consent_entry where location_id = $1 order by id', [
    place,
  ])

describe('a spam complaint', () => {
  it('stops all email to the address at once and only once, as unsubscribing does', async () => {
    const { patients, run, next, place } = await mailedWorld()
    const [reference] = await referencesOf(run)
    expect(await complain({ type: 'complained', reference, reason: 'abuse' })).toBe(204)
    const expected = patients.slice(0, 2).map(({ id }) => ({
      patient_id: id,
      ...{ type: 'unsubscribe', source: 'complaint', wording: 'Spam complaint: abuse' },
    }))
    expect(await entries(place)).toEqual(expected)
    const out = await asOwner(
      server,
      `select patient_id, sms_health_outreach as sms from consent
       where location_id = $1 and email_health_outreach = 'out' and email_marketing = 'out' order by patient_id`,
      [place],
    )
    expect(out).toEqual(patients.slice(0, 2).map(({ id }) => ({ patient_id: id, sms: 'unknown' })))
    expect(await statesOf(server, next.id)).toEqual({ queued: 1, 'skipped opted_out': 2 })

    // Repeated, reprocessed after a crash, and about the other patient's message: nothing more to stop.
    await complain({ type: 'complained', reference, reason: 'abuse' })
    await asOwner(
      server,
      `update gateway_event set done_at = null, payload = payload || '{"reason":"abuse"}' where payload->>'kind' = 'complaint'`,
    )
    await complain({ type: 'complained', reference: (await referencesOf(run))[1], reason: 'abuse' })
    expect(await entries(place)).toEqual(expected)
  })

  it('is found by the bounce address, and is ignored if the report says it is none', async () => {
    const { run, place } = await mailedWorld()
    const [, , reference] = await referencesOf(run)
    for (const reason of ['not-spam', 'auth-failure'])
      expect(await complain({ type: 'complained', reference, reason })).toBe(204)
    expect(await entries(place)).toEqual([])
    expect(await complain({ type: 'complained', to: `bounce+${reference}@bounces.example` })).toBe(204)
    expect(await entries(place)).toMatchObject([{ source: 'complaint', wording: 'Spam complaint' }])
  })

  it('about an unknown message changes nothing and says why', async () => {
    const { run, place } = await mailedWorld()
    const [reference] = await referencesOf(run)
    const [text] = await asOwner<{ id: number }>(
      server,
      `insert into message (location_id, run_id, batch_id, patient_id, channel, state)
       select location_id, run_id, batch_id, patient_id, 'sms', 'sent' from message where run_id = $1 order by id limit 1 returning id`,
      [run.id],
    )
    const wrong = [
      'someone-elses',
      reference!.replace(/^p.{12}/, 'p000000000000'),
      'p000000000000-999999-1',
      referenceOf(run.uuid, place, text!.id),
    ]
    for (const one of wrong) await complain({ type: 'complained', reference: one })
    expect(await entries(place)).toEqual([])
    const failures = await asOwner<{ reference: string; failure: string }>(
      server,
      `select payload->>'reference' as reference, failure from gateway_event where failure is not null order by id`,
    )
    expect(failures).toEqual(
      wrong.map((one, at) => ({
        reference: one,
        failure: at === 0 ? 'The reference is none of ours.' : 'No message has this reference.',
      })),
    )
  })
})

describe('a text that the gateway does not take because the person has opted out there', () => {
  /** A family with one number, and somebody else; and a second run that is waiting. */
  async function textedWorld() {
    const world = await makeMessagingWorld(server)
    const number = `+61491${String(world.company.id).padStart(6, '0')}`
    const patients = await makePatients(server, world.locations[0]!.id, 3, (at) => (at < 2 ? { sms_to: number } : {}))
    const run = await makeRun(server, world, { patients: [patients[0]!, patients[2]!] })
    const startsAt = new Date(Date.now() + 3_600_000)
    const next = await makeRun(server, world, { patients, startsAt })
    return { patients, number, run, next, place: world.locations[0]!.id }
  }
  const expected = (patients: readonly { id: number }[]) =>
    patients.slice(0, 2).map(({ id }) => ({
      ...{ patient_id: id, type: 'stop', source: 'gateway' },
      wording: 'The gateway sends no texts to this number: the person has opted out there',
    }))

  it('ends all texts to the number, as a STOP does, once', async () => {
    const { patients, number, run, next, place } = await textedWorld()
    const send: FakePhones['send'] = async (messages) =>
      messages.map(({ to, reference }) =>
        to === number
          ? { kind: 'rejected', reason: 'Opted out', optedOut: true }
          : { kind: 'accepted', gatewayRef: reference },
      )
    const services = { ...server.services, sms: { ...new FakePhones().gateway(), send } }
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ failed: 1, sent: 1 })
    while ((await processEvents(services)) > 0);
    expect(await entries(place)).toEqual(expected(patients))
    expect(await statesOf(server, next.id)).toEqual({ queued: 1, 'skipped opted_out': 2 })
  })

  it('does the same when the gateway says so later', async () => {
    const { patients, run, place } = await textedWorld()
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
    const [reference] = await referencesOf(run)
    const url = `/webhooks/sms/twilio/status?reference=${reference}&made=${Math.floor(Date.now() / 1000)}`
    const form = { ErrorCode: '21610', MessageSid: `SM${run.id}`, MessageStatus: 'failed' }
    const text = PUBLIC + url + Object.entries(form).flat().join('')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', TOKEN).update(text).digest('base64'),
    }
    for (let twice = 0; twice < 2; twice++) {
      const call = { method: 'POST', url, headers, payload: new URLSearchParams(form).toString() } as const
      expect((await server.app.inject(call)).statusCode).toBe(204)
      while ((await processEvents(server.services)) > 0);
    }
    expect(await entries(place)).toEqual(expected(patients))
    expect(await statesOf(server, run.id)).toEqual({ failed: 1, sent: 1 })
  })
})
