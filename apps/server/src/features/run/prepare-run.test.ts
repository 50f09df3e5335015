import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { statesOf } from '../../../test/messaging.ts'
import { asOwner, mailTo } from '../../../test/people.ts'
import { openingAtTheEnd, openingMeanwhile, sendAll } from '../../../test/sending.ts'
import { prepareOverlooked, prepareRun } from './prepare-run.jobs.ts'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk(undefined, {}, [prepareRun.name])
})
afterAll(() => desk.server.close())

/** A campaign whose messages cannot be written. */
const faulty = (code: string) => disturbed(`raise exception 'no' using errcode = '${code}'`)

/**
 * Activates a campaign; `act` happens before each of its messages is written. @returns its id, the result of writing it, and a function that
 * ends the disturbance
 */
async function disturbed(act: string) {
  const { server } = desk
  const id = await desk.create()
  expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  await asOwner(
    server,
    `create function refuse() returns trigger language plpgsql as $$ begin ${act}; return new; end $$;
     create trigger refuse before insert on message for each row execute function refuse()`,
  )
  const write = async () => {
    const newest = 'select max(r.id) as id from message_run r join campaign c on c.id = r.campaign_id where c.uuid = $1'
    const [run] = await asOwner<{ id: number }>(server, newest, [id])
    const payload = { run_id: Number(run!.id), company_id: desk.world.company.id, country: 'AU' as const }
    return prepareRun.run(payload, server.services).then(
      () => 'done',
      () => 'failed',
    )
  }
  const mend = () => asOwner(server, 'drop function refuse cascade')
  return { id, write, mend, state: async () => (await desk.read(desk.path(id, 'run'))).body.state }
}

it('a full disk or an unavailable database never ends a run: it is written as soon as possible', async () => {
  const { write, mend, state } = await faulty('53100')
  for (let n = 0; n < 5; n++) expect([await write(), await state()]).toEqual(['failed', 'preparing'])
  await mend()
  expect([await write(), await state()]).toEqual(['done', 'holding'])
})

it('a fault of our own ends it at the third try, is reported in the queue, and it can be activated again', async () => {
  const { id, write, mend, state } = await faulty('P0001')
  const seen = []
  for (let n = 0; n < prepareRun.retries + 1; n++) seen.push([await write(), await state()])
  expect(seen).toEqual([
    ['failed', 'preparing'],
    ['failed', 'preparing'],
    ['failed', 'failed'],
  ])
  const [sender] = await asOwner<{ email: string }>(
    desk.server,
    'select email from login where id = (select created_by from message_run order by id desc limit 1)',
  )
  const letters = async () => (await mailTo(desk.server, sender!.email)).map(({ text }) => text)
  await expect.poll(letters, { timeout: 20_000 }).toEqual([expect.stringContaining('could not be sent. The messages')])
  await mend()
  expect((await desk.write(id, 'activate', 'deactivate', { active: false })).status).toBe(200)
  expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  expect([await write(), await state()]).toEqual(['done', 'holding'])
})

it('a run stopped before its messages are written gets them once, stays stopped, and can be resumed', async () => {
  const { id, write, mend, state } = await faulty('P0001')
  await mend()
  expect((await desk.read(desk.path(id, 'stop'))).status).toBe(200)
  // The queue gives a job to another worker as well if it has not heard from the first for long.
  expect([...(await Promise.all([write(), write()])), await state()]).toEqual(['done', 'done', 'stopped'])
  expect((await desk.write(id, 'resume', 'activate')).body.left).toBe(11)
  expect(await state()).toBe('holding')
})

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

it('a run that ends while it is written leaves no messages', async () => {
  const { id, write, mend } = await disturbed(`update message_run set state = 'done' where id = new.run_id`)
  expect(await write()).toBe('done')
  await mend()
  expect(await desk.messages(id)).toEqual([])
})

it('a pharmacy without selected patients has no batch; one where all of them are held back keeps why', async () => {
  const { server, world } = desk
  const optedOut = 'select id from patient where sms_opt_out'
  await asOwner(server, `update patient_fact set adherence_level = 4 where patient_id in (${optedOut})`)
  const id = await desk.create({ filters: { adherence: [4] } })
  await desk.write(id, 'activate', 'activate', { active: true })
  await server.services.queue.work([prepareRun], server.services)
  await desk.prepared(id)
  const batches = await asOwner(
    server,
    'select b.location_id, b.num_patients, b.num_skipped from message_batch b join message_run r on r.id = b.run_id join campaign c on c.id = r.campaign_id where c.uuid = $1',
    [id],
  )
  expect(batches).toEqual([{ location_id: world.locations[0]!.id, num_patients: 1, num_skipped: 1 }])
})

it.each([
  ['while a run is written', ({ server, world }, write) => openingMeanwhile(server, world.company.id, write)],
  ['as its writing ends', ({ server, world }, write) => openingAtTheEnd(server, world, write)],
] satisfies [string, (desk: CampaignDesk, write: () => Promise<unknown>) => Promise<void>][])(
  'hours that change %s apply to it',
  async (_, opening) => {
    const { server, world } = desk
    const id = await desk.create()
    expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
    const [run] = await asOwner<{ id: number }>(server, 'select max(id)::int as id from message_run')
    const payload = { run_id: run!.id, company_id: world.company.id, country: 'AU' as const }
    await opening(desk, () => prepareRun.run(payload, server.services))
    server.clock.offsetMs += 180_000
    await sendAll(server.services)
    expect(Object.keys(await statesOf(server, run!.id))).not.toContain('queued')
  },
)
