import { countSms } from '@pillar/domain/message/sms-text'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf, type TestRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import type { HandOver, OutgoingEmail, SmsGateway } from '../../gateways/gateway.ts'
import { doubtOf, handOverEach, isDoubted } from '../../gateways/hand-over.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { importOptOuts } from '../consent/import-opt-outs.queries.ts'
import { reservePace, returnPace } from './lease.queries.ts'
import { reconcile } from './reconcile.ts'
import { parseReference, referenceOf } from './reference.ts'

let server: TestServer
let phones: FakePhones
let services: Services
const mails: OutgoingEmail[] = []

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  const bulkEmail = {
    name: 'fake-mail',
    simulated: true,
    perSecond: Number.POSITIVE_INFINITY,
    send: async (messages: readonly OutgoingEmail[]) => {
      mails.push(...messages)
      return messages.map(() => ({ kind: 'accepted' as const, gatewayRef: 'm' }))
    },
    lookUp: async () => [],
  }
  services = { ...server.services, sms: phones.gateway(), bulkEmail }
})
afterAll(() => server.close())

describe('a sent message', () => {
  it('contains the consent link, which the ledger does not store, and is billed with it', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const body = `${'Please tell us what we may send you. '.repeat(3)}{Consent ID}`
    const run = await makeRun(server, world, { patients, body })
    await turn(services)
    const texts = [...phones.accepted.values()].map((text) => text.text)
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).toMatch(/you\. http:\/\/localhost:3000\/consent\/[\w-]{22}\nReply STOP/)
    expect(new Set(texts).size).toBe(2)
    const rows = await asOwner(server, 'select body, parts, cents from message where run_id = $1', [run.id])
    const { parts } = countSms(texts[0]!)
    expect(parts).toBe(2)
    for (const row of rows) {
      expect(row.body).toContain('{Consent ID}')
      expect(row).toMatchObject({ parts, cents: parts * 12 })
    }
    const requests = await asOwner(server, 'select patient_id from consent_request order by patient_id')
    expect(requests.map((row) => row.patient_id)).toEqual(patients.map((patient) => patient.id).sort((a, b) => a - b))
  })

  it('has the opt-out of its current sender', async () => {
    const world = await makeMessagingWorld(server, { locations: 4 })
    const [always, now, before, own] = world.locations.map(({ id }) => id)
    const body = 'Hi Ines, your next repeat is due. '.repeat(3)
    const runs: TestRun[] = []
    // Written for a name, twice for the installation's number, and for a name; one pharmacy now has a name, one a number.
    for (const [place, smsSender] of [
      [always, 'SALTBUSH'],
      [now, null],
      [before, null],
      [own, null],
    ] as const) {
      const patients = await makePatients(server, place!, 1)
      runs.push(await makeRun(server, world, { patients, body, smsSender }))
    }
    await asOwner(server, `update location set sms_sender = 'CANALRD' where id = $1`, [now])
    await asOwner(
      server,
      `update message set body = replace(body, 'Reply STOP to opt out', 'Opt out at {Opt-out link}') where location_id = $1`,
      [before],
    )
    const known = new Set(phones.accepted.keys())
    await sendAll(services)
    const sent = [...phones.accepted.values()].filter(({ reference }) => !known.has(reference))
    const of = (place: number) => sent.find(({ reference }) => parseReference(reference)!.locationId === place)!
    const link = /due\.\nOpt out at http:\/\/localhost:3000\/u\/[\w-]{26}$/
    expect(of(always!)).toMatchObject({ from: 'SALTBUSH', text: expect.stringMatching(link) })
    expect(of(now!)).toMatchObject({ from: 'CANALRD', text: expect.stringMatching(link) })
    expect(of(before!)).toMatchObject({ from: null, text: expect.stringMatching(/due\.\nReply STOP to opt out$/) })
    expect(of(own!)).toMatchObject({ from: null, text: expect.stringMatching(/due\.\nReply STOP to opt out$/) })
    for (const [at, run] of runs.entries()) {
      const place = world.locations[at]!.id
      const { parts } = countSms(of(place).text)
      expect(parts).toBe(at < 2 ? 2 : 1)
      expect(await asOwner(server, 'select parts, cents from message where run_id = $1', [run.id])).toEqual([
        { parts, cents: parts * 12 },
      ])
    }
  })

  it('is sent in the pharmacy’s own name, else in its company’s', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    for (const { id } of world.locations) await makeRun(server, world, { patients: await makePatients(server, id, 1) })
    await asOwner(server, `update location set sms_sender = 'CANALRD' where id = $1`, [world.locations[0]!.id])
    await asOwner(server, `update messaging_setting set sms_sender = 'SALTBUSH' where company_id = $1`, [
      world.company.id,
    ])
    const known = new Set(phones.accepted.keys())
    await sendAll(services)
    const sent = [...phones.accepted.values()].filter(({ reference }) => !known.has(reference))
    const from = world.locations.map(
      ({ id }) => sent.find(({ reference }) => parseReference(reference)!.locationId === id)?.from,
    )
    expect(from).toEqual(['CANALRD', 'SALTBUSH'])
  })

  it('is an email in the pharmacy’s name with both ways to unsubscribe', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 1)
    const run = await makeRun(server, world, { patients, channel: 'email', body: 'Your scripts & more are due.' })
    await turn(services, {}, 'email')
    expect(await statesOf(server, run.id)).toEqual({ sent: 1 })
    const [mail] = mails
    expect(mail).toMatchObject({
      to: patients[0]!.email_to,
      fromName: world.locations[0]!.name,
      subject: 'Your medicines',
      unsubscribeUrl: expect.stringMatching(/^http:\/\/localhost:3000\/unsubscribe\/[\w.-]{22,}$/),
      oneClickUrl: expect.stringMatching(/^http:\/\/localhost:3000\/unsubscribe-one-click\/[\w.-]{22,}$/),
    })
    expect(mail!.html).toContain('Your scripts &#38; more are due.')
    expect(mail!.text).toContain(mail!.unsubscribeUrl)
    expect(parseReference(mail!.reference)).toMatchObject({ locationId: patients[0]!.locationId })
  })
})

