import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { dispense, makeDrug } from '../../../test/world/sequence-world.ts'
import { writeRecord } from '../../../test/world/shops.ts'
import type { Services } from '../../api/context.ts'
import { advanceRuns } from '../sending/lease.queries.ts'

let server: TestServer
let services: Services
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway(), bulkEmail: new FakePhones().gateway() as never }
  support = await makeSupport(server)
})
afterAll(() => server.close())

const HELD = { 'skipped deceased_elsewhere': 1 }
const SENT = { sent: 1 }

interface Shops {
  world: MessagingWorld
  /** Mary's record at each pharmacy; the second one alone says that she has died. */
  here: TestPatient
  there: TestPatient
}

async function twoShops(): Promise<Shops> {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [here, there] = await Promise.all(
    world.locations.map(async ({ id }) => (await makePatients(server, id, 1))[0] as TestPatient),
  )
  const shops = { world, here: here!, there: there! }
  await writes(shops, 'here', { died: false })
  await writes(shops, 'there', { died: true })
  return shops
}

/** An upload of one of the two pharmacies. */
const writes = (
  { world, ...records }: Shops,
  at: 'here' | 'there',
  { died, name = 'Mary' }: { died: boolean; name?: string },
) => writeRecord(server, world.company.id, records[at], { name, died })

type Run = Parameters<typeof makeRun>[2]
/** The outcome of a message that waits for the patient of the first pharmacy. */
async function outcome({ world, here }: Shops, more: Partial<Run> = {}, meanwhile = async () => {}) {
  const run = await makeRun(server, world, { patients: [here], ...more })
  await advanceRuns(services.pools.system, services.now())
  await meanwhile()
  await sendAll(services, {}, more.channel)
  return statesOf(server, run.id)
}

describe('whoever one pharmacy records as deceased', () => {
  it.each([
    { context: 'campaign' },
    { context: 'campaign', channel: 'email' },
    { context: 'sequence' },
    { context: 'trial' },
    { context: 'communication' },
  ] as const)('gets no message of another: %o', async (more) => {
    expect(await outcome(await twoShops(), more)).toEqual(HELD)
  })

  it('gets no message that was queued before the death was known', async () => {
    const shops = await twoShops()
    await writes(shops, 'there', { died: false })
    expect(await outcome(shops, {}, () => writes(shops, 'there', { died: true }))).toEqual(HELD)
  })

  it('gets messages again once the death is withdrawn, or turns out to be another person’s', async () => {
    const shops = await twoShops()
    await writes(shops, 'there', { died: false })
    expect(await outcome(shops)).toEqual(SENT)
    await writes(shops, 'there', { died: true, name: 'Maud' })
    expect(await outcome(shops)).toEqual(SENT)
    await writes(shops, 'there', { died: true })
    expect(await outcome(shops)).toEqual(HELD)
  })

  it('is held back at a pharmacy that has the person twice, and where only a third pharmacy’s record connects the two', async () => {
    const shops = await twoShops()
    const { world, here, there } = shops
    const [again] = await makePatients(server, here.locationId, 1)
    await writeRecord(server, world.company.id, again!, { name: 'Mary', died: false })
    for (const patient of [here, again!]) expect(await outcome({ ...shops, here: patient })).toEqual(HELD)
    await writes(shops, 'there', { died: true, name: 'Maud' })
    expect(await outcome(shops)).toEqual(SENT)
    const join = "insert into person_link select location_id, id, 'one person' from patient where id = any($1)"
    await asOwner(server, join, [[here.id, there.id]])
    expect(await outcome(shops)).toEqual(HELD)
  })

  it('is held back for the pharmacy’s own record first, and the answer to a STOP still goes', async () => {
    const shops = await twoShops()
    const confirm = () =>
      asOwner(server, `update message_batch set message_kind = 'confirmation' where company_id = $1`, [
        shops.world.company.id,
      ])
    expect(await outcome(shops, { context: 'communication' }, async () => void (await confirm()))).toEqual(SENT)
    await writes(shops, 'here', { died: true })
    expect(await outcome(shops)).toEqual({ 'skipped deceased': 1 })
  })

  it('is still held back once that pharmacy is removed, until they are supplied something after that day', async () => {
    const shops = await twoShops()
    const { here, there, world } = shops
    const uuid = world.locations[1]!.uuid
    expect((await support.ask(contract.locationAdmin.remove, { uuid })).status).toBe(200)
    expect(await outcome(shops)).toEqual(HELD)
    const [died] = await asOwner<{ on: string }>(
      server,
      'select deceased_on::text as "on" from patient where location_id = $1 and id = $2',
      [there.locationId, there.id],
    )
    const drug = await makeDrug(server, here.locationId)
    const supply = { patientId: here.id, drugId: drug.id, on: died!.on }
    await dispense(server, here.locationId, [supply, { ...supply, on: '2026-11-30', reversed: true }])
    expect(await outcome(shops)).toEqual(HELD)
    await dispense(server, here.locationId, [{ ...supply, on: '2026-11-29' }])
    expect(await outcome(shops)).toEqual(SENT)
    // An open pharmacy can withdraw it, and must.
    expect((await support.ask(contract.locationAdmin.restore, { uuid })).status).toBe(200)
    await writes(shops, 'there', { died: true })
    expect(await outcome(shops)).toEqual(HELD)
  })

  it('is known so to that company alone, also when a pharmacy moves', async () => {
    const shops = await twoShops()
    const { world } = shops
    const rival = await makeCompany(server)
    const [, there] = world.locations
    expect(await outcome(shops)).toEqual(HELD)
    const move = { company_id: rival.uuid, import_pharmacy_id: there!.uuid }
    expect((await support.ask(contract.locationImport.run, move)).status).toBe(200)
    expect(await outcome(shops)).toEqual(SENT)
  })
})
