import { FIGURES } from '@pillar/domain/figure/figure-list'
import {
  changeIn,
  columnsOf,
  denominatorOf,
  figureIn,
  isKnown,
  numeratorOf,
  ONLY_FIGURES,
  type OnlyFigure,
} from '../figure-parts.ts'
import { addOnce, FIGURE_COLUMNS, type PharmacySums, type Sums } from '../figure-sums.queries.ts'
import type { PharmacyRow } from '../financials.queries.ts'
import { type CountedOnce, PEOPLE_COLUMNS } from '../people.queries.ts'
import type { Selection } from '../selection.ts'
import {
  addedOnce,
  assemble,
  type Comparison,
  changeOf,
  type Explanation,
  type Judged,
  type Part,
  type Subject,
  whyLeftOut,
} from './explain.ts'
import type { Asked } from './explain-words.ts'

export const isFigure = (number: Asked): number is OnlyFigure => ONLY_FIGURES.has(number)

/**
 * Explains a figure for the pharmacies as a whole: numerator and denominator of each, and its change from a year earlier. The pharmacies'
 * sums of both years add up to those of the change; for a share or a rate each pharmacy has its own value, and these do not add up.
 */
export function explainFigure(
  subject: Subject<OnlyFigure>,
  rows: readonly PharmacySums[],
  once: CountedOnce | undefined,
): Explanation {
  const { number, selection } = subject
  const byId = new Map(rows.map((row) => [row.location_id, row]))
  const parts = new Map(rows.map((row) => [row.location_id, partOf(number, row.sums)]))
  const added = sumOf(rows.map((row) => row.sums))
  const whole = addOnce(added, once?.all)
  const judge = (_: Part, pharmacy: PharmacyRow | null): Judged => {
    const { n, ...share } = figureIn(number, pharmacy ? (byId.get(pharmacy.id)?.sums ?? whole) : whole)
    return { value: share.value, share: n === null ? null : { ...share, n } }
  }
  const changes = columnsOf(number).some((column) => (PEOPLE_COLUMNS as readonly string[]).includes(column))
  const people = changes ? (once?.all.shared_people ?? 0) : 0
  const explained = assemble(subject, parts, judge, { people, part: partOf(number, onceIn(once?.all)) })
  const divided = 'denominator' in FIGURES[number]
  const shownOf = (sums: Sums) => (divided ? figureIn(number, sums).value : numeratorOf(number, sums))
  const pharmacies = explained.pharmacies.map((line, at) => {
    const pharmacy = selection.pharmacies[at]!
    const row = byId.get(pharmacy.id)
    const days = row && { from_day: row.from_day, to_day: row.to_day, business_days: row.sums.business_days }
    if (!row?.prior) return { ...line, left_out: whyLeftOut(pharmacy, days) }
    if (!isCompared(number, row)) return { ...line, left_out: COST_UNKNOWN }
    return { ...line, now: shownOf(row.sums), previous: shownOf(row.prior) }
  })
  if (divided) return { ...explained, pharmacies, comparison: changeOfShare(number, selection, rows, once) }
  const compared = { now: numeratorOf(number, onceIn(once?.now)), previous: numeratorOf(number, onceIn(once?.prior)) }
  const comparison = changeOf(selection, pharmacies, compared)
  const unknown = rows.some(({ prior }) => prior) && !rows.some((row) => isCompared(number, row))
  return {
    ...explained,
    pharmacies,
    comparison: unknown ? { ...comparison, reason: COST_UNKNOWN } : comparison,
    once: addedOnce({ numerator: numeratorOf(number, onceIn(once?.all)), denominator: null }, compared),
  }
}

const onceIn = (sums: CountedOnce['all'] | undefined) => addOnce(sumOf([]), sums)

/** The change of a share or a rate, over the compared pharmacies together. */
function changeOfShare(
  number: OnlyFigure,
  selection: Selection,
  rows: readonly PharmacySums[],
  once: CountedOnce | undefined,
): Comparison {
  const none = changeOf(selection, [])
  const compared = rows.flatMap(({ sums, prior }) => (prior === null ? [] : [{ sums, prior }]))
  if (compared.length === 0) return none
  const now = addOnce(sumOf(compared.map(({ sums }) => sums)), once?.now)
  const previous = addOnce(sumOf(compared.map(({ prior }) => prior)), once?.prior)
  const values = { now: figureIn(number, now).value, previous: figureIn(number, previous).value }
  const value = changeIn(number, now, previous)
  const reason = value === null ? 'There were too few in one of the two years.' : null
  return { ...none, ...values, pharmacies: compared.length, value, reason }
}

const COST_UNKNOWN = 'No cost was sent in one of the two years.'

/** Whether a pharmacy counts in a change: it is compared, and its figure is known in both years. */
const isCompared = (number: OnlyFigure, { sums, prior }: PharmacySums) =>
  prior !== null && isKnown(number, sums) && isKnown(number, prior)

const partOf = (number: OnlyFigure, sums: Sums): Part => ({
  numerator: numeratorOf(number, sums),
  denominator: denominatorOf(number, sums),
  ...{ n: 0, pairs: 0 },
})

function sumOf(rows: readonly Sums[]): Sums {
  const whole = Object.fromEntries(FIGURE_COLUMNS.map((name) => [name, 0])) as Sums
  for (const row of rows) for (const name of FIGURE_COLUMNS) whole[name] += row[name] ?? 0
  return whole
}