describe('a message reference', () => {
  it('parses back, and nothing else does', () => {
    const reference = referenceOf('018F3C2A-9b7d-7000-8000-000000000000', 12, 3456)
    expect(reference).toBe('p018f3c2a9b7d-12-3456')
    for (const one of [reference, reference.toUpperCase()])
      expect(parseReference(one)).toEqual({ run: '018f3c2a9b7d', locationId: 12, id: 3456 })
    for (const other of ['', 'p018f3c2a9b7d-12', 'p018f3c2a9b7d-12-3456-7', 'x018f3c2a9b7d-1-2', 'p018f3c2a9b7d-1-2 '])
      expect(parseReference(other)).toBeNull()
  })
})

describe('a claim of a process that was suspended', () => {
  it('is not handed over, because another may have the messages by now; the next claim has them', async () => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2) })
    const tried = phones.tries.size
    // No claim is quick enough for this.
    await turn(services, { leaseSeconds: 0.001 })
    expect([phones.tries.size, await statesOf(server, run.id)]).toEqual([tried, { queued: 2 }])
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 2 })
    const attempts = 'select distinct attempts from message where run_id = $1'
    expect(await asOwner(server, attempts, [run.id])).toEqual([{ attempts: 1 }])
  })
})

const optOuts: [string, (tx: Tx, locationId: number, patientId: number) => Promise<unknown>][] = [
  [
    'a STOP',
    (tx, locationId, patientId) => {
      const entry = { locationId, patientId, at: new Date(), event: { type: 'stop' as const } }
      return recordConsent(tx, { ...entry, wording: 'STOP', source: 'reply' }, new Date())
    },
  ],
  [
    'an opt-out in an upload',
    async (tx, locationId, patientId) => {
      await tx.updateTable('patient').set({ sms_opt_out: true }).where('id', '=', patientId).execute()
      await importOptOuts(tx, locationId, new Date())
    },
  ],
]

it.each(optOuts)('a claim waits for %s: after its commit nothing is claimed', async (_, optOut) => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!.id
  const patients = await makePatients(server, place, 1)
  let run: TestRun | undefined
  let going: Promise<unknown> | undefined
  await world.inside(async (tx) => {
    await optOut(tx, place, patients[0]!.id)
    // Written after the opt-out searched for queued messages, by a writer that could not see it.
    run = await makeRun(server, world, { patients })
    going = turn(services)
    await Promise.race([going, untilWaiting(server)])
    expect(await statesOf(server, run.id)).toEqual({ queued: 1 })
  })
  await going
  expect(await statesOf(server, run!.id)).toEqual({ 'skipped opted_out': 1 })
})

