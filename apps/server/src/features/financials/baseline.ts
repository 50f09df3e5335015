import {
  type AverageCell,
  type AverageSums,
  cellOver,
  coverageOf,
  monthsIn,
} from '@pillar/domain/average/average-period'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { Period } from '@pillar/domain/time/period'
import type { Tx } from '../../db/database.ts'
import { readLastRun, readPublished } from '../average/average.queries.ts'
import { periodCode } from '../metrics/spans.ts'

/** The company that compares itself with the others. */
export interface Asker {
  companyId: number
  country: Country
}

/** The product average for a period and category, as this company may see it. */
export interface Baseline {
  /** Cells by subcategory id, 0 for the total; null if there is none. */
  cells: ReadonlyMap<number, AverageCell> | null
  /** The fewest pharmacies behind any of its months. */
  pharmacies: number
  /** The months it covers, ISO; null if there is none. */
  from: string | null
  to: string | null
  /** Why there is none; null if there is one. */
  reason: string | null
}

const NO_CELLS = { cells: null, pharmacies: 0, from: null, to: null }

/** Reads what has been published for a period: all its due months, or nothing if one of them is missing. */
export async function readBaseline(
  tx: Tx,
  { companyId, country }: Asker,
  period: Period,
  category: number,
  today: Day,
): Promise<Baseline> {
  const every = monthsIn(country, period)
  const rows = await readPublished(tx, companyId, [...every.map(periodCode), periodCode(period)], category)
  const groups = Map.groupBy(rows, (row) => `${row.period} ${row.subcategory_id}`)
  const of = (one: Period, subcategory: number): AverageSums[] => groups.get(`${periodCode(one)} ${subcategory}`) ?? []
  const isShown = (month: Period) => of(month, 0).some((group) => group.script_count !== null)
  const covered = coverageOf(country, period, today, isShown, await readLastRun(tx, companyId))
  if ('reason' in covered) return { ...NO_CELLS, reason: covered.reason }
  const { months } = covered
  const ended = period.kind !== 'month' && months.length === every.length
  const cells = new Map<number, AverageCell>()
  for (const id of new Set(rows.map((row) => row.subcategory_id))) {
    const parts = months.map((month) => of(month, id))
    cells.set(id, cellOver(parts, ended ? of(period, id) : null))
  }
  return {
    cells,
    pharmacies: Math.min(...months.map((month) => pharmaciesIn(of(month, 0)))),
    from: formatDay(months[0]!.from),
    to: formatDay(months.at(-1)!.to),
    reason: null,
  }
}

const pharmaciesIn = (groups: readonly AverageSums[]) =>
  groups.reduce((sum, group) => sum + (group.script_count === null ? 0 : group.pharmacies), 0)
