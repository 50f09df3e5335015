import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { dispense, makeDrug } from '../../../../test/world/sequence-world.ts'
import { NO_SIXTY_DAY } from '../../sixty-day/list.queries.ts'
import { matches } from '../selection.queries.ts'
import { renewFacts } from './facts.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a patient is active for 12 months, and takes a medicine until exactly 30 days after it has run out', async () => {
  const world = await makeMessagingWorld(server)
  const locationId = world.locations[0]!.id
  const people = (await makePatients(server, locationId, 5)).map(({ id }) => id)
  const [a, b] = [await makeDrug(server, locationId), await makeDrug(server, locationId)]
  const [gone, back, runsOut, ranOut, both] = people as [number, number, number, number, number]
  await dispense(server, locationId, [
    { patientId: gone, drugId: a.id, on: '2025-03-30' },
    { patientId: back, drugId: a.id, on: '2025-03-31' },
    // The last covered day is 28 February, 30 days before the end of the data, or the day before.
    { patientId: runsOut, drugId: a.id, on: '2026-02-01', days: 28 },
    { patientId: ranOut, drugId: a.id, on: '2026-01-31', days: 28 },
    { patientId: both, drugId: a.id, on: '2025-03-30' },
    { patientId: both, drugId: b.id, on: '2025-03-31', days: 335 },
  ])
  const asOf = { dataTo: '2026-03-30', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }
  await world.inside((tx) => renewFacts(tx, { locationId, ...asOf }))
  const facts = await asOwner<{ patient_id: number; molecules: number; molecule_ids: number[] }>(
    server,
    'select patient_id, molecules, molecule_ids from patient_fact where location_id = $1 order by patient_id',
    [locationId],
  )
  expect(facts.map(({ patient_id, molecules }) => [patient_id, molecules])).toEqual([
    [back, 0],
    [runsOut, 1],
    [ranOut, 0],
    [both, 1],
  ])
  // Only medicines supplied in these months count.
  expect(facts.at(-1)!.molecule_ids.map(Number)).toEqual([b.moleculeId])
})

it('supplies collected early or all at once are used one after the other, as in adherence', async () => {
  const world = await makeMessagingWorld(server)
  const locationId = world.locations[0]!.id
  const people = (await makePatients(server, locationId, 5)).map(({ id }) => id)
  const drug = await makeDrug(server, locationId)
  const [stock, early, late, gap, old] = people as [number, number, number, number, number]
  const supplies = (patientId: number, ...given: [on: string, days: number][]) =>
    given.map(([on, days]) => ({ patientId, drugId: drug.id, on, days }))
  await dispense(server, locationId, [
    // All repeats at once, for 180 days.
    ...supplies(stock, ...Array.from({ length: 6 }, (): [string, number] => ['2025-10-15', 30])),
    // Twenty days early: covered until 1 March. Nineteen days late: until 26 February.
    ...supplies(early, ['2026-01-01', 30], ['2026-01-11', 30]),
    ...supplies(late, ['2025-12-10', 30], ['2026-01-28', 30]),
    // A year's supply that ran out before the next one carries over nothing.
    ...supplies(gap, ['2025-01-10', 365], ['2026-01-20', 30]),
    // A supply from before the twelve months: covered for a year, then for 30 days more.
    ...supplies(old, ['2025-02-20', 365], ['2025-04-05', 30]),
  ])
  const asOf = { dataTo: '2026-03-30', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }
  await world.inside((tx) => renewFacts(tx, { locationId, ...asOf }))
  const facts = await asOwner<{ patient_id: number; molecules: number }>(
    server,
    'select patient_id, molecules from patient_fact where location_id = $1 order by patient_id',
    [locationId],
  )
  expect(facts.map(({ patient_id, molecules }) => [patient_id, molecules])).toEqual([
    [stock, 1],
    [early, 1],
    [late, 0],
    [gap, 0],
    [old, 1],
  ])
})

it('supplies carry over from the two years that adherence looks at, and from no day before', async () => {
  const world = await makeMessagingWorld(server)
  const locationId = world.locations[0]!.id
  const [first, before] = (await makePatients(server, locationId, 2)).map(({ id }) => id) as [number, number]
  const drug = await makeDrug(server, locationId)
  // Two years' supply at once, 729 or 730 days before the end of the data; collected again in the last twelve months.
  const supplies = (patientId: number, on: string) => [
    ...[on, on].map((day) => ({ patientId, drugId: drug.id, on: day, days: 365 })),
    { patientId, drugId: drug.id, on: '2025-09-01', days: 1 },
  ]
  await dispense(server, locationId, [...supplies(first, '2024-03-31'), ...supplies(before, '2024-03-30')])
  const asOf = { dataTo: '2026-03-30', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }
  await world.inside((tx) => renewFacts(tx, { locationId, ...asOf }))
  const facts = await asOwner<{ patient_id: number; molecules: number }>(
    server,
    'select patient_id, molecules from patient_fact where location_id = $1 order by patient_id',
    [locationId],
  )
  expect(facts.map(({ patient_id, molecules }) => [patient_id, molecules])).toEqual([
    [first, 1],
    [before, 0],
  ])
})

it('a medicine a doctor has ended cannot move to 60 days, unless another prescription continues', async () => {
  const world = await makeMessagingWorld(server)
  const locationId = world.locations[0]!.id
  const people = (await makePatients(server, locationId, 5)).map(({ id }) => id)
  const drug = await makeDrug(server, locationId)
  const [goes, ended, endsLater, again, replaced] = people as [number, number, number, number, number]
  const supply = (patientId: number, on: string, ceasedOn: string | null = null) => ({
    ...{ patientId, drugId: drug.id, on, ceasedOn },
  })
  await dispense(server, locationId, [
    supply(goes, '2026-03-20'),
    supply(ended, '2026-03-20', '2026-03-30'),
    supply(endsLater, '2026-03-20', '2026-03-31'),
    supply(again, '2026-02-20', '2026-03-01'),
    supply(again, '2026-03-20'),
    supply(replaced, '2026-03-20', '2026-03-20'),
    supply(replaced, '2026-03-20'),
  ])
  await asOwner(server, `update drug set pbs_code = '1234A' where id = $1`, [drug.id])
  const sixtyDay = { ...NO_SIXTY_DAY, items: ['1234A'] }
  const asOf = { dataTo: '2026-03-30', sixtyDay, thirtyDayMost: 45, distances: [] }
  await world.inside((tx) => renewFacts(tx, { locationId, ...asOf }))
  const facts = await asOwner<{ patient_id: number; molecules: number; double_dispensing: boolean }>(
    server,
    'select patient_id, molecules, double_dispensing from patient_fact where location_id = $1 order by patient_id',
    [locationId],
  )
  // A medicine still at home counts among those taken.
  expect(facts.map((one) => [one.patient_id, one.molecules, one.double_dispensing])).toEqual([
    [goes, 1, true],
    [ended, 1, false],
    [endsLater, 1, true],
    [again, 1, true],
    [replaced, 1, true],
  ])
})

it('distances are measured in the country’s own unit', () => {
  const asked = (country: 'AU' | 'US') => {
    const question = { filters: { distance_from_store: ['0-5'] }, country, locations: [] }
    const condition = matches(question as unknown as Parameters<typeof matches>[0], { types: null, molecules: null })
    return condition.compile(server.services.pools.app).sql
  }
  expect(asked('AU')).toContain('f."distance_km" < 5::float8')
  expect(asked('US')).toContain('f."distance_km" < 8.04672::float8')
})
