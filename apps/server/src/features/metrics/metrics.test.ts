import { day, formatDay } from '@pillar/domain/day'
import { periodsOf } from '@pillar/domain/period'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { leakedSlots, measuredPairs, type World } from '../../../test/metrics-oracle.ts'
import { inScope, openPools, type Pools, type Tx } from '../../db/database.ts'
import { createLocation, ensureCompany } from '../location/location.queries.ts'
import { recomputeMetrics } from './metrics.queries.ts'
import { periodCode } from './spans.ts'
import { ensureSubcategories } from './subcategory.queries.ts'

const END = day('2026-11-19')
const START = day('2024-03-01')
const RUNS = process.env.DEEP ? 400 : 25

let pools: Pools
let drop: () => Promise<void>
let company: number

beforeAll(async () => {
  const database = await cloneDatabase(inject('ownerUrl'))
  pools = openPools(database.url, () => {}, 4)
  drop = database.drop
  await ensureSubcategories(pools.app)
  company = (await ensureCompany(pools.gate, { name: 'Test', country: 'AU' })).id
})

afterAll(async () => {
  await pools.close()
  await drop()
})

const MEDICINES = [
  { molecule: 'perindopril', atc: 'C09AA04', chronic: true },
  { molecule: 'ramipril', atc: 'C09AA05', chronic: true },
  { molecule: 'perindopril + amlodipine', atc: 'C09BB04', chronic: true },
  { molecule: 'metformin', atc: 'A10BA02', chronic: true },
  { molecule: 'amoxicillin', atc: 'J01CA04', chronic: false },
]

/** Worlds of a few patients whose supplies bunch, skip, overlap, stop and change, as real ones do. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    people: fc.array(
      fc.record({
        died: fc.option(fc.integer({ min: START, max: END }), { freq: 8 }),
        facility: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    courses: fc.array(
      fc.record({
        person: fc.nat(3),
        medicine: fc.nat(MEDICINES.length - 1),
        start: fc.integer({ min: START, max: END - 20 }),
        gaps: fc.array(
          fc.oneof(
            fc.integer({ min: 24, max: 36 }),
            fc.integer({ min: 0, max: 10 }),
            fc.integer({ min: 50, max: 220 }),
          ),
          { minLength: 1, maxLength: 14 },
        ),
        days: fc.constantFrom(1, 28, 30, 30, 60, 180, 365),
        skip: fc.integer({ min: 1, max: 3 }),
        prescribed: fc.boolean(),
        ceased: fc.option(fc.integer({ min: START, max: END }), { freq: 6 }),
        cents: fc.integer({ min: 0, max: 20_000 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ people, courses }) => worldOf(people, courses))

function worldOf(
  people: { died: number | null; facility: boolean }[],
  courses: {
    person: number
    medicine: number
    start: number
    gaps: number[]
    days: number
    skip: number
    prescribed: boolean
    ceased: number | null
    cents: number
  }[],
): World {
  const world: World = {
    lines: [],
    medicines: MEDICINES,
    people: people.map((one, at) => ({ id: `p${at}`, ...one })),
    prescriptions: [],
  }
  courses.forEach((course, at) => {
    const patient = `p${course.person % people.length}`
    const { molecule } = MEDICINES[course.medicine]!
    if (course.prescribed) world.prescriptions.push({ id: `r${at}`, patient, molecule, ceased: course.ceased })
    let date = course.start
    course.gaps.forEach((gap, n) => {
      if (date <= END) {
        world.lines.push({
          patient,
          molecule,
          day: date,
          days: course.days,
          cents: course.cents + n,
          prescription: course.prescribed ? `r${at}` : null,
          number: course.prescribed ? 1 + n * course.skip : null,
        })
      }
      date += gap
    })
  })
  return world
}

let made = 0

/** Puts a world into a pharmacy of its own, below the upload path: this test is about the sums alone. */
async function store(world: World): Promise<{ id: number }> {
  const { id } = await createLocation(pools.gate, {
    companyId: company,
    name: `Pharmacy ${made++}`,
    country: 'AU',
    time_zone: 'Australia/Sydney',
  })
  await inScope(pools.app, { companyId: company, locationIds: [id] }, async (tx) => {
    for (const medicine of MEDICINES) await storeMedicine(tx, id, medicine)
    for (const person of world.people) {
      await tx
        .insertInto('patient')
        .values({
          location_id: id,
          source: 't',
          source_id: person.id,
          facility: person.facility,
          deceased_on: person.died === null ? null : formatDay(person.died),
        })
        .execute()
    }
    for (const one of world.prescriptions) {
      await sql`insert into prescription (location_id, source, source_id, patient_id, drug_id, ceased_on)
        select ${id}, 't', ${one.id}, p.id, d.id, ${one.ceased === null ? null : formatDay(one.ceased)}::date from patient p, drug d
        where p.location_id = ${id} and p.source_id = ${one.patient} and d.location_id = ${id} and d.source_id = ${one.molecule}`.execute(
        tx,
      )
    }
    for (const [at, line] of world.lines.entries()) {
      await sql`insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, prescription_id, supply_number, days_supply, days_basis, patient_price_cents)
        select ${id}, 't', ${String(at)}, ${formatDay(line.day)}::date, p.id, d.id, (select r.id from prescription r where r.location_id = ${id} and r.source_id = ${line.prescription}), ${line.number}, ${line.days}, 1, ${line.cents}
        from patient p, drug d where p.location_id = ${id} and p.source_id = ${line.patient} and d.location_id = ${id} and d.source_id = ${line.molecule}`.execute(
        tx,
      )
    }
  })
  return { id }
}

