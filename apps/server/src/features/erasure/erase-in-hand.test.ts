import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRun, statesOf } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { afterUploadOf, makeSequence, newMedicine } from '../../../test/world/sequence-world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('nobody is erased while a message to them is being sent; afterwards follow-ups and queued messages end', async () => {
  const { world, place, patients } = await newMedicine(server, 2)
  await makeSequence(server, world, [3])
  expect(await afterUploadOf(server, world)).toBe(2)
  const [one, other] = patients
  const followed = async () =>
    (
      await asOwner<{ patient_id: number }>(
        server,
        'select patient_id from enrolment where location_id = $1 and next_at is not null order by 1',
        [place],
      )
    ).map(({ patient_id }) => patient_id)
  expect(await followed()).toEqual([one!.id, other!.id])
  const run = await makeRun(server, world, { patients: [one!] })
  const support = await makeSupport(server)
  const [row] = await asOwner<{ number: string }>(server, 'select source_id as number from patient where id = $1', [
    one!.id,
  ])
  const erase = () =>
    support.ask(contract.erasure.erasePatient, {
      ...{ id: world.company.uuid, location_id: world.locations[0]!.uuid, number: row!.number, last_name: 'Moran' },
      reason: 'Asked in writing',
    })
  const standing = (what: string) => asOwner(server, `update message set ${what} where run_id = $1`, [run.id])
  for (const onItsWay of [`state = 'sending'`, `state = 'unknown', lease_until = now() + interval '1 minute'`]) {
    await standing(onItsWay)
    const { status, body } = await erase()
    expect([onItsWay, status, body.message]).toEqual([
      ...[onItsWay, 409, 'A message to this person is on its way. Nothing was erased; try again in a minute.'],
    ])
  }
  await standing(`state = 'queued', lease_until = null`)
  expect((await erase()).status).toBe(200)
  expect(await statesOf(server, run.id)).toEqual({ 'skipped opted_out': 1 })
  expect(await followed()).toEqual([other!.id])
})
