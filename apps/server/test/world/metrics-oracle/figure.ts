import { ageOn, type Day, weekday } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { cutTo, type Period, periodsOf, priorSpan, type Span } from '@pillar/domain/time/period'
import { daysOf, measuredPairs, type Pair } from './pair.ts'
import { type Book, centsOf } from './supply.ts'

/** One cell of the table, as sums. */
export interface Cell {
  script_count: number
  revenue_cents: number
  patients: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  observed_days: number
  covered_days: number
  opportunity_cents: number
  here_slots: number
  leaked_slots: number
}

/** The headline figures of a span. */
export interface Headline {
  scripts: number
  revenue_cents: number
  patients: number
  male: number
  female: number
  adherent: number
  non_adherent: number
  opportunity_cents: number
}

/** All figures of one period of one pharmacy. */
export interface Figures {
  readonly period: Period
  readonly span: Span
  readonly headline: Headline
  /** Business days of the span with a supply. */
  readonly businessDays: number
  /** Whether the span may enter the product average: supplies on at least 90% of its business days. */
  readonly complete: boolean
  /** The same dates a year earlier; null if the pharmacy takes no part in a comparison. */
  readonly prior: Headline | null
  /** Those dates; null if there is no comparison. */
  readonly priorSpan: Span | null
  /** Cells by `cellKey`; the total of a category is under TOTAL. */
  readonly cells: ReadonlyMap<string, Cell>
}

/** One row behind an adherence figure. */
export interface PairRow {
  patient: string
  molecule: string
  first: Day
  from: Day
  to: Day
  observed: number
  covered: number
  /** Scripts of the pair in the period. */
  scripts: number
}

/** A patient's standing at t: days of the measured pairs, slots of the 365 days to t. */
export interface Standing {
  observed_days: number
  covered_days: number
  here_slots: number
  leaked_slots: number
}

const NONE = 'Unclassified'
const PATIENT_TYPES =
  'Unclassified,General,Concession,Safety Net,DVA,CTG,Private,NHS paying,NHS exempt,NHS prepaid,Commercial,Medicare,Medicaid,Military and VA,Cash'.split(
    ',',
  )
const AGES: readonly [from: number, name: string][] = [
  [75, '75+'],
  [65, '65-74'],
  [50, '50-64'],
  [35, '35-49'],
  [18, '18-34'],
  [0, '0-17'],
]

/** Names a cell. */
export const cellKey = (category: string, subcategory: string) => `${category}|${subcategory}`

/** The cells something belongs to at the end of a span: the total and one of each category. */
function cellsFor(book: Book, on: Day, of: { patient: string; molecule: string; type?: number }): string[] {
  const person = book.people.get(of.patient)!
  const medicine = book.medicines.get(of.molecule)!
  const age = person.born == null ? null : ageOn(person.born, on)
  return [
    cellKey('TOTAL', 'TOTAL'),
    cellKey('Drug Type', medicine.drugType ?? NONE),
    cellKey('Condition', medicine.condition ?? NONE),
    cellKey('Age Group', age === null ? NONE : AGES.find(([from]) => age >= from)![1]),
    cellKey('Sex', person.sex === 'F' ? 'Female' : person.sex === 'M' ? 'Male' : NONE),
    cellKey('Patient Type', PATIENT_TYPES[of.type ?? 0]!),
    cellKey('Molecule', medicine.molecule),
  ]
}

const within = (span: Span) => (one: { day: Day }) => one.day >= span.from && one.day <= span.to
const adherent = (covered: number, observed: number) => covered * 5 >= observed * 4

/** Every cell of a span that ends at its own t. */
export function cellsOf(book: Book, span: Span): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  const seen = new Map<string, Set<string>>()
  const add = (of: { patient: string; molecule: string; type?: number }, sums: Partial<Cell>) => {
    for (const key of cellsFor(book, span.to, of)) {
      const cell = cells.get(key) ?? emptyCell()
      for (const [name, value] of Object.entries(sums)) cell[name as keyof Cell] += value
      cells.set(key, cell)
      if (!sums.script_count) continue
      seen.set(key, (seen.get(key) ?? new Set()).add(of.patient))
      cell.patients = seen.get(key)!.size
    }
  }
  for (const line of book.supplies.filter(within(span))) {
    add(line, { script_count: 1, here_slots: 1, revenue_cents: centsOf(line) })
  }
  for (const line of book.refunds.filter(within(span))) add(line, { revenue_cents: centsOf(line) })
  for (const slot of book.leaked.filter(within(span))) add(slot, { leaked_slots: 1 })
  for (const pair of measuredPairs(book, span.to)) {
    const { observed, covered } = pair.daysIn(span)
    add(pair, {
      measured_pairs: 1,
      observed_days: observed.size,
      covered_days: covered.size,
      opportunity_cents: opportunityCents(pair, span, observed.size - covered.size),
    })
    // The days belong to the pair and follow its last script; its scripts stay in their own cells.
    const good = adherent(pair.covered, pair.observed) ? 1 : 0
    for (const line of pair.here.filter(within(span))) add(line, { measured_scripts: 1, adherent_scripts: good })
  }
  return cells
}