async function storeMedicine(tx: Tx, locationId: number, medicine: (typeof MEDICINES)[number]): Promise<void> {
  await sql`insert into subcategory (category_id, name) values (6, ${medicine.molecule}) on conflict do nothing`.execute(
    tx,
  )
  await sql`insert into molecule (key, name, atc, components, chronic, drug_type_id, condition_id, molecule_id)
    select ${medicine.atc}, ${medicine.molecule}, ${medicine.atc}, ${medicine.molecule.split(' + ')}::text[], ${medicine.chronic}, s.id, s.id, s.id
    from subcategory s where s.category_id = 6 and s.name = ${medicine.molecule} on conflict do nothing`.execute(tx)
  await sql`insert into drug (location_id, source, source_id, name, molecule_id, chronic)
    select ${locationId}, 't', ${medicine.molecule}, ${medicine.molecule}, m.id, ${medicine.chronic} from molecule m where m.key = ${medicine.atc}`.execute(
    tx,
  )
}

const recompute = (id: number, dataTo: number, changedFrom: number | null = null) =>
  inScope(pools.app, { companyId: company, locationIds: [id] }, (tx) =>
    recomputeMetrics(
      tx,
      { id, country: 'AU', timeZone: 'Australia/Sydney' },
      { dataTo: formatDay(dataTo), changedFrom: changedFrom === null ? null : formatDay(changedFrom) },
    ),
  )

const stored = (id: number) =>
  inScope(pools.app, { companyId: company, locationIds: [id] }, async (tx) => ({
    totals: await tx.selectFrom('metric_total').selectAll().where('location_id', '=', id).orderBy('period').execute(),
    cells: await tx
      .selectFrom('metric_cell')
      .selectAll()
      .where('location_id', '=', id)
      .orderBy('period')
      .orderBy('category_id')
      .orderBy('subcategory_id')
      .execute(),
    people: await tx
      .selectFrom('patient_measure')
      .selectAll()
      .where('location_id', '=', id)
      .orderBy('patient_id')
      .execute(),
  }))

