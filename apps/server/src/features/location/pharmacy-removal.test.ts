import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'

const { info, remove, removed, restore } = contract.locationAdmin
let server: TestServer
let support: Support
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())

const make = (name?: string) => makeLocation(server, world.company.id, name)
const rows = (text: string, values: unknown[]) => asOwner(server, text, values)
const listed = async (id = world.company.uuid) => (await support.ask(removed, { id })).body.data.map(({ uuid }) => uuid)

it('a pharmacy that a campaign or an upload needs is not removed, and both are named', async () => {
  const { id, uuid, name } = await make()
  await rows(
    `with c as (insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active, removed_at)
       values (gen_random_uuid(), $1, 'c', 'scripts', 'target', 1, true, null), (gen_random_uuid(), $1, 'd', 'scripts', 'target', 1, false, null),
         (gen_random_uuid(), $1, 'e', 'scripts', 'target', 1, true, now()) returning id)
     insert into campaign_location (campaign_id, company_id, location_id) select id, $1, $2 from c`,
    [world.company.id, id],
  )
  await rows(
    `insert into upload (uuid, location_id, etl_state, data_source)
     values (gen_random_uuid(), $1, 'RECEIVED', 'fred'), (gen_random_uuid(), $1, 'ERROR', 'fred')`,
    [id],
  )
  expect(refusal(await support.ask(remove, { uuid }))).toEqual([
    409,
    `${name} still has 1 active campaign and 1 upload in its queue. Please deactivate, stop or delete them first.`,
  ])
  await rows('update campaign set active = false where company_id = $1', [world.company.id])
  await rows(`update upload set etl_state = 'COMPLETED' where location_id = $1`, [id])
  expect((await support.ask(remove, { uuid })).status).toBe(200)
})

it('a pharmacy that still has texts to send is not removed, until they are sent or stopped', async () => {
  const [place] = world.locations as [MessagingWorld['locations'][0]]
  const run = await makeRun(server, world, { patients: await makePatients(server, place.id, 2), state: 'sending' })
  const ask = async () => (await support.ask(remove, { uuid: place.uuid })).body.message
  const waits = `${place.name} still has 1 unfinished send. Please deactivate, stop or delete them first.`
  const batch = (columns: string) => rows(`update message_batch set ${columns} where run_id = $1`, [run.id])
  await batch('num_queued = 1, num_sending = 0')
  expect(await ask()).toBe(waits)
  await batch('num_queued = 0, num_sending = 1')
  expect(await ask()).toBe(waits)
  await rows(`update message_run set state = 'failed', ended_at = now() where id = $1`, [run.id])
  expect(await ask()).toBeUndefined()
})

it('a removal frees the name and can be undone for 30 days', async () => {
  const made = await make()
  const before = (await support.ask(info, { id: made.uuid })).body
  expect((await support.ask(remove, { uuid: made.uuid })).body).toEqual({ removed: true })
  expect((await support.ask(info, { id: made.uuid })).status).toBe(404)
  expect(await listed()).toContain(made.uuid)
  expect((await support.ask(removed, { id: made.uuid })).status).toBe(404)
  const unknown = [404, 'That pharmacy was not found.']
  expect(refusal(await support.ask(remove, { uuid: made.uuid }))).toEqual(unknown)
  expect((await support.ask(restore, { uuid: made.uuid })).body).toEqual(before)
  expect(refusal(await support.ask(restore, { uuid: made.uuid }))).toEqual(unknown)
  await support.ask(remove, { uuid: made.uuid })
  const other = await make(made.name)
  expect((await support.ask(restore, { uuid: made.uuid })).status).toBe(409)
  await support.ask(remove, { uuid: other.uuid })
  await rows(`update location set removed_at = removed_at - interval '30 days' where uuid = $1`, [made.uuid])
  expect(refusal(await support.ask(restore, { uuid: made.uuid }))).toEqual([
    409,
    `${made.name} was removed more than 30 days ago and cannot be restored.`,
  ])
  expect(await listed()).not.toContain(made.uuid)
})

it('the list of removed pharmacies covers one company, the latest first', async () => {
  const { company } = await makeMessagingWorld(server)
  const [one, two] = [await makeLocation(server, company.id), await makeLocation(server, company.id)]
  for (const { uuid } of [one, two]) await support.ask(remove, { uuid })
  expect(await listed(company.uuid)).toEqual([two.uuid, one.uuid])
  await rows(`update location set removed_at = removed_at - interval '1 day' where id = $1`, [two.id])
  expect(await listed(company.uuid)).toEqual([one.uuid, two.uuid])
})
