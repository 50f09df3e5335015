import type { AnswerOf, contract } from '@pillar/contract'
import type { Share } from '@pillar/contract/figure'
import { MIN_UPLOAD_COVERAGE, rateOfChange } from '@pillar/domain/figure/baseline'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { beginsBeforeData, businessDaysIn, priorSpan } from '@pillar/domain/time/period'
import { calendarOf } from '../../../db/local-calendar.ts'
import { money } from '../cells.ts'
import type { PharmacyRow, PharmacyTotal } from '../financials.queries.ts'
import { onceNote } from '../people.queries.ts'
import type { Selection } from '../selection.ts'
import { type Asked, WORDS } from './explain-words.ts'

export type Explanation = AnswerOf<typeof contract.financials.explain>
type Line = Explanation['pharmacies'][number]
export type Comparison = NonNullable<Explanation['comparison']>

/** What is explained: a number, for which pharmacies and period, and which of the pharmacies are late with their data. */
export interface Subject<N extends Asked = Asked> {
  number: N
  selection: Selection
  lateIds: ReadonlySet<number>
}

/** What one pharmacy, or all together, contribute to a number. */
export interface Part {
  numerator: number
  denominator: number | null
  /** Observations behind a share. */
  n: number
  /** Measured pairs: a performance from fewer than 10 is not shown. */
  pairs: number
}

/** What a part amounts to: the number, and the share of observations behind it; null if there is none. */
export interface Judged {
  value: number | null
  share: Share | null
}

/** The correction for counting people once, and how many people it concerns. */
export interface Once {
  people: number
  part: Part | null
}
const NOBODY_SHARED: Once = { people: 0, part: null }

/** Assembles an explanation from each pharmacy's part; the whole is their sum. */
export function assemble(
  { number, selection, lateIds }: Subject,
  parts: ReadonlyMap<number, Part>,
  judge: (part: Part, pharmacy: PharmacyRow | null) => Judged,
  once: Once = NOBODY_SHARED,
): Explanation {
  const words = WORDS[number]
  const whole = wholeOf(parts, once.part)
  const { value, share } = judge(whole, null)
  return {
    title: words.title,
    formula: words.formula,
    unit: words.unit,
    notes: [...words.notes, ...onceNote(once.people)],
    value: parts.size === 0 ? null : value,
    numerator: { label: words.numerator, value: whole.numerator },
    denominator: words.denominator ? { label: words.denominator, value: whole.denominator ?? 0 } : null,
    share: share && { label: 'How sure', of: words.counted ?? '', ...share },
    comparison: null,
    once: once.part && addedOnce(once.part),
    period: selection.span,
    pharmacies: selection.pharmacies.map((pharmacy) => {
      const part = parts.get(pharmacy.id)
      const judged = part ? judge(part, pharmacy) : NOTHING
      return {
        pharmacy_id: pharmacy.uuid,
        pharmacy_name: pharmacy.name,
        data_to: pharmacy.data_to,
        late: lateIds.has(pharmacy.id),
        value: judged.value,
        n: judged.share?.n ?? null,
        low: judged.share?.low ?? null,
        high: judged.share?.high ?? null,
        numerator: part?.numerator ?? 0,
        denominator: part?.denominator ?? null,
        now: null,
        previous: null,
        left_out: null,
      }
    }),
  }
}

const NOTHING: Judged = { value: null, share: null }

/** The correction for counting people once in a sum, and in both sides of its change; null if zero. */
export function addedOnce(
  { numerator, denominator }: Pick<Part, 'numerator' | 'denominator'>,
  change = { now: 0, previous: 0 },
) {
  const once = { numerator, denominator, ...change }
  return Object.values(once).some((one) => one !== null && one !== 0) ? once : null
}

/** The parts together, with the correction for counting people once. */
export function wholeOf(parts: ReadonlyMap<number, Part>, once: Part | null): Part {
  const whole: Part = { numerator: 0, denominator: null, n: 0, pairs: 0 }
  let cents = 0
  for (const part of [...parts.values(), ...(once ? [once] : [])]) {
    cents += Math.round(part.numerator * 100)
    if (part.denominator !== null) whole.denominator = (whole.denominator ?? 0) + part.denominator
    whole.n += part.n
    whole.pairs += part.pairs
  }
  return { ...whole, numerator: money(cents) }
}

/** The change over the pharmacies that take part, from their own lines and the correction for counting people once. */
export function changeOf(
  selection: Selection,
  lines: readonly Line[],
  once: Record<'now' | 'previous', number> = { now: 0, previous: 0 },
): Comparison {
  const compared = lines.filter((line) => line.previous !== null)
  const cents = (field: 'now' | 'previous') =>
    compared.reduce((sum, line) => sum + Math.round((line[field] ?? 0) * 100), Math.round(once[field] * 100))
  const prior = priorSpan(dayOf(selection.span.from), dayOf(selection.span.to))
  const none = compared.length === 0
  const [now, previous] = none ? [null, null] : [money(cents('now')), money(cents('previous'))]
  const value = rateOfChange(now, previous)
  return {
    kind: 'change',
    label: 'A year earlier',
    from: formatDay(prior.from),
    to: formatDay(prior.to),
    pharmacies: compared.length,
    now,
    previous,
    value,
    reason: none
      ? 'No pharmacy has complete data in both years.'
      : value === null
        ? 'There was none a year earlier.'
        : null,
  }
}

/** Why a pharmacy takes no part in a change. */
export function whyLeftOut(
  pharmacy: PharmacyRow,
  row: Pick<PharmacyTotal, 'from_day' | 'to_day' | 'business_days'> | undefined,
): string {
  if (!row || pharmacy.data_from === null) return 'No data in this period'
  const { holidays } = calendarOf(pharmacy)
  const dataFrom = dayOf(pharmacy.data_from)
  const now = { from: dayOf(row.from_day), to: dayOf(row.to_day) }
  if (beginsBeforeData(priorSpan(now.from, now.to).from, dataFrom, holidays)) {
    return `Its data begins later, on ${formatDate(pharmacy.country, dataFrom)}`
  }
  const days = businessDaysIn(now, holidays)
  if (days === 0) return 'No business day in this period yet'
  const short = row.business_days < MIN_UPLOAD_COVERAGE * days
  return `Data on fewer than 9 business days in 10 ${short ? 'of this period' : 'a year earlier'}`
}
