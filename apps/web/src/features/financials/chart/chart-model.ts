import { OTHERS, TOTAL } from '@pillar/domain/dispensing/category'
import { changeIn } from '@pillar/domain/figure/cell-text'
import {
  byName,
  type CellFigures,
  isShare,
  NAME_FIELD,
  SHARE_NOUNS,
  type Statistic,
  shareOf,
  statisticValue,
  TOO_FEW,
} from '@pillar/domain/figure/format'
import { MIN_SURE_N } from '@pillar/domain/figure/interval'
import type { HeatCell, HeatRow } from '../../../kit/chart/draw/heat-map.ts'
import type { RankedRow } from '../../../kit/chart/draw/ranked-bars.ts'
import { shortId } from '../../../shared/paths.ts'
import type { Filters } from '../search.ts'
import type { PharmacyRow, TableReply } from '../table/table-model.ts'

/** A statistic's value in a cell, in its own unit: money, a count, a fraction 0..1. Null if it may not be shown. */
export function figureIn(statistic: Statistic, cell: CellFigures | undefined): number | null {
  if (!cell) return null
  const share = shareOf(statistic, cell)
  if (share) return share.value
  return statistic === 'Revenue' ? cell.revenue_value : cell.script_count
}

/** Whether a share has fewer than 30 observations: shown hollow, and never as the first or the last. */
export function isUnsure(statistic: Statistic, cell: CellFigures | undefined): boolean {
  const share = cell && shareOf(statistic, cell)
  return share != null && share.value !== null && share.n !== null && share.n < MIN_SURE_N
}

/** A caution about a cell: too few, only so many, late, no figure. */
function noteOf(statistic: Statistic, cell: CellFigures | undefined): string | undefined {
  const share = cell && shareOf(statistic, cell)
  if (!share || share.n === null) return undefined
  if (share.value === null) return share.n > 0 ? TOO_FEW : undefined
  return share.n < MIN_SURE_N ? `only ${share.n} ${SHARE_NOUNS[statistic]}` : undefined
}

/** The pharmacies of an answer in the table's order: by a column's figure, with those without one last, or by name. */
export function ranked(
  pharmacies: readonly PharmacyRow[],
  statistic: Statistic,
  { field, order }: Filters['sort'],
): PharmacyRow[] {
  const turn = order === 'asc' ? 1 : -1
  const named = byName(pharmacies)
  if (field === NAME_FIELD) return turn > 0 ? named : named.reverse()
  const value = ({ cells }: PharmacyRow) => statisticValue(statistic, cells[field])
  return named.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return turn * (one - other)
  })
}

/** The same pharmacies with the largest fall from last year first; those without a comparison come last, in their present order. */
export function byChange(rows: readonly PharmacyRow[], statistic: Statistic, field: string): PharmacyRow[] {
  const change = (row: PharmacyRow) => lastYearOf(row, statistic, field).change ?? Number.POSITIVE_INFINITY
  return rows.toSorted((a, b) => {
    const [one, other] = [change(a), change(b)]
    return one === other ? 0 : one - other
  })
}

/** A bar's change from last year, and its value then; nothing for a share of few observations, or without a comparison. */
function lastYearOf(
  { cells, changes }: PharmacyRow,
  statistic: Statistic,
  field: string,
): Pick<RankedRow, 'before' | 'change' | 'notable'> {
  const value = figureIn(statistic, cells[field])
  const share = isShare(statistic)
  if (value === null || isUnsure(statistic, cells[field])) return {}
  const change = changeIn(statistic, share ? value : undefined, changes[field])
  if (!change) return {}
  const before = share ? value - change.value : round(value / (1 + change.value))
  return {
    change: change.value,
    notable: change.notable,
    ...(Number.isFinite(before) ? { before } : {}),
  }
}

