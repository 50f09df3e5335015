import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport } from '../../../../test/support.ts'
import { untilWaiting } from '../../../../test/waiting.ts'
import { dispense, makeDrug } from '../../../../test/world/sequence-world.ts'
import { recordConsent } from '../../consent/consent-log.queries.ts'
import { NO_SIXTY_DAY } from '../../sixty-day/list.queries.ts'
import { renewFacts } from './facts.queries.ts'

const HALT = 4713
const AS_OF = { dataTo: '2026-03-30', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await asOwner(
    server,
    `create function halt() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${HALT}); return new; end $$;
     create trigger halt after insert on patient_fact for each row execute function halt()`,
  )
})
afterAll(() => server.close())

it('a STOP, a START and an erasure take effect while facts are renewed, and the facts agree with them', async () => {
  const world = await makeMessagingWorld(server)
  const { id: locationId, uuid } = world.locations[0]!
  const people = (await makePatients(server, locationId, 4)).map(({ id }) => id)
  const [known, back, added, erased] = people as [number, number, number, number]
  const drug = await makeDrug(server, locationId)
  const supply = (...ids: number[]) =>
    dispense(
      server,
      locationId,
      ids.map((patientId) => ({ patientId, drugId: drug.id, on: '2026-03-20' })),
    )
  const say = (patientId: number, type: 'stop' | 'start') => {
    const at = server.services.now()
    const entry = { locationId, patientId, at, event: { type }, wording: type.toUpperCase(), source: 'reply' } as const
    return world.inside((tx) => recordConsent(tx, entry, at))
  }
  const renew = () => world.inside((tx) => renewFacts(tx, { locationId, ...AS_OF }))
  await supply(known, back)
  await say(back, 'stop')
  await renew()
  await supply(known, back, added, erased)
  const support = await makeSupport(server)
  const halting = new pg.Client({ connectionString: server.ownerUrl })
  await halting.connect()
  await halting.query(`select pg_advisory_lock(${HALT})`)
  const renewing = renew()
  try {
    await untilWaiting(server)
    await say(known, 'stop')
    await say(back, 'start')
    await say(added, 'stop')
    const [{ number }] = (await asOwner<{ number: string }>(
      server,
      'select source_id as number from patient where id = $1',
      [erased],
    )) as [{ number: string }]
    const asked = { id: world.company.uuid, location_id: uuid, number, last_name: 'Moran', reason: 'Asked in writing' }
    expect(await support.ask(contract.erasure.erasePatient, asked)).toMatchObject({ status: 200 })
  } finally {
    await halting.end()
    await Promise.allSettled([renewing])
  }
  await renewing
  const facts = await asOwner(
    server,
    `select f.patient_id, f.consent & 3 as sms, f.sms_key is null as nameless, f.first_name_units as units
     from patient_fact f where location_id = $1 order by 1`,
    [locationId],
  )
  const OUT = 2
  expect(facts).toEqual([
    { patient_id: known, sms: OUT, nameless: false, units: 4 },
    { patient_id: back, sms: 0, nameless: false, units: 4 },
    { patient_id: added, sms: OUT, nameless: false, units: 4 },
    { patient_id: erased, sms: expect.anything(), nameless: true, units: 0 },
  ])
})
