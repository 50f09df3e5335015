import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '../../src/db/database.ts'
import { LOT } from '../../src/db/list.ts'
import { reasonsOf } from '../../src/features/run/run.queries.ts'
import { runCsv } from '../../src/features/run/run-answer.ts'
import { lockMessages, MOST_REASON, rejectedChange, writeChanges } from '../../src/features/sending/record.queries.ts'
import { explainTenants } from '../cluster/explain-first.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun, type TestRun } from '../messaging.ts'
import { asOwner } from '../people.ts'
import { multiply } from '../sending.ts'
import { startTestServer, type TestServer } from '../server.ts'

const ALL = 5_000
let server: TestServer
let world: MessagingWorld
let run: TestRun
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  await multiply(server, run, ALL)
})
afterAll(() => server.close())

it('a gateway’s reason is stored in few enough words for an index, whatever the gateway writes', async () => {
  const place = world.locations[0]!.id
  const [first] = await asOwner<{ id: number }>(server, 'select min(id) as id from message where run_id = $1', [run.id])
  await asOwner(server, `update message set state = 'sending' where id = $1`, [first!.id])
  const words = '😀'.repeat(10_000)
  await world.inside(async (tx) => {
    const { keys } = server.services
    const message = (await lockMessages(tx, keys, place, [first!.id])).get(first!.id)
    await writeChanges(tx, place, [rejectedChange(message!, { reason: words }, server.services.now())!])
  })
  const [kept] = await asOwner<{ reason: string }>(server, 'select reason from message where id = $1', [first!.id])
  expect(kept!.reason).toBe('😀'.repeat(MOST_REASON))
})

it('why messages were skipped or failed is read from an index, and messages that were delivered are not read for it', async () => {
  await asOwner(
    server,
    `update message set state = 'delivered' where run_id = $1 and state = 'queued' and id % 100 <> 0`,
    [run.id],
  )
  await asOwner(
    server,
    `update message set state = 'skipped', reason = 'capped' where run_id = $1 and state = 'queued' and id % 200 <> 0`,
    [run.id],
  )
  await asOwner(server, 'vacuum analyze message')
  const plans: string[] = []
  const hear = (_: string, plan: unknown) => void plans.push(JSON.stringify(plan))
  await explainTenants(server, { statements: /\bfrom message m\b/, options: 'costs off', hear })
  const asked = (state: 'sending' | 'done') => world.inside((tx) => reasonsOf(tx, { id: run.id, state }))
  expect(await asked('sending')).toMatchObject([{ reason: 'capped' }, { state: 'failed', count: 1 }])
  // What is still queued once a run is over counts as skipped.
  expect(await asked('done')).toMatchObject([{}, { state: 'skipped', reason: 'stopped', count: 25 }, { count: 1 }])
  const indexes = plans.map((plan) => [...plan.matchAll(/"Index Name": *"(\w+)"/g)].map(([, name]) => name).toSorted())
  const batches = 'message_batch_location_run'
  expect(indexes).toEqual([['message_reason'], [batches, 'message_queued', 'message_reason']])
})

it('the file of a run is read in lots', async () => {
  const lines: number[] = []
  const file = async (tx: Tx) => {
    const { id } = run
    const asked = {
      id,
      state: 'sending',
      uuid: '',
      note: '',
      starts_at: new Date(),
      ends_at: null,
      held_reason: null,
    } as const
    for await (const part of runCsv(tx, asked, 'AU', new AbortController().signal))
      lines.push(part.trim().split('\n').length)
  }
  await world.inside(file)
  expect(lines.slice(1)).toEqual([LOT, LOT, ALL - 2 * LOT])
})