/** The headline numbers of every period, the slow way. */
function expected(world: World, dataTo: number) {
  const first = Math.min(...world.lines.map((line) => line.day))
  const leaks = leakedSlots(world)
  return periodsOf('AU', dataTo)
    .map((period) => ({ code: periodCode(period), from: period.from, to: Math.min(period.to, dataTo) }))
    .filter((span) => span.to >= first)
    .map(({ code, from, to }) => {
      const lines = world.lines.filter((line) => line.day >= from && line.day <= to)
      const pairs = measuredPairs(world, to, from)
      const pairOf = (line: { patient: string; molecule: string }) =>
        pairs.find((pair) => pair.patient === line.patient && pair.molecule === line.molecule)
      const people = Map.groupBy(pairs, (pair) => pair.patient)
      const values = [...people.values()].map(
        (own) => own.reduce((n, pair) => n + pair.covered, 0) / own.reduce((n, pair) => n + pair.observed, 0) >= 0.8,
      )
      const sum = (of: (pair: (typeof pairs)[number]) => number) => pairs.reduce((n, pair) => n + of(pair), 0)
      return {
        period: code,
        scripts: lines.length,
        revenue_cents: lines.reduce((n, line) => n + line.cents, 0),
        patients: new Set(lines.map((line) => line.patient)).size,
        adherent: values.filter(Boolean).length,
        non_adherent: values.filter((value) => !value).length,
        measured_pairs: pairs.length,
        measured_scripts: lines.filter(pairOf).length,
        adherent_scripts: lines.filter((line) => {
          const pair = pairOf(line)
          return pair && pair.covered / pair.observed >= 0.8
        }).length,
        observed_days: sum((pair) => pair.money.observed),
        covered_days: sum((pair) => pair.money.covered),
        opportunity_cents: sum((pair) => pair.money.cents),
        leaked_slots: leaks.filter((slot) => slot.date >= from && slot.date <= to).length,
      }
    })
    .sort((a, b) => a.period - b.period)
}

describe('stored figures', () => {
  it('equal a count patient by patient and day by day', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { id } = await store(world)
        await recompute(id, END)
        const { totals, cells } = await stored(id)
        const whole = new Map(cells.filter((cell) => cell.category_id === 0).map((cell) => [cell.period, cell]))
        const wanted = expected(world, END)
        const got = totals.map((total) => {
          const cell = whole.get(total.period)
          return {
            period: total.period,
            scripts: total.scripts,
            revenue_cents: total.revenue_cents,
            patients: total.patients,
            adherent: total.adherent,
            non_adherent: total.non_adherent,
            measured_pairs: cell?.measured_pairs ?? 0,
            measured_scripts: cell?.measured_scripts ?? 0,
            adherent_scripts: cell?.adherent_scripts ?? 0,
            observed_days: cell?.observed_days ?? 0,
            covered_days: cell?.covered_days ?? 0,
            opportunity_cents: cell?.opportunity_cents ?? 0,
            leaked_slots: cell?.leaked_slots ?? 0,
          }
        })
        expect(got).toEqual(wanted)
      }),
      { numRuns: RUNS },
    )
  })

  it('add up: the parts of every category are the total', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { id } = await store(world)
        await recompute(id, END)
        const { cells } = await stored(id)
        const fields = [
          'script_count',
          'revenue_cents',
          'measured_pairs',
          'measured_scripts',
          'adherent_scripts',
          'observed_days',
          'covered_days',
          'opportunity_cents',
          'here_slots',
          'leaked_slots',
        ] as const
        const sumOf = (rows: typeof cells) =>
          Object.fromEntries(fields.map((field) => [field, rows.reduce((n, row) => n + row[field], 0)]))
        const byPeriod = Map.groupBy(cells, (cell) => cell.period)
        for (const [period, own] of byPeriod) {
          const byCategory = Map.groupBy(own, (cell) => cell.category_id)
          const sums = [0, 1, 2, 3, 4, 5, 6].map((category) => sumOf(byCategory.get(category) ?? []))
          expect([period, sums]).toEqual([period, Array(7).fill(sums[0])])
        }
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    )
  })

  it('are the same whether a late day was added to them or everything was recomputed', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const cut = END - 3
        const { id } = await store(world)
        await recompute(id, cut)
        await recompute(id, END, END - 30)
        const after = await stored(id)
        await recompute(id, END)
        const whole = await stored(id)
        const since = (rows: { period: number }[]) => rows.filter((row) => row.period >= 202600)
        expect(since(after.totals)).toEqual(since(whole.totals))
        expect(since(after.cells)).toEqual(since(whole.cells))
        expect(after.people).toEqual(whole.people)
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    )
  })
})
