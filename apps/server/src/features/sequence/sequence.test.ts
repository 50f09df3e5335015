import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakePhones } from '../../../test/fake-gateway.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, type TestPatient } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeDrug,
  makeSequence,
  setClock,
  tickAt,
} from '../../../test/sequence-world.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { turnRuns } from '../message/lease.queries.ts'
import { SENDER, takeTurn } from '../message/sender.ts'
import { sequenceStats } from './sequence.queries.ts'

let server: TestServer
let phones: FakePhones
let services: Services
const WORKER = '00000000-0000-4000-8000-00000000000a'

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

async function send(): Promise<void> {
  await turnRuns(services.pools.gate, services.now())
  while ((await takeTurn(services, 'sms', WORKER, { ...SENDER, hand: 50 })) === 'sent');
}

/** A pharmacy whose patients have been coming for years and got a new medicine on 1 August. */
async function newMedicine(count = 1, options: Parameters<typeof makeMessagingWorld>[1] = {}) {
  const world = await makeMessagingWorld(server, options)
  const place = world.locations[0]!.id
  const patients = await makePatients(server, place, count)
  const [old, fresh] = [await makeDrug(server, place), await makeDrug(server, place)]
  await dispense(
    server,
    place,
    patients.flatMap(({ id }) => [
      { patientId: id, drugId: old.id, on: '2024-02-01' },
      { patientId: id, drugId: fresh.id, on: '2026-08-01' },
    ]),
  )
  setClock(server, '2026-08-01T10:00:00Z')
  return { world, place, patients, fresh }
}

const textsTo = (patients: readonly TestPatient[]) =>
  [...phones.accepted.values()].filter((text) => patients.some((patient) => patient.sms_to === text.to))

const runsOf = (sequenceId: number) =>
  asOwner<{ day: string; order: number; messages: number }>(
    server,
    `select r.due_day::text as day, u.follow_up_order as "order", (select count(*)::int from message m where m.run_id = r.id) as messages
     from message_run r join follow_up u on u.id = r.follow_up_id where r.sequence_id = $1 order by 1, 2`,
    [sequenceId],
  )

const statsOf = async (world: MessagingWorld, id: number) =>
  (await world.inside((tx) => sequenceStats(tx, world.locations[0]!.id, [id]))).get(id)!

describe('a sequence', () => {
  it('follows a first script up on days 3 and 23, and not on day 35 after a repeat (domain.md section 8)', async () => {
    const { world, place, patients, fresh } = await newMedicine()
    const id = await makeSequence(server, world, [3, 23, 35])
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await afterUploadOf(server, world)).toBe(0)
    // 10:00 in Melbourne is midnight in Greenwich.
    expect(await tickAt(server, '2026-08-03T23:59:59Z')).toBe(0)
    expect(await tickAt(server, '2026-08-04T00:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-08-04T00:01:00Z')).toBe(0)
    await send()
    expect(textsTo(patients)).toHaveLength(1)
    expect(textsTo(patients)[0]!.text).toMatch(/^Hi Ines\. .*\nReply STOP to opt out$/s)
    expect(await tickAt(server, '2026-08-24T00:00:30Z')).toBe(1)
    await send()
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-28' }])
    setClock(server, '2026-08-28T20:00:00Z')
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-09-05T00:00:30Z')).toBe(0)
    await send()
    expect(textsTo(patients)).toHaveLength(2)
    expect(await runsOf(id)).toEqual([
      { day: '2026-08-04', order: 1, messages: 1 },
      { day: '2026-08-24', order: 2, messages: 1 },
    ])
    expect(await asOwner(server, 'select goal_day::text, next_at from enrolment where sequence_id = $1', [id])).toEqual(
      [{ goal_day: '2026-08-28', next_at: null }],
    )
    expect(await statsOf(world, id)).toMatchObject({
      num_messaged: 1,
      num_responded: 1,
      sms: 2,
      sms_sent: 2,
      cents: 24,
    })
  })
})
