import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, it } from 'vitest'
import {
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
  makeTemplate,
} from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Tx } from '../../db/database.ts'
import { replanQueued } from '../sending/rule/replan.queries.ts'
import { endRun, resumeRun, stopRun } from './run-state.queries.ts'

let server: TestServer
let world: MessagingWorld
let campaignId: number
let batches: number[]
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  const text = await makeTemplate(server, world.company.id)
  const of = { locationIds: world.scope.locationIds, templateIds: [text.id] }
  campaignId = (await makeCampaign(server, world.company.id, of)).id
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  const run = await makeRun(server, world, { patients, campaignId })
  // A second text of the same run has a batch of its own.
  await asOwner(
    server,
    `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, body, next_at)
     select location_id, gen_random_uuid(), run_id, company_id, channel, context, 'Another', message_kind, body, next_at
     from message_batch where run_id = $1`,
    [run.id],
  )
  const rows = await asOwner<{ id: number }>(server, 'select id from message_batch where run_id = $1 order by id', [
    run.id,
  ])
  batches = rows.map(({ id }) => id)
})
afterAll(() => server.close())

const now = () => server.services.now()

// A recount locks the batches of a pharmacy in order of id: two transactions that lock in opposite orders end in a deadlock.
it.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['stopping a run', (tx) => stopRun(tx, campaignId, null, now())],
  ['resuming it', (tx) => resumeRun(tx, campaignId, null, now())],
  ['changing sending hours', (tx) => replanQueued(tx, now())],
  ['ending a run', (tx) => endRun(tx, campaignId, now())],
])('%s locks batches in order of id', async (_, work) => {
  // The table then holds the first batch after the second.
  await asOwner(server, "update message_batch set next_at = next_at + interval '1 second' where id = $1", [batches[0]])
  let done: Promise<unknown> | undefined
  await world.inside(async (tx) => {
    const lock = (id: number, how: 'update' | 'update nowait') =>
      sql`select from message_batch where id = ${id} for ${sql.raw(how)}`.execute(tx)
    await lock(batches[0]!, 'update')
    done = world.inside(work)
    await Promise.race([done, wait(300)])
    await lock(batches[1]!, 'update nowait')
  })
  await done
})
