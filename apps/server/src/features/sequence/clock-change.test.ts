import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeDrug,
  makeSequence,
  setClock,
} from '../../../test/world/sequence-world.ts'
import { tickSequences } from './sequence.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A first script two days before a clock change, and ten o'clock on the pharmacy's clock one and three days after it. */
const CHANGES = [
  ['Australia/Sydney', '2026-10-02', '2026-10-03T00:00Z', '2026-10-04T23:00Z'],
  ['Australia/Sydney', '2027-04-02', '2027-04-02T23:00Z', '2027-04-05T00:00Z'],
  ['Europe/London', '2026-10-23', '2026-10-24T09:00Z', '2026-10-26T10:00Z'],
  ['Europe/London', '2027-03-26', '2027-03-27T10:00Z', '2027-03-29T09:00Z'],
  ['America/New_York', '2026-10-30', '2026-10-31T14:00Z', '2026-11-02T15:00Z'],
  ['America/New_York', '2027-03-12', '2027-03-13T15:00Z', '2027-03-15T14:00Z'],
] as const
/** How far one worker's clock is ahead of the other's, in milliseconds. */
const APART = 600_000
const DECIDED = ['1: sms queued', '1: sms queued', '2: sms queued', '2: sms queued']

it.each(CHANGES)(
  'two workers whose clocks differ decide each follow-up once, at ten in %s after a first script on %s',
  async (zone, on, ...due) => {
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    await asOwner(server, 'update location set time_zone = $1 where id = $2', [zone, place])
    const patients = await makePatients(server, place, 2)
    const [old, drug] = [await makeDrug(server, place), await makeDrug(server, place)]
    await dispense(
      server,
      place,
      patients.flatMap(({ id: patientId }) => [
        { patientId, drugId: old.id, on: '2024-02-01' },
        { patientId, drugId: drug.id, on },
      ]),
    )
    const id = await makeSequence(server, world, [1, 3])
    setClock(server, `${on}T16:00Z`)
    expect(await afterUploadOf(server, world, 0, zone)).toBe(2)
    /** Both workers look, when the clock of the second one shows this; that of the first one is ahead. */
    const tick = async (at: number) => {
      setClock(server, new Date(at).toISOString())
      const { services } = server
      const ahead = { ...services, now: () => new Date(services.now().getTime() + APART) }
      const queued = await Promise.all([tickSequences(ahead), tickSequences(services)])
      return queued[0] + queued[1]
    }
    for (const time of due) {
      const ten = new Date(time).getTime()
      expect(await tick(ten - APART - 5_000)).toBe(0)
      expect(await tick(ten - 5_000)).toBe(2)
      expect(await tick(ten + 5_000)).toBe(0)
    }
    expect(await decisionsOf(server, id)).toEqual(DECIDED)
  },
)
