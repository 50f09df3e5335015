import { afterAll, beforeAll, expect, it } from 'vitest'
import { listBatches } from '../../src/features/run/run-admin.queries.ts'
import { makeMessagingWorld, makePatients, makeRun } from '../messaging.ts'
import { asOwner } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { plansOf } from './plans.ts'
import type { Plan } from './visits.ts'

/** Enough batches that reading all of them is not worth it for one page, with a few names between them. */
const BATCHES = 10_000
const NAMES = 20

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  await asOwner(
    server,
    `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, body, created_at)
     select location_id, gen_random_uuid(), run_id, company_id, channel, context, 'Reminder ' || n % $3, message_kind, body, now() - n * interval '1 minute'
     from message_batch, generate_series(1, $2::int) n where run_id = $1`,
    [run.id, BATCHES, NAMES],
  )
  await asOwner(server, 'analyze message_batch')
})
afterAll(() => server.close())

/** A plan and all its parts. */
const steps = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(steps)]

it('a search for batches compares each name once, and reads no more of the batches it finds than a page', async () => {
  const [page] = await plansOf(server, (tx) => listBatches(tx, { page: 1, search_term: 'Reminder' }))
  const all = steps(page!.plan)
  const compared = all
    .filter(({ Filter }) => Filter?.includes('~~*'))
    .map((step) => step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0))
  expect(Math.max(...compared)).toBe(NAMES + 1)
  expect(all.filter((step) => step['Index Name'] === 'message_batch_newest')).toMatchObject([{ 'Actual Rows': 20 }])
})
