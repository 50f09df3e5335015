import { formatDay } from '@pillar/domain/time/day'
import { periodsOf } from '@pillar/domain/time/period'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { leakedSlots, measuredPairs, type World } from '../../../test/world/metrics-oracle.ts'
import { END, store, worlds } from '../../../test/world/metrics-world.ts'
import { openPools, type Pools } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { ensureCompany } from '../location/location.queries.ts'
import { recomputeMetrics } from './metrics.queries.ts'
import { periodCode } from './spans.ts'
import { ensureSubcategories } from './subcategory.queries.ts'

const RUNS = process.env.DEEP ? 400 : 25

let pools: Pools
let drop: () => Promise<void>
let company: number

beforeAll(async () => {
  const database = await cloneDatabase(inject('ownerUrl'))
  pools = openPools(database.url, () => {}, 4)
  drop = database.drop
  await ensureSubcategories(pools.app)
  company = (await ensureCompany(pools.system, { name: 'Test', country: 'AU' })).id
})

afterAll(async () => {
  await pools.close()
  await drop()
})

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
        const { id } = await store(pools, company, world)
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

  it('add up: the parts of every category make the total', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { id } = await store(pools, company, world)
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

  it('are the same whether a late day is added or everything is recomputed', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const cut = END - 3
        const { id } = await store(pools, company, world)
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
