import { TOTAL } from '@pillar/domain/dispensing/category'
import type { FigureUnit } from '@pillar/domain/figure/figure-list'
import { columnLabel, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { type Explainable, numberOf, unitText } from '../figures.ts'
import type { PharmacyRow, PinnedRow } from '../table/table-model.ts'

/** What an explanation is opened on. */
export interface ExplainTarget {
  readonly number: Explainable
  /** Set where a cell shows several: these can be switched between, `number` first. */
  readonly numbers?: readonly Explainable[]
  /** What is shown first; the trend where there is one, unless how it is calculated was asked for. */
  readonly first?: 'number'
  /** Whose figure it is: 'Northgate Pharmacy', 'TOTAL', '31 pharmacies'. */
  readonly subject: string
  /** The column: 'Cardiac'; null for a headline number. */
  readonly part: string | null
  readonly category?: string
  readonly subcategory?: string
  /** Whose scripts it is made of; null for the product average, whose pharmacies are other people's. */
  readonly pharmacyIds: readonly string[] | null
  /** Whether the cell holds no figure: there is nothing to ask the server for. */
  readonly empty?: boolean
  /** Set for an average of a count or of money: the sum is divided by this many pharmacies. */
  readonly dividedBy: number | null
}

/** What the numbers that share a cell are called. */
export const HEADLINE_NAMES: Readonly<Partial<Record<Explainable, string>>> = {
  patients: 'All patients',
  'patients.sex.female': 'Female',
  'patients.sex.male': 'Male',
  'patients.adherence': 'Adherent',
  'patients.non_adherence': 'Not adherent',
  adherent_script_percent: 'Scripts from adherent patients',
}

/** The headline numbers of one cell, for the pharmacies selected. */
export function headlineTarget(
  numbers: readonly Explainable[],
  pharmacyIds: readonly string[],
  first: 'trend' | 'number',
): ExplainTarget {
  const count = pharmacyIds.length
  return {
    number: numbers[0] ?? 'scripts',
    numbers: numbers.length > 1 ? numbers : undefined,
    ...(first === 'number' ? { first } : {}),
    subject: `${count.toLocaleString('en-AU')} ${count === 1 ? 'pharmacy' : 'pharmacies'}`,
    part: null,
    pharmacyIds,
    dividedBy: null,
  }
}

/** A cell of the table; a share is pooled over its pharmacies, so only sums are divided for an average. */
export function cellTarget(
  row: PharmacyRow | PinnedRow,
  field: string,
  where: { category: string; statistic: Statistic; selectedIds: readonly string[]; selectedCount: number },
): ExplainTarget {
  const number = numberOf(where.statistic)
  const pharmacy = 'pharmacy_id' in row
  const share = where.statistic === 'Adherence' || where.statistic === 'Loyalty'
  const ids = pharmacy ? [row.pharmacy_id] : row.kind === 'baseline' ? null : where.selectedIds
  return {
    number,
    subject: pharmacy ? row.pharmacy_name : row.name,
    part: columnLabel(where.category, field),
    category: where.category,
    subcategory: field === TOTAL ? undefined : field,
    pharmacyIds: ids,
    empty: row.cells[field] === undefined,
    dividedBy: !pharmacy && row.kind === 'selected' && !share ? where.selectedCount : null,
  }
}

interface Explained {
  readonly numerator: { readonly value: number }
  readonly denominator: { readonly value: number } | null
  readonly comparison?: Compared | null
  readonly once?: Part | null
  readonly pharmacies: readonly Part[]
}

interface Compared {
  readonly kind: string
  readonly now: number | null
  readonly previous: number | null
}

interface Part {
  readonly numerator: number
  readonly denominator: number | null
  readonly now?: number | null
  readonly previous?: number | null
}

/**
 * Whether the pharmacies' parts, and what counting people once adds to them, come to the whole: above and below the line, and of a sum
 * on both sides of its change, to within rounding of cents.
 */
export function addsUp({ numerator, denominator, comparison, once, pharmacies }: Explained): boolean {
  const close = (whole: number, parts: number) => Math.abs(whole - parts) <= Math.max(0.01, Math.abs(whole) * 1e-9)
  const sum = (field: 'numerator' | 'denominator' | 'now' | 'previous') =>
    [...pharmacies, once].reduce((all, part) => all + (part?.[field] ?? 0), 0)
  const change = denominator === null && comparison?.kind === 'change' ? comparison : null
  return (
    close(numerator.value, sum('numerator')) &&
    (denominator === null || close(denominator.value, sum('denominator'))) &&
    (change === null || (close(change.now ?? 0, sum('now')) && close(change.previous ?? 0, sum('previous'))))
  )
}

/** How a change or distance is calculated. A year that refunds made negative divides by its size, so that a rise stays a rise. */
export function sumText({ kind, now, previous }: Compared, unit: FigureUnit, country: Country): string {
  const text = (one: number | null) => unitText(country, kind === 'average' ? 'fraction' : unit, one)
  if (kind === 'average') return `${text(now)} ÷ ${text(previous)} − 1`
  if (unit === 'fraction') return `${text(now)} − ${text(previous)}`
  return `(${text(now)} − ${text(previous)}) ÷ ${text(previous === null ? null : Math.abs(previous))}`
}

/** Whether patients stand behind a number that can be listed: adherence figures, of one pharmacy. */
export function hasPatients({ number, pharmacyIds }: ExplainTarget): boolean {
  const adherence = ['adherent_script_percent', 'adherence_performance', 'patients.adherence', 'patients.non_adherence']
  return pharmacyIds?.length === 1 && adherence.includes(number)
}

export interface Where {
  readonly country: Country
  readonly today: Day
  readonly choice: PeriodChoice
  readonly product: string
}
