import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { multiply, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

const LEFT = 50
let server: TestServer
let world: MessagingWorld
let runId: number
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  runId = (await makeRun(server, world, { patients })).id
  await multiply(server, { id: runId }, MOST_MOVED + LEFT)
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, `update message set planned_at = now() - interval '1 minute'`))

const due = async () => {
  const [row] = await asOwner<{ n: number }>(
    server,
    `select count(*)::int as n from message where run_id = $1 and state = 'queued' and planned_at <= now()`,
    [runId],
  )
  return row!.n
}

it('thousands of messages of one pharmacy are put off or skipped turn by turn, and none is left over', async () => {
  const quiet = `insert into messaging_setting (company_id, cap_messages, cap_hours, week, holidays_quiet)
    values ($1, 2, 168, (select jsonb_agg(jsonb_build_array((current_time > '12:00')::int * 0 + a, a + 1)) from generate_series(1, 7) d, (values (0)) v(a)), false)
    on conflict (company_id) do update set week = excluded.week`
  await asOwner(server, quiet, [world.company.id])
  expect(await turn(server.services)).toBe('sent')
  expect(await due()).toBe(LEFT)
  expect(await turn(server.services)).toBe('sent')
  expect(await due()).toBe(0)
  await asOwner(server, `update message set planned_at = now() - interval '1 minute'`)
  await asOwner(server, `update message_batch set next_at = now() - interval '1 minute'`)
  await asOwner(server, `update message_run set ends_at = now() + interval '1 second' where id = $1`, [runId])
  expect(await turn(server.services)).toBe('sent')
  expect(await statesOf(server, runId)).toEqual({ queued: LEFT, 'skipped quiet_hours': MOST_MOVED })
  expect(await turn(server.services)).toBe('sent')
  expect(await statesOf(server, runId)).toEqual({ 'skipped quiet_hours': MOST_MOVED + LEFT })
})
