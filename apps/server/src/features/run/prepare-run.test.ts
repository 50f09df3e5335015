import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { asOwner } from '../../../test/people.ts'
import { prepareOverlooked, prepareRun } from './prepare-run.jobs.ts'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk(undefined, {}, [prepareRun.name])
})
afterAll(() => desk.server.close())

it('an activated campaign whose job was given up is still written, and only once', async () => {
  const { server } = desk
  const id = await desk.create()
  expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  await asOwner(server, `update message_run set created_at = created_at - interval '2 minutes'`)
  for (const state of ['created', 'retry', 'active']) {
    await asOwner(server, `update pgboss.job set state = $1 where name = 'prepare-run'`, [state])
    expect([state, await prepareOverlooked(server.services)]).toEqual([state, 0])
  }
  // As after its last try, while message_run could not be written to.
  await asOwner(server, `update pgboss.job set state = 'failed' where name = 'prepare-run'`)
  expect((await desk.read(desk.path(id, 'run'))).body.state).toBe('preparing')
  expect([await prepareOverlooked(server.services), await prepareOverlooked(server.services)]).toEqual([1, 0])
  await server.services.queue.work([prepareRun], server.services)
  expect(await desk.prepared(id)).toMatchObject({ state: 'holding' })
  const states = (await desk.messages(id)).map(({ state }) => state)
  expect(states.filter((state) => state === 'queued')).toHaveLength(11)
  expect(await prepareOverlooked(server.services)).toBe(0)
})
