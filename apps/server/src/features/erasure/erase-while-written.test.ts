import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'
import { asOwner } from '../../../test/people.ts'
import { makeSupport } from '../../../test/support.ts'
import { afterUploadOf, makeSequence, newMedicine, tickAt } from '../../../test/world/sequence-world.ts'
import { prepareRun } from '../run/prepare-run.jobs.ts'

const WRITING = 'Messages of this pharmacy are being written. Nothing was erased; try again in a few minutes.'
const HALT = 4711

let desk: CampaignDesk
let support: Awaited<ReturnType<typeof makeSupport>>
beforeAll(async () => {
  desk = await openDesk(undefined, {}, [prepareRun.name])
  support = await makeSupport(desk.server)
  await asOwner(
    desk.server,
    `create function halt() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${HALT}); return new; end $$;
     create trigger halt after insert on message for each row execute function halt()`,
  )
})
afterAll(() => desk.server.close())

/** Requests a patient's erasure after `write` has written its messages but before it commits, and again afterwards. @returns the two answers */
async function erasedDuring(patientId: number, write: () => Promise<unknown>) {
  const { server } = desk
  const [one] = await asOwner<{ company: string; location: string; number: string }>(
    server,
    `select c.uuid as company, l.uuid as location, p.source_id as number from patient p
     join location l on l.id = p.location_id join company c on c.id = l.company_id where p.id = $1`,
    [patientId],
  )
  const { company, location, number } = one!
  const erase = async () => {
    const asked = { id: company, location_id: location, number, last_name: 'Moran', reason: 'Asked in writing' }
    const { status, body } = await support.ask(contract.erasure.erasePatient, asked)
    return [status, body.message]
  }
  const halting = new pg.Client({ connectionString: server.ownerUrl })
  await halting.connect()
  try {
    await halting.query(`select pg_advisory_lock(${HALT})`)
    const writing = write()
    const waits = `select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = ${HALT} and not granted`
    await expect.poll(async () => (await halting.query(waits)).rows[0].n, { timeout: 10_000 }).toBe(1)
    const first = await erase()
    await halting.query(`select pg_advisory_unlock(${HALT})`)
    await writing
    return [first, await erase()]
  } finally {
    await halting.end()
  }
}

const written = (patientId: number) =>
  asOwner(desk.server, 'select state, body, contact from message where patient_id = $1', [patientId])
const REFUSED_THEN_DONE = [
  [409, WRITING],
  [200, undefined],
]
const GONE = [{ state: 'skipped', body: null, contact: null }]

it('nobody is erased while a campaign including them is being written: its messages would keep their name and number', async () => {
  const { server } = desk
  const id = await desk.create()
  expect((await desk.write(id, 'activate', 'activate', { active: true })).status).toBe(200)
  const [{ data }] = (await asOwner<{ data: unknown }>(
    server,
    `select data from pgboss.job where name = 'prepare-run'`,
  )) as [{ data: unknown }]
  const [{ id: patient }] = (await asOwner<{ id: number }>(
    server,
    `update patient set last_name = 'Moran' where id = (select min(id) from patient where location_id = $1 and sms_to is not null) returning id`,
    [desk.world.locations[0]!.id],
  )) as [{ id: number }]
  const answers = await erasedDuring(patient, () => prepareRun.run(prepareRun.payload.parse(data), server.services))
  expect(await written(patient)).toEqual(GONE)
  expect(answers).toEqual(REFUSED_THEN_DONE)
})

it('nor while a follow-up to them is being written', async () => {
  const { server } = desk
  const { world, patients } = await newMedicine(server, 1)
  await makeSequence(server, world, [3])
  expect(await afterUploadOf(server, world)).toBe(1)
  const [one] = patients
  const answers = await erasedDuring(one!.id, () => tickAt(server, '2026-08-04T10:00:00Z'))
  expect(await written(one!.id)).toEqual(GONE)
  expect(answers).toEqual(REFUSED_THEN_DONE)
})
