import { shareOf } from '../cells.ts'
import { HEADLINE_COLUMNS, type HeadlineColumn, type PharmacyTotal } from '../financials.queries.ts'
import { type CountedOnce, headlineOnce } from '../people.queries.ts'
import { HEADLINES, type Headline, inUnit } from '../stats.ts'
import {
  addedOnce,
  assemble,
  changeOf,
  type Explanation,
  type Judged,
  type Part,
  type Subject,
  whyLeftOut,
} from './explain.ts'
import type { Asked } from './explain-words.ts'

export const isHeadline = (number: Asked): number is Headline => number in HEADLINES

/** Headline numbers that differ when people count once. */
const COUNTS_PEOPLE: ReadonlySet<HeadlineColumn> = new Set(
  HEADLINE_COLUMNS.filter((column) => column !== 'scripts' && column !== 'revenue_cents'),
)

/** Explains a headline number: the same column of every pharmacy, summed, and its change from a year earlier. */
export function explainHeadline(
  subject: Subject<Headline>,
  rows: readonly PharmacyTotal[],
  once: CountedOnce | undefined,
): Explanation {
  const { number, selection } = subject
  const column = HEADLINES[number]
  const isShare = column === 'adherent' || column === 'non_adherent'
  const partOf = (sums: Pick<PharmacyTotal, HeadlineColumn>): Part => ({
    numerator: inUnit(column, sums[column]),
    denominator: null,
    n: isShare ? sums.adherent + sums.non_adherent : 0,
    pairs: 0,
  })
  const judge = ({ numerator, n }: Part): Judged => ({
    value: numerator,
    share: isShare ? shareOf(numerator, n, n) : null,
  })
  const shared = partOf(headlineOnce(once?.all))
  const people = COUNTS_PEOPLE.has(column) ? (once?.all.shared_people ?? 0) : 0
  const parts = new Map(rows.map((row) => [row.location_id, partOf(row)]))
  const explained = assemble(subject, parts, judge, { people, part: shared })
  const byId = new Map(rows.map((row) => [row.location_id, row]))
  const pharmacies = explained.pharmacies.map((line, at) => {
    const pharmacy = selection.pharmacies[at]!
    const row = byId.get(pharmacy.id)
    if (!row?.prior) return { ...line, left_out: whyLeftOut(pharmacy, row) }
    return { ...line, now: inUnit(column, row[column]), previous: inUnit(column, row.prior[column]) }
  })
  const change = {
    now: inUnit(column, headlineOnce(once?.now)[column]),
    previous: inUnit(column, headlineOnce(once?.prior)[column]),
  }
  return {
    ...explained,
    pharmacies,
    share: explained.share && { ...explained.share, label: `${explained.title}, of all measured` },
    comparison: changeOf(selection, pharmacies, change),
    once: addedOnce(shared, change),
  }
}
