import type { Share } from '@pillar/contract/figure'
import { NUMBERS } from '@pillar/contract/figure-explain'
import { rateOfChange, ratio } from '@pillar/domain/figure/baseline'
import { FIGURE_KEYS, FIGURES, type FigureKey } from '@pillar/domain/figure/figure-list'
import { money, shareOf } from './cells.ts'
import type { FigureColumn, Sums } from './figure-sums.queries.ts'

/** The terms of a figure, and its divisor; `minus` is subtracted, `n` is the number behind a share, and without any `known` there is no value. */
interface Parts {
  readonly of: FigureColumn
  readonly minus?: FigureColumn
  readonly known?: FigureColumn
  readonly over?: readonly FigureColumn[]
  readonly n?: readonly FigureColumn[]
}

const DAYS = ['source_days', 'directions_days', 'pack_days', 'imputed_days'] as const
const SLOTS = ['scripts', 'leaked_slots'] as const
const sum = (of: FigureColumn): Parts => ({ of })
const share = (of: FigureColumn, over: FigureColumn, n?: FigureColumn): Parts => ({
  of,
  over: [over],
  ...(n ? { n: [n] } : {}),
})

const PARTS: Readonly<Record<FigureKey, Parts>> = {
  revenue: sum('revenue_cents'),
  gross_profit: { of: 'costed_revenue_cents', minus: 'cost_cents', known: 'costed_scripts' },
  costed_share: share('costed_scripts', 'scripts'),
  scripts: sum('scripts'),
  scripts_per_business_day: share('scripts', 'business_days'),
  patients: sum('patients'),
  new_patients: sum('new_patients'),
  returning_patients: sum('returning_patients'),
  retained_patients: sum('retained_patients'),
  unplaced_patients: sum('unplaced_patients'),
  lapsed_patients: sum('lapsed_patients'),
  molecules_per_patient: share('patient_molecules', 'patients'),
  adherent_share: share('adherent_patients', 'measured_patients', 'measured_patients'),
  adherent_share_here: share('own_adherent_patients', 'own_measured_patients', 'own_measured_patients'),
  adherent_script_percent: share('adherent_scripts', 'measured_scripts', 'measured_pairs'),
  adherent_script_percent_here: share('own_adherent_scripts', 'own_measured_scripts', 'own_measured_pairs'),
  lapsed_pairs: sum('lapsed_pairs'),
  lapsed_pair_patients: sum('lapsed_pair_patients'),
  loyalty: { of: 'scripts', over: SLOTS, n: SLOTS },
  repeats_due: sum('repeats_due'),
  repeats_missed: sum('repeats_missed'),
  sixty_day_share: share('sixty_day_scripts', 'eligible_scripts', 'eligible_scripts'),
  owing_scripts: sum('owing_scripts'),
  deferred_scripts: sum('deferred_scripts'),
  source_share: { of: 'source_days', over: DAYS },
  directions_share: { of: 'directions_days', over: DAYS },
  pack_share: { of: 'pack_days', over: DAYS },
  imputed_share: { of: 'imputed_days', over: DAYS },
}

/** Figures that are neither a headline number nor a cell of the table. */
export type OnlyFigure = Exclude<FigureKey, (typeof NUMBERS)[number]>
export const ONLY_FIGURES: ReadonlySet<string> = new Set(
  FIGURE_KEYS.filter((key) => !(NUMBERS as readonly string[]).includes(key)),
)

/** The columns a figure needs, and its business days. */
export function columnsOf(figure: FigureKey): FigureColumn[] {
  const { of, minus, known, over = [], n = [] } = PARTS[figure]
  return [...new Set(['business_days' as const, of, minus, known, ...over, ...n])].filter((name) => name !== undefined)
}

const added = (sums: Sums, columns: readonly FigureColumn[]) => columns.reduce((all, name) => all + sums[name], 0)

/** The column of which a pharmacy must have some to count in a figure: gross profit covers those that sent some cost. */
export const neededBy = (figure: FigureKey): FigureColumn | undefined => PARTS[figure].known

/** The numerator: money in currency. */
export function numeratorOf(figure: FigureKey, sums: Sums): number {
  const { of, minus } = PARTS[figure]
  const whole = sums[of] - (minus ? sums[minus] : 0)
  return FIGURES[figure].unit === 'money' ? money(whole) : whole
}

/** The denominator; null for a sum. */
export function denominatorOf(figure: FigureKey, sums: Sums): number | null {
  const { over } = PARTS[figure]
  return over ? added(sums, over) : null
}

/** Whether the sums give the figure at all: gross profit only if some cost was sent. */
export function isKnown(figure: FigureKey, sums: Sums): boolean {
  const { known } = PARTS[figure]
  return known === undefined || sums[known] > 0
}

/** A figure from its sums; `n` is null unless it is a share of observations. */
export function figureIn(figure: FigureKey, sums: Sums): Omit<Share, 'n'> & { n: number | null } {
  const { n } = PARTS[figure]
  if (!isKnown(figure, sums)) return { value: null, n: null, low: null, high: null }
  const [part, whole] = [numeratorOf(figure, sums), denominatorOf(figure, sums)]
  if (n) return shareOf(part, whole ?? 0, added(sums, n))
  return { value: whole === null ? part : ratio(part, whole), n: null, low: null, high: null }
}

/** Change against a year earlier: a rate, or for a fraction the difference. Null if either is missing. */
export function changeIn(figure: FigureKey, now: Sums | null, prior: Sums | null): number | null {
  if (!now || !prior) return null
  const [value, before] = [figureIn(figure, now).value, figureIn(figure, prior).value]
  if (FIGURES[figure].unit !== 'fraction') return rateOfChange(value, before)
  return value === null || before === null ? null : value - before
}

/** What one pharmacy does on one business day; null for figures that do not add up over days. */
export function perBusinessDay(figure: FigureKey, sums: Sums | null): number | null {
  if (!sums || !('daily' in FIGURES[figure])) return null
  const { value } = figureIn(figure, sums)
  return value === null ? null : ratio(value, sums.business_days)
}
