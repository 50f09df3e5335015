import type { contract } from '@pillar/contract'
import { type AnswerOf, Refusal } from '@pillar/contract'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { MIN_UPLOAD_COVERAGE, performance, rateOfChange } from '@pillar/domain/figure/baseline'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { beginsBeforeData, businessDaysIn, priorSpan } from '@pillar/domain/time/period'
import { calendarOf } from '../../db/local-calendar.ts'
import { type CellSums, money, shareOf } from './cells.ts'
import { type Asked, WORDS } from './explain-words.ts'
import type { OnlyFigure } from './figure-parts.ts'
import { HEADLINE_COLUMNS, type HeadlineColumn, type PharmacyRow, type PharmacyTotal } from './financials.queries.ts'
import { type CountedOnce, headlineOnce, onceNote } from './people.queries.ts'
import { begunLate, type Selection } from './selection.ts'
import { HEADLINES, type Headline, inUnit } from './stats.ts'
import type { CategoryTable } from './table.ts'

type Explanation = AnswerOf<typeof contract.financials.explain>
type Line = Explanation['pharmacies'][number]
type Comparison = NonNullable<Explanation['comparison']>

/** Numbers of a cell of the category table. */
type CellNumber = Exclude<Asked, Headline | OnlyFigure>

export const isHeadline = (number: Asked): number is Headline => number in HEADLINES

/** What one pharmacy, or all together, contribute to a number. */
export interface Part {
  numerator: number
  denominator: number | null
  /** Observations behind a share. */
  n: number
  /** Measured pairs: a performance from fewer than 10 is not shown. */
  pairs: number
}

/** The correction for counting people once, and how many people it concerns. */
export interface Once {
  people: number
  part: Part | null
}
const NOBODY_SHARED: Once = { people: 0, part: null }

type Judged = Pick<Line, 'value' | 'low' | 'high'> & { n: number | null }

/** Assembles an explanation from each pharmacy's part; the whole is their sum. */
export function assemble(
  number: Asked,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  parts: ReadonlyMap<number, Part>,
  judge: (part: Part, pharmacy: PharmacyRow | null) => Judged,
  once: Once = NOBODY_SHARED,
): Explanation {
  const words = WORDS[number]
  const whole = wholeOf(parts, once.part)
  const judged = judge(whole, null)
  const { n, low, high } = judged
  const share = { label: 'How sure', of: words.counted ?? '', value: judged.value, n: n ?? 0, low, high }
  return {
    title: words.title,
    formula: words.formula,
    unit: words.unit,
    notes: [...words.notes, ...onceNote(once.people)],
    value: parts.size === 0 ? null : judged.value,
    numerator: { label: words.numerator, value: whole.numerator },
    denominator: words.denominator ? { label: words.denominator, value: whole.denominator ?? 0 } : null,
    share: n === null ? null : share,
    comparison: null,
    once: once.part && addedOnce(once.part),
    period: selection.span,
    pharmacies: selection.pharmacies.map((pharmacy) => {
      const part = parts.get(pharmacy.id)
      return {
        pharmacy_id: pharmacy.uuid,
        pharmacy_name: pharmacy.name,
        data_to: pharmacy.data_to,
        late: lateIds.has(pharmacy.id),
        ...(part ? judge(part, pharmacy) : { value: null, n: null, low: null, high: null }),
        numerator: part?.numerator ?? 0,
        denominator: part?.denominator ?? null,
        now: null,
        previous: null,
        left_out: null,
      }
    }),
  }
}

/** The correction for counting people once in a sum, and in both sides of its change; null if zero. */
export function addedOnce(
  { numerator, denominator }: Pick<Part, 'numerator' | 'denominator'>,
  change = { now: 0, previous: 0 },
) {
  const once = { numerator, denominator, ...change }
  return Object.values(once).some((one) => one !== null && one !== 0) ? once : null
}

