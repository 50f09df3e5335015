import { TOTAL } from '@pillar/domain/dispensing/category'
import type { FigureUnit } from '@pillar/domain/figure/figure-list'
import { columnLabel, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { type Explainable, numberOf, unitText } from '../figures.ts'
import type { PharmacyRow, PinnedRow } from '../table/table-model.ts'

/** What an explanation is about. */
export interface ExplainTarget {
  readonly number: Explainable
  /** Set if a cell shows several numbers: the drawer can switch between them, starting with `number`. */
  readonly numbers?: readonly Explainable[]
  /** What to show first; by default the trend if there is one, unless the calculation was requested. */
  readonly first?: 'number'
  /** The subject of the figure: 'Northgate Pharmacy', 'TOTAL', '31 pharmacies'. */
  readonly subject: string
  /** The column: 'Cardiac'; null for a headline number. */
  readonly part: string | null
  readonly category?: string
  readonly subcategory?: string
  /** The pharmacies whose scripts it counts; null for the product average, whose pharmacies belong to others. */
  readonly pharmacyIds: readonly string[] | null
  /** Whether the cell has no figure, so that there is nothing to ask the server for. */
  readonly empty?: boolean
  /** Set for an average of a count or of money: the number of pharmacies that divides the sum. */
  readonly dividedBy: number | null
}

/** Names of the numbers that share a cell. */
export const HEADLINE_NAMES: Readonly<Partial<Record<Explainable, string>>> = {
  patients: 'All patients',
  'patients.sex.female': 'Female',
  'patients.sex.male': 'Male',
  'patients.adherence': 'Adherent',
  'patients.non_adherence': 'Not adherent',
  adherent_script_percent: 'Scripts from adherent patients',
}

/** A cell's headline numbers, for the selected pharmacies. */
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

/** A table cell. A share is pooled over its pharmacies, so only sums are divided for an average. */
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
 * Whether the pharmacies' parts, together with the effect of counting people once, add up to the whole: numerator and denominator, and for a sum
 * both sides of its change, within the rounding of cents.
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

/** How a change or distance is calculated. A year made negative by refunds divides by its absolute value, so that a rise stays a rise. */
export function sumText({ kind, now, previous }: Compared, unit: FigureUnit, country: Country): string {
  const text = (one: number | null) => unitText(country, kind === 'average' ? 'fraction' : unit, one)
  if (kind === 'average') return `${text(now)} ÷ ${text(previous)} − 1`
  if (unit === 'fraction') return `${text(now)} − ${text(previous)}`
  return `(${text(now)} − ${text(previous)}) ÷ ${text(previous === null ? null : Math.abs(previous))}`
}

/** Whether a number has patients that can be listed: adherence figures of one pharmacy. */
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