/** Uncovered days x revenue / days supplied, in whole cents, half a cent rounded up. */
export function opportunityCents(pair: Pair, span: Span, uncovered: number): number {
  const near = within({ from: span.from - 365, to: span.to })
  const here = pair.own.filter(near)
  const days = [...here, ...pair.elsewhere.filter(near)].reduce((sum, one) => sum + one.days, 0)
  const cents = here.reduce((sum, one) => sum + centsOf(one), 0)
  return days === 0 ? 0 : Math.floor((2 * uncovered * cents + days) / (2 * days))
}

function emptyCell(): Cell {
  return {
    script_count: 0,
    revenue_cents: 0,
    patients: 0,
    measured_pairs: 0,
    measured_scripts: 0,
    adherent_scripts: 0,
    observed_days: 0,
    covered_days: 0,
    opportunity_cents: 0,
    here_slots: 0,
    leaked_slots: 0,
  }
}

/** The headline figures of a span that ends at its own t. */
export function headlineOf(book: Book, span: Span): Headline {
  const total = cellsOf(book, span).get(cellKey('TOTAL', 'TOTAL')) ?? emptyCell()
  const visitors = new Set(book.supplies.filter(within(span)).map((line) => line.patient))
  const ofSex = (sex: 'F' | 'M') => [...visitors].filter((id) => book.people.get(id)!.sex === sex).length
  const values = [...standingOf(book, span.to).values()].filter((one) => one.observed_days > 0)
  const good = values.filter((one) => adherent(one.covered_days, one.observed_days))
  return {
    scripts: total.script_count,
    revenue_cents: total.revenue_cents,
    patients: visitors.size,
    male: ofSex('M'),
    female: ofSex('F'),
    adherent: good.length,
    non_adherent: values.length - good.length,
    opportunity_cents: total.opportunity_cents,
  }
}

/** Every patient's standing at t, without patients who have none. */
export function standingOf(book: Book, t: Day): Map<string, Standing> {
  const standing = new Map<string, Standing>()
  const add = (patient: string, sums: Partial<Standing>) => {
    const one = standing.get(patient) ?? { observed_days: 0, covered_days: 0, here_slots: 0, leaked_slots: 0 }
    for (const [name, value] of Object.entries(sums)) one[name as keyof Standing] += value
    standing.set(patient, one)
  }
  const year = within({ from: t - 364, to: t })
  for (const line of book.supplies.filter(year)) add(line.patient, { here_slots: 1 })
  for (const slot of book.leaked.filter(year)) add(slot.patient, { leaked_slots: 1 })
  for (const pair of measuredPairs(book, t)) {
    add(pair.patient, { observed_days: pair.observed, covered_days: pair.covered })
  }
  return standing
}

/** The rows behind the adherence of a span. */
export function pairRows(book: Book, span: Span): PairRow[] {
  return measuredPairs(book, span.to).map(({ patient, molecule, first, from, to, observed, covered, here }) => {
    return { patient, molecule, first, from, to, observed, covered, scripts: here.filter(within(span)).length }
  })
}

/** Mondays to Fridays of a span that are not public holidays. */
export function businessDays(span: Span, holidays: ReadonlySet<Day>): Day[] {
  return daysOf(span.from, span.to).filter((day) => weekday(day) <= 5 && !holidays.has(day))
}

/**
 * Whether a span has enough data for a comparison: none of its business days precedes the first day of data, and at least 90% of them have
 * a supply. A span without any business day has no such share and is not compared.
 */
export function complete(book: Book, span: Span, holidays: ReadonlySet<Day>): boolean {
  const days = businessDays(span, holidays)
  if (days.length === 0 || book.firstDay === null || days.some((day) => day < book.firstDay!)) return false
  return suppliedOn(book, days) * 10 >= days.length * 9
}

function suppliedOn(book: Book, days: readonly Day[]): number {
  const open = new Set(book.supplies.map((line) => line.day))
  return days.filter((day) => open.has(day)).length
}

/** All figures of a pharmacy whose data reach to `dataTo`. */
export function figuresOf(book: Book, country: Country, dataTo: Day, holidays: ReadonlySet<Day>): Figures[] {
  return periodsOf(country, dataTo).map((period) => {
    const span = cutTo(period, dataTo)!
    const before = priorSpan(span.from, span.to)
    const whole = complete(book, span, holidays)
    const compared = whole && complete(book, before, holidays)
    return {
      period,
      span,
      headline: headlineOf(book, span),
      businessDays: suppliedOn(book, businessDays(span, holidays)),
      complete: whole,
      prior: compared ? headlineOf(book, before) : null,
      priorSpan: compared ? before : null,
      cells: cellsOf(book, span),
    }
  })
}
