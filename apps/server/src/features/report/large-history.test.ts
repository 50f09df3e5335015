import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { inScope } from '../../db/scope.ts'
import { pharmacyContacts } from './report.queries.ts'
import { readReport } from './report-content.ts'

const MESSAGES = DEEP ? 300_000 : 60_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A pharmacy with that many messages, ten seconds apart, the newest first by id. */
async function manyMessages() {
  const world = await makeMessagingWorld(server)
  const locationId = world.locations[0]!.id
  const run = await makeRun(server, world, { patients: await makePatients(server, locationId, 1), state: 'stopped' })
  await asOwner(
    server,
    `insert into message (location_id, run_id, batch_id, patient_id, channel, state, contact, body, parts, cents, planned_at, sent_at, rule)
     select m.location_id, m.run_id, m.batch_id, 1000000000 + n, m.channel, 'delivered', m.contact, m.body, 1, 12, t, t, m.rule
     from message m, generate_series(1, $2::int - 1) n, lateral (select timestamptz '2026-06-01' - n * interval '10 seconds' as t) at
     where m.run_id = $1 order by n`,
    [run.id, MESSAGES],
  )
  return { companyId: world.company.id, locationIds: [locationId] }
}

/** Milliseconds this thread has worked; waiting for the machine's other work does not count. */
const worked = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of work for one sheet written and compressed in one go. */
function atAStroke(): number {
  const rows = Array.from({ length: MESSAGES }, (_, n) => [
    `2026-06-01 ${n}`,
    n,
    '',
    '',
    'SMS',
    'Text',
    'Sent',
    1,
    0.12,
  ])
  const began = worked()
  gzipSync(stringify(rows))
  return worked() - began
}

/** The result of `work`, and the longest time, in milliseconds, this thread worked without letting others in. */
async function longestTurn<T>(work: () => Promise<T>): Promise<{ made: T; longest: number }> {
  let longest = 0
  let before = worked()
  const timer = setInterval(() => {
    const now = worked()
    longest = Math.max(longest, now - before)
    before = now
  }, 1)
  try {
    const made = await work()
    // The last stretch is seen only after the next turn.
    await pause(50)
    return { made, longest }
  } finally {
    clearInterval(timer)
  }
}

it('a long message history is made in lots, earliest first, and others have their turn in between', async ({
  annotate,
}) => {
  const scope = await manyMessages()
  const whole = atAStroke()
  const asked = { kind: 'history', from_day: '2024-01-01', to_day: '2099-12-31' }
  const read = () =>
    longestTurn(() =>
      inScope(server.services.pools.app, scope, async (tx) => readReport(tx, asked, (await pharmacyContacts(tx))[0]!)),
    )
  // The memory of earlier tests may be collected in one of them.
  const [{ made, longest: first }, { longest: second }] = [await read(), await read()]
  const longest = Math.min(first, second)
  const mb = Math.round(process.resourceUsage().maxRSS / 1000)
  await annotate(`${MESSAGES} messages, at most ${Math.round(longest)} ms at a time, ${mb} MB`)
  const lines = gunzipSync(made.content).toString().trimEnd().split('\r\n').slice(1)
  expect([lines.length, made.holds]).toEqual([MESSAGES, `${MESSAGES} messages`])
  expect(lines.toSorted()).toEqual(lines)
  expect(longest).toBeLessThan(whole / 2)
}, 600_000)