/** One bar per pharmacy, for one column. */
export function barsOf(rows: readonly PharmacyRow[], statistic: Statistic, field: string): RankedRow[] {
  return rows.map((row) => {
    const { pharmacy_id, pharmacy_name, cells, late, data_to } = row
    const cell = cells[field]
    const value = figureIn(statistic, cell)
    const lateWords = data_to === null ? 'no data yet' : late ? 'late' : ''
    const note = [noteOf(statistic, cell), lateWords].filter(Boolean).join(', ')
    return {
      ...{ id: shortId(pharmacy_id), label: pharmacy_name, value },
      ...lastYearOf(row, statistic, field),
      ...(note ? { note } : {}),
      ...{ hollow: isUnsure(statistic, cell), pale: late && !isShare(statistic) },
    }
  })
}

/** The number of columns that fit beside the names. */
const HEAT_COLUMNS = 7

export interface Heat {
  columns: string[]
  endHeads: string[]
  rows: HeatRow[]
}

/** Pharmacies by the largest subcategories on screen; for sums, also the total of the others, and the whole. */
export function heatOf(
  rows: readonly PharmacyRow[],
  statistic: Statistic,
  fields: readonly string[],
  allFields: readonly string[],
): Heat {
  const columns = fields.filter((field) => field !== TOTAL && field !== OTHERS).slice(0, HEAT_COLUMNS)
  const rest = allFields.length - 1 - columns.length
  const sums = !isShare(statistic)
  const others = sums && rest > 0
  return {
    columns,
    endHeads: [...(others ? [`${rest} ${rest === 1 ? 'other' : 'others'}`] : []), 'All'],
    rows: rows
      .filter(({ cells }) => cells[TOTAL] !== undefined)
      .map(({ pharmacy_id, pharmacy_name, cells }) => {
        const all = figureIn(statistic, cells[TOTAL])
        const parts = columns.map((field): HeatCell => {
          const note = noteOf(statistic, cells[field])
          const cell = { value: figureIn(statistic, cells[field]), hollow: isUnsure(statistic, cells[field]) }
          return note ? { ...cell, note } : cell
        })
        const left = all === null ? null : all - parts.reduce((sum, { value }) => sum + (value ?? 0), 0)
        const ends = others ? [left === null ? null : Math.max(0, round(left)), all] : [all]
        return { id: shortId(pharmacy_id), label: pharmacy_name, cells: parts, ends }
      }),
  }
}

const round = (value: number) => Math.round(value * 100) / 100

export interface Place {
  code: string
  /** The sum of its pharmacies or, for a share, the median pharmacy's. Null if none has a figure. */
  value: number | null
  pharmacies: number
}

/** A column's figure by state, or by postcode within one: sums added up, shares as the median pharmacy. In alphabetical order. */
export function placesOf(
  rows: readonly PharmacyRow[],
  statistic: Statistic,
  field: string,
  by: 'state' | 'postcode',
): Place[] {
  const groups = new Map<string, number[]>()
  for (const row of rows) {
    const code = row[by]
    if (code === null) continue
    const values = groups.get(code) ?? []
    const value = figureIn(statistic, row.cells[field])
    if (value !== null && !isUnsure(statistic, row.cells[field])) values.push(value)
    groups.set(code, values)
  }
  return [...groups]
    .map(([code, values]) => ({ code, value: gathered(statistic, values), pharmacies: values.length }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

function gathered(statistic: Statistic, values: readonly number[]): number | null {
  if (values.length === 0) return null
  if (isShare(statistic)) return median(values)
  return round(values.reduce((sum, value) => sum + value, 0))
}

/** The median; of an even number, the mean of the two values in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}

/** The averages of a column over the selected pharmacies and over other companies' pharmacies; unknown ones are left out. */
export function averagesOf(reply: TableReply, statistic: Statistic, field: string, product: string) {
  return [
    { label: 'Average', value: figureIn(statistic, reply.selected_average[field]) },
    { label: `${product} average`, value: figureIn(statistic, reply.baseline?.[field]) },
  ].flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]))
}
