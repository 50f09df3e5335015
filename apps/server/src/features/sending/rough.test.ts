import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { freshMobile, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { advanceRuns } from './lease.queries.ts'
import { reconcile } from './reconcile.ts'
import { recountQueued } from './recount.ts'
import { SENDER, startLanes } from './sender.ts'

/** How long the gateway is down: ten minutes, or this many answers. */
const OUTAGE = DEEP
  ? { ms: 10 * 60_000, answers: Number.POSITIVE_INFINITY }
  : { ms: Number.POSITIVE_INFINITY, answers: 200 }
const LONGEST_MS = 3_000_000
let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

/** A number from 0 to 999 that depends only on the message and the attempt. */
function draw(reference: string, attempt: number): number {
  let hash = 7
  for (const character of `${reference}/${attempt}`) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003
  return hash % 1000
}

const lapse = () =>
  asOwner(
    server,
    `update message set lease_until = now() - interval '1 second' where state = 'unknown' and lease_until is not null`,
  )

describe('an unreliable gateway', () => {
  it('settles every message with one acceptance or a stated failure (T16)', {
    timeout: LONGEST_MS + 60_000,
  }, async () => {
    const count = DEEP ? 10_000 : 500
    const world = await makeMessagingWorld(server, { locations: 2 })
    const patients = []
    for (const { id } of world.locations) patients.push(...(await makePatients(server, id, count / 2)))
    const run = await makeRun(server, world, { patients })
    const outage = { answers: 0, until: Number.POSITIVE_INFINITY }
    phones.fate = ({ reference }, attempt) => {
      // After a third of the messages the gateway is down for a while.
      if (phones.accepted.size > count / 3 && outage.answers < OUTAGE.answers && Date.now() < outage.until) {
        if (outage.answers++ === 0) outage.until = Date.now() + OUTAGE.ms
        return 'later'
      }
      const at = draw(reference, attempt)
      return at < 50 ? 'later' : at < 100 ? 'lost' : at < 120 ? 'reset' : at < 140 ? 'reject' : 'accept'
    }
    const stop = startLanes(services, { ...SENDER, lanes: 3, hand: 20, idleMs: 10 })
    for (const began = Date.now(); Date.now() < began + LONGEST_MS; ) {
      await lapse()
      await reconcile(services)
      const states = await statesOf(server, run.id)
      if (!states.queued && !states.sending && !states.unknown) break
      await new Promise((done) => setTimeout(done, 30))
    }
    await stop()
    phones.fate = () => 'accept'
    const states = await statesOf(server, run.id)
    expect((states.sent ?? 0) + (states.failed ?? 0)).toBe(count)
    expect(states.failed).toBeGreaterThan(0)
    expect(phones.accepted.size).toBe(states.sent)
    expect(phones.repeats).toEqual([])
    expect(DEEP ? Date.now() > outage.until : outage.answers === OUTAGE.answers).toBe(true)
    const reasons = await asOwner<{ reason: string }>(
      server,
      `select distinct reason from message where run_id = $1 and state = 'failed'`,
      [run.id],
    )
    expect(reasons.map((row) => row.reason)).not.toContain(null)
    await advanceRuns(services.pools.system, new Date())
    expect(await asOwner(server, 'select state from message_run where id = $1', [run.id])).toEqual([{ state: 'done' }])
  })

  it('that was unreachable sends everything once it is back', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 12)
    const run = await makeRun(server, world, { patients })
    const away = { ...services, sms: { ...phones.gateway(), send: () => Promise.reject(new Error('ECONNREFUSED')) } }
    await turn(away)
    expect(await statesOf(server, run.id)).toEqual({ unknown: 12 })
    await lapse()
    await reconcile(services)
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 12 })
  })
})

describe('many campaigns at once (T21)', () => {
  it('keep the frequency limit, add up, and cost what their parts cost', { timeout: 600_000 }, async () => {
    const [campaigns, people] = DEEP ? [50, 200] : [12, 25]
    const world = await makeMessagingWorld(server, { locations: 3, cap: { messages: 2, hours: 168 } })
    const shared = Array.from({ length: people }, freshMobile)
    const patients = []
    // The same numbers at every pharmacy: the limit is per person, not per pharmacy.
    for (const { id } of world.locations) {
      patients.push(...(await makePatients(server, id, people, (at) => ({ sms_to: shared[at]!, email_to: null }))))
    }
    const before = phones.accepted.size
    const long = 'A long text that costs two parts. '.repeat(6)
    const runs = []
    for (let at = 0; at < campaigns; at++) {
      const body = at % 3 === 0 ? long : 'Your repeat is due.'
      runs.push(await makeRun(server, world, { patients, body, state: at % 4 === 3 ? 'sending' : 'holding' }))
    }
    const stops = [1, 2, 3].map(() => startLanes(services, { ...SENDER, lanes: 2, hand: 9, idleMs: 10 }))
    const ids = runs.map((run) => run.id)
    const open = async () =>
      (
        await asOwner<{ n: number }>(
          server,
          `select count(*)::int as n from message where run_id = any($1) and state in ('queued', 'sending', 'unknown')`,
          [ids],
        )
      )[0]!.n
    for (let round = 0; round < 3000 && (await open()) > 0; round++) {
      await new Promise((done) => setTimeout(done, 100))
    }
    await Promise.all(stops.map((stop) => stop()))
    const perNumber = new Map<string, number>()
    for (const text of [...phones.accepted.values()].slice(before)) {
      perNumber.set(text.to, (perNumber.get(text.to) ?? 0) + 1)
    }
    expect([...perNumber.values()].every((n) => n === 2)).toBe(true)
    expect(perNumber.size).toBe(people)
    await recountQueued(services)
    const sums = await asOwner<Record<string, number>>(
      server,
      `select sum(num_patients)::int as cohort, sum(num_sent + num_delivered)::int as sent, sum(num_failed)::int as failed,
         sum(num_skipped)::int as skipped, sum(num_unknown)::int as unknown, sum(parts)::int as parts, sum(cents)::int as cents
       from message_batch where run_id = any($1)`,
      [ids],
    )
    const { cohort, sent, failed, skipped, unknown, parts, cents } = sums[0]!
    expect(cohort).toBe(campaigns * people * 3)
    expect(sent! + failed! + skipped! + unknown!).toBe(cohort)
    expect(sent).toBe(people * 2)
    expect(cents).toBe(parts! * 12)
    const reasons = await asOwner(
      server,
      `select reason, count(*)::int as n from message where run_id = any($1) and state = 'skipped' group by reason`,
      [ids],
    )
    expect(reasons).toEqual([{ reason: 'capped', n: skipped }])
  })
})