function wholeOf(parts: ReadonlyMap<number, Part>, once: Part | null): Part {
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

/** Explains a headline number: the same column of every pharmacy, summed, and its change from a year earlier. */
export function explainHeadline(
  number: Headline,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  rows: readonly PharmacyTotal[],
  once: CountedOnce | undefined,
): Explanation {
  const column = HEADLINES[number]
  const counted = COUNTS_PEOPLE.has(column)
  const more = headlineOnce(once?.all)
  const measured = (row: Pick<PharmacyTotal, 'adherent' | 'non_adherent'>) => row.adherent + row.non_adherent
  const share = column === 'adherent' || column === 'non_adherent'
  const parts = new Map(
    rows.map((row) => {
      const part = { numerator: inUnit(column, row[column]), denominator: null, n: share ? measured(row) : 0, pairs: 0 }
      return [row.location_id, part]
    }),
  )
  const judge = ({ numerator, n }: Part) => {
    if (!share) return { value: numerator, n: null, low: null, high: null }
    const { low, high } = shareOf(numerator, n, n)
    return { value: numerator, n, low, high }
  }
  const part = { numerator: inUnit(column, more[column]), denominator: null, n: share ? measured(more) : 0, pairs: 0 }
  const explained = assemble(number, selection, lateIds, parts, judge, {
    people: counted ? (once?.all.shared_people ?? 0) : 0,
    part,
  })
  const byId = new Map(rows.map((row) => [row.location_id, row]))
  const pharmacies = explained.pharmacies.map((line, at) => {
    const pharmacy = selection.pharmacies[at]!
    const row = byId.get(pharmacy.id)
    if (!row?.prior) return { ...line, left_out: whyLeftOut(pharmacy, row) }
    return { ...line, now: inUnit(column, row[column]), previous: inUnit(column, row.prior[column]) }
  })
  const whole = explained.share && {
    ...explained.share,
    ...shareOf(explained.value ?? 0, explained.share.n, explained.share.n),
  }
  const change = {
    now: inUnit(column, headlineOnce(once?.now)[column]),
    previous: inUnit(column, headlineOnce(once?.prior)[column]),
  }
  return {
    ...explained,
    pharmacies,
    share: whole && { ...whole, label: `${explained.title}, of all measured` },
    comparison: changeOf(selection, pharmacies, change),
    once: addedOnce(part, change),
  }
}

/** Headline numbers that differ when people count once. */
const COUNTS_PEOPLE: ReadonlySet<HeadlineColumn> = new Set(
  HEADLINE_COLUMNS.filter((column) => column !== 'scripts' && column !== 'revenue_cents'),
)

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

/** Explains a cell of the category table; for a share, also the product average it is compared with. */
export function explainCell(
  number: CellNumber,
  selection: Selection,
  lateIds: ReadonlySet<number>,
  table: CategoryTable,
  column: string,
  people: number,
): Explanation {
  if (!table.columns.includes(column))
    throw new Refusal('invalid', `There is no subcategory "${column}" with figures in this period.`)
  const parts = new Map<number, Part>()
  for (const [id, cells] of table.byPharmacy) if (cells[column]) parts.set(id, partOf(number, cells[column]))
  const where = column === TOTAL ? '' : `, ${column}`
  const title = `${WORDS[number].title}${where}`
  if (number === 'revenue_value' || number === 'script_count') {
    const plain = ({ numerator: value }: Part) => ({ value, n: null, low: null, high: null })
    return { ...assemble(number, selection, lateIds, parts, plain), title }
  }
  const sums = table.once.all[column]
  const once = { people, part: sums ? partOf(number, sums) : null }
  const begun = begunLate(selection)
  const average = averageOf(number, table, column)
  const alone = begun.size === selection.pharmacies.length
  const distance = number === 'adherence_performance' || number === 'loyalty_performance'
  const judge = (part: Part, pharmacy: PharmacyRow | null) => {
    const share = shareOf(part.numerator, part.denominator ?? 0, part.n)
    const compared = pharmacy ? !begun.has(pharmacy.id) : !alone
    return distance ? { ...share, value: compared ? performance(share.value, average, part.pairs) : null } : share
  }
  const explained = assemble(number, selection, lateIds, parts, judge, once)
  const whole = wholeOf(parts, once.part)
  const own = shareOf(whole.numerator, whole.denominator ?? 0, whole.n).value
  const value = alone ? null : performance(own, average, whole.pairs)
  const share = explained.share && { ...explained.share, value: own }
  return { ...explained, title, share, comparison: heldAgainst(table, selection, { own, average, value, alone }) }
}

interface Against {
  own: number | null
  average: number | null
  value: number | null
  alone: boolean
}

/** The product average a share is compared with: its value, dates and number of pharmacies. */
function heldAgainst(table: CategoryTable, { span }: Selection, { own, average, value, alone }: Against): Comparison {
  const why =
    average === null
      ? (table.average.reason ??
        'The average of this subcategory is hidden: too few pharmacies, or one company too large.')
      : alone
        ? 'The data begins within the period, so it is compared with nothing.'
        : 'Too few are measured to compare.'
  return {
    kind: 'average',
    label: 'Average',
    from: table.average.from ?? span.from,
    to: table.average.to ?? span.to,
    pharmacies: table.average.pharmacies,
    now: own,
    previous: average,
    value,
    reason: value === null ? why : null,
  }
}

const isAdherence = (number: Asked) => number === 'adherent_script_percent' || number === 'adherence_performance'

function averageOf(number: Asked, table: CategoryTable, column: string): number | null {
  const cell = table.baseline?.[column]
  return (isAdherence(number) ? cell?.adherent_script_percent : cell?.loyalty_script_percent) ?? null
}

function partOf(number: CellNumber, sums: CellSums): Part {
  const pairs = sums.measured_pairs
  if (number === 'revenue_value') return { numerator: money(sums.revenue_cents), denominator: null, n: 0, pairs }
  if (number === 'script_count') return { numerator: sums.script_count, denominator: null, n: 0, pairs }
  if (isAdherence(number)) {
    return { numerator: sums.adherent_scripts, denominator: sums.measured_scripts, n: pairs, pairs }
  }
  const slots = sums.here_slots + sums.leaked_slots
  return { numerator: sums.here_slots, denominator: slots, n: slots, pairs }
}
