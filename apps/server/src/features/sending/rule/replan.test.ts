import { randomUUID } from 'node:crypto'
import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun, setRules } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { multiply, turn } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { closeBatch } from '../claim.queries.ts'
import { postponeQueued, replanQueued } from './replan.queries.ts'

const ALL = MOST_MOVED + 50
/** A Monday, 13:00 in Melbourne. */
const MONDAY = '2027-03-01T02:00:00Z'
const TUESDAY = '2027-03-01T13:00:00.000Z'
/** The next hour by the former rules. */
const FORMER = '2027-03-06T02:00:00.000Z'
const ONLY_TUESDAYS = Array.from({ length: 7 }, (_, at) => (at === 1 ? ([0, 1440] as const) : null))

let server: TestServer
let world: MessagingWorld
let runId: number
beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = Date.parse(MONDAY) - Date.now()
  world = await makeMessagingWorld(server)
  runId = (await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })).id
  await multiply(server, { id: runId }, ALL)
})
afterAll(() => server.close())
beforeEach(async () => {
  await asOwner(server, 'update message set planned_at = $2 where run_id = $1', [runId, FORMER])
  await asOwner(server, 'update message_batch set next_at = $2, replanned_to = null where run_id = $1', [runId, FORMER])
})

const rulesChange = () => world.inside((tx) => replanQueued(tx, server.services.now()))

/** How many messages wait until when. */
async function waiting(): Promise<Record<string, number>> {
  const rows = await asOwner<{ at: Date; n: number }>(
    server,
    `select planned_at as at, count(*)::int as n from message where run_id = $1 and state = 'queued' group by 1`,
    [runId],
  )
  return Object.fromEntries(rows.map(({ at, n }) => [at.toISOString(), n]))
}

it('new sending hours reach a large run in portions, each message once', async () => {
  await setRules(server, world.company.id, { week: ONLY_TUESDAYS })
  await rulesChange()
  // Saving the hours moves none of them, so it does not take long.
  expect(await waiting()).toEqual({ [FORMER]: ALL })
  expect(await turn(server.services)).toBe('sent')
  expect(await waiting()).toEqual({ [TUESDAY]: MOST_MOVED, [FORMER]: 50 })
  expect(await turn(server.services)).toBe('sent')
  expect(await waiting()).toEqual({ [TUESDAY]: ALL })
  expect(await turn(server.services)).toBe('nothing')
})

it('hours changed again before the last change is done start over', async () => {
  await rulesChange()
  await turn(server.services)
  expect(await waiting()).toEqual({ [TUESDAY]: MOST_MOVED, [FORMER]: 50 })
  await setRules(server, world.company.id, {})
  server.clock.offsetMs += 60_000
  await rulesChange()
  expect(await turn(server.services)).toBe('sent')
  const left = await waiting()
  expect(left[TUESDAY]).toBeUndefined()
  expect(left[FORMER]).toBe(50)
})

it('new sending hours reach a stopped run when it resumes', async () => {
  await asOwner(server, "update message_run set state = 'stopped' where id = $1", [runId])
  await setRules(server, world.company.id, { week: ONLY_TUESDAYS })
  await rulesChange()
  expect(await turn(server.services)).toBe('nothing')
  await asOwner(server, "update message_run set state = 'sending' where id = $1", [runId])
  while ((await turn(server.services)) === 'sent');
  expect(Object.keys(await waiting())).toEqual([TUESDAY])
})

it('hours that change while a claim puts messages off by the former ones still reach them', async () => {
  const now = server.services.now()
  await asOwner(server, 'update message set planned_at = $2 where run_id = $1', [runId, now])
  await asOwner(server, 'update message_batch set next_at = $2 where run_id = $1', [runId, now])
  const [batch] = await asOwner<{ id: number; locationId: number }>(
    server,
    'select id, location_id as "locationId" from message_batch where run_id = $1',
    [runId],
  )
  await world.inside(async (tx) => {
    await postponeQueued(tx, batch!, new Date(FORMER), now)
    await setRules(server, world.company.id, { week: ONLY_TUESDAYS })
    await rulesChange()
    await closeBatch(
      tx,
      { ...batch!, runId, companyId: world.company.id, channel: 'sms', trace: null },
      randomUUID(),
      now,
    )
  })
  while ((await turn(server.services)) === 'sent');
  expect(Object.keys(await waiting())).toEqual([TUESDAY])
})

it.each(['trial', 'sequence'] as const)('new sending hours reach messages of a %s', async (context) => {
  await setRules(server, world.company.id, { week: ONLY_TUESDAYS })
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  const run = await makeRun(server, world, { patients, context })
  await asOwner(server, 'update message set planned_at = $2 where run_id = $1', [run.id, FORMER])
  await asOwner(server, 'update message_batch set next_at = $2 where run_id = $1', [run.id, FORMER])
  await rulesChange()
  while ((await turn(server.services)) === 'sent');
  const [message] = await asOwner<{ at: Date }>(server, 'select planned_at as at from message where run_id = $1', [
    run.id,
  ])
  expect(message!.at.toISOString()).toBe(TUESDAY)
})