describe('the sending rate', () => {
  it('is shared by all workers and reserved at most a second ahead', async () => {
    const { system } = services.pools
    const waits: (number | null)[] = []
    for (let at = 0; at < 6; at++) waits.push(await reservePace(system, 'slow', 10, 20))
    expect(waits[0]).toBe(0)
    // Half a second each: 0, 0.5, 1, then nobody can reserve further ahead.
    expect(waits.filter((wait) => wait !== null).length).toBeLessThanOrEqual(4)
    expect(waits.at(-1)).toBeNull()
    const last = waits.filter((wait) => wait !== null).at(-1)!
    expect(last).toBeGreaterThan(300)
    expect(last).toBeLessThanOrEqual(1000)
    await returnPace(system, 'slow', 30, 20)
    expect(await reservePace(system, 'slow', 10, 20)).not.toBeNull()
  })
})

it('a text that the gateway lacks is not queued again once its batch was stopped for good, also without a campaign', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, {
    patients: await makePatients(server, world.locations[0]!.id, 1),
    context: 'sequence',
  })
  phones.fate = () => 'reset'
  await sendAll(services)
  phones.fate = () => 'accept'
  expect(await statesOf(server, run.id)).toEqual({ unknown: 1 })
  await asOwner(server, 'update message_batch set stopped_at = now() where run_id = $1', [run.id])
  await asOwner(server, `update message set lease_until = now() - interval '1 second' where run_id = $1`, [run.id])
  await reconcile(services)
  expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': 1 })
})

it('a text handed over twice is looked up from the first time on: the gateway may have taken it late', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  const since: number[] = []
  const lookUp: SmsGateway['lookUp'] = (messages) => {
    since.push(...messages.map(({ handedOverAt }) => handedOverAt!.getTime()))
    return phones.lookUp(messages)
  }
  phones.fate = () => 'reset'
  for (const _ of ['first', 'second']) {
    await sendAll(services)
    await asOwner(server, `update message set lease_until = now() - interval '1 second' where run_id = $1`, [run.id])
    await reconcile({ ...services, sms: { ...phones.gateway(), lookUp } })
  }
  phones.fate = () => 'accept'
  expect(since[1]).toBeLessThanOrEqual(since[0]!)
})

it('answers are recorded whatever characters they hold: a NUL in one lost those of all messages of its claim', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 3) })
  const odd: HandOver[] = [
    { kind: 'accepted', gatewayRef: 'a-\0-1' },
    { kind: 'rejected', reason: 'N\0o\0' },
    { kind: 'accepted', gatewayRef: 'x'.repeat(100_000) },
  ]
  const send: SmsGateway['send'] = async (messages) => messages.map((_message, at) => odd[at]!)
  await turn({ ...services, sms: { ...phones.gateway(), send } })
  expect(await statesOf(server, run.id)).toEqual({ sent: 2, failed: 1 })
  const kept = 'concat(reason, left(gateway_ref, 10), length(gateway_ref)) as kept'
  const rows = await asOwner(server, `select ${kept} from message where run_id = $1 order by id`, [run.id])
  expect(rows.map(({ kept }) => kept)).toEqual(['a--14', 'No', 'xxxxxxxxxx250'])
})

describe('messages handed over one by one', () => {
  const refused = (reason: string, times: number) =>
    Array.from({ length: times }, (): HandOver => ({ kind: 'rejected', reason }))

  it('may have been sent if the gateway throws or hangs: they are never for later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answers = [() => Promise.reject(new Error('odd')), () => new Promise<HandOver>(() => {})]
    const handed = handOverEach(answers, 2, (answer) => answer())
    await vi.advanceTimersByTimeAsync(13_000)
    vi.useRealTimers()
    expect((await handed).map(({ kind }) => kind)).toEqual(['unknown', 'unknown'])
  })

  it('are all tried although many are refused alike, once one was accepted', async () => {
    const answers: HandOver[] = [{ kind: 'accepted', gatewayRef: 'a' }, ...refused('No such number', 40)]
    const handed = await handOverEach(answers, 1, async (answer) => answer)
    expect(handed.filter(({ kind }) => kind === 'rejected')).toHaveLength(40)
  })

  it('are refused too often only for one reason, and since one was last accepted', () => {
    const one = { log: { error: () => {} } } as unknown as Services
    const pauses = [
      ...[refused('No such number', 19), refused('Blocked', 1), refused('Blocked', 18)],
      ...[[{ kind: 'accepted' as const, gatewayRef: 'a' }], refused('Blocked', 19), refused('Blocked', 1)],
    ].map((answers) => doubtOf(one, 'sms', answers)?.seconds ?? null)
    expect(pauses).toEqual([null, null, null, null, null, 60])
    const doubts = (answer: HandOver) => {
      doubtOf(one, 'sms', [answer])
      return isDoubted(one, 'sms')
    }
    expect(doubts({ kind: 'unknown', reason: 'odd' })).toBe(true)
    expect(doubts({ kind: 'accepted', gatewayRef: 'a' })).toBe(false)
  })
})
