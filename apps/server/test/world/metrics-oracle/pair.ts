import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { type Book, grouped, type Leaked, pairKey } from './supply.ts'
import type { Line, Medicine, Person } from './world.ts'

/** Days of a pair that count, and those on which the patient had the medicine. */
export interface Days {
  readonly observed: ReadonlySet<Day>
  readonly covered: ReadonlySet<Day>
}

/** A patient and a continuous medicine, measured at a day t. */
export interface Pair {
  readonly patient: string
  readonly molecule: string
  /** The first supply here. */
  readonly first: Day
  /** The window that ends at t; `to` is the last day of it that is observed. */
  readonly from: Day
  readonly to: Day
  readonly observed: number
  readonly covered: number
  /** Patient type of the last own supply up to t. */
  readonly type: number
  /** Scripts of the pair up to t. */
  readonly here: readonly Line[]
  /** Supplies up to t that give days, here and elsewhere: none after a recorded death, none elsewhere beyond the reach of every window. */
  readonly own: readonly Line[]
  readonly elsewhere: readonly Leaked[]
  /** The same count for another window; censoring stays as of t. */
  readonly daysIn: (window: Span) => Days
}

const CARRY_DAYS = 365
const WINDOW_DAYS = 365
const FIRST_SUPPLY_DAYS_AGO = 90
const SUPPLY_DAYS_NEEDED = 2
const INACTIVE_AFTER = 180

/** All pairs measured at t, as docs/metrics.md defines adherence. */
export function measuredPairs(book: Book, t: Day): Pair[] {
  const measured: Pair[] = []
  for (const person of book.people.values()) {
    const here = (book.suppliesOf.get(person.id) ?? []).filter((one) => one.day <= t)
    const elsewhere = (book.leakedOf.get(person.id) ?? []).filter((one) => one.day <= t)
    const alive = here.filter((one) => person.died === null || one.day <= person.died)
    if (person.facility || !alive.some((one) => t - one.day < INACTIVE_AFTER)) continue
    for (const [molecule, own] of grouped(here, (one) => one.molecule)) {
      if (!book.medicines.get(molecule)!.chronic) continue
      const pair = pairAt(
        book,
        person,
        molecule,
        t,
        own,
        elsewhere.filter((one) => one.molecule === molecule),
        here,
      )
      if (pair) measured.push(pair)
    }
  }
  return measured
}

/** The pair at t; null if it is not measured. */
function pairAt(
  book: Book,
  person: Person,
  molecule: string,
  t: Day,
  here: readonly Line[],
  leaked: readonly Leaked[],
  anything: readonly Line[],
): Pair | null {
  const first = Math.min(...here.map((one) => one.day))
  const window = { from: Math.max(t - WINDOW_DAYS + 1, first), to: t }
  const alive = (one: { day: Day }) => person.died === null || one.day <= person.died
  const own = here.filter(alive)
  const elsewhere = leaked.filter(alive)
  const supplyDays = new Set(own.map((one) => one.day).filter((day) => day >= window.from))
  if (t - first < FIRST_SUPPLY_DAYS_AGO || supplyDays.size < SUPPLY_DAYS_NEEDED) return null
  const all = [...own, ...elsewhere]
  const closed = closedDays(book, person, molecule, t, all, anything)
  const daysIn = (span: Span) => {
    const from = Math.max(span.from, first)
    const observed = new Set(daysOf(from, Math.min(span.to, t)).filter((day) => !closed.has(day)))
    const had = medicineDays(all.filter((one) => one.day >= from - CARRY_DAYS && one.day <= span.to))
    return { observed, covered: new Set([...observed].filter((day) => had.has(day))) }
  }
  const { observed, covered } = daysIn(window)
  // A person who died before the window has no day in it, so there is no share.
  if (observed.size === 0) return null
  const lastDay = Math.max(...here.map((one) => one.day))
  return {
    patient: person.id,
    molecule,
    first,
    from: window.from,
    to: Math.max(...observed),
    observed: observed.size,
    covered: covered.size,
    type: Math.max(...here.filter((one) => one.day === lastDay).map((one) => one.type ?? 0)),
    here,
    own,
    elsewhere,
    daysIn,
  }
}

/** Days up to t that are not observed: after a death, from a switch on, and after each cessation until the next supply. */
function closedDays(
  book: Book,
  person: Person,
  molecule: string,
  t: Day,
  all: readonly (Line | Leaked)[],
  anything: readonly Line[],
): Set<Day> {
  const closed = new Set<Day>()
  const close = (from: Day, to: Day) => {
    for (const day of daysOf(from, Math.min(to, t))) closed.add(day)
  }
  if (person.died !== null) close(person.died + 1, t)
  for (const ceased of book.cessations.get(pairKey(person.id, molecule)) ?? []) {
    const next = Math.min(...all.map((one) => one.day).filter((day) => day > ceased))
    close(ceased + 1, next - 1)
  }
  const last = Math.max(...all.map((one) => one.day))
  const old = book.medicines.get(molecule)!
  const switches = anything.filter((one) => one.day > last && replaces(book.medicines.get(one.molecule)!, old))
  if (switches.length > 0) close(Math.min(...switches.map((one) => one.day)), t)
  return closed
}

/** Whether a medicine replaces another: same ATC level 4, or a combination that contains it. */
export function replaces(other: Medicine, old: Medicine): boolean {
  if (!other.chronic || other.molecule === old.molecule) return false
  const sameGroup = old.atc !== null && other.atc !== null && old.atc.slice(0, 5) === other.atc.slice(0, 5)
  return sameGroup || partsOf(old).every((part) => partsOf(other).includes(part))
}

const partsOf = (medicine: Medicine) => medicine.components ?? [medicine.molecule]

/** Days with medicine: each supplied day, in order of the supplies, goes to the first free day from its date on. */
function medicineDays(supplies: readonly (Line | Leaked)[]): Set<Day> {
  const had = new Set<Day>()
  for (const supply of [...supplies].sort((a, b) => a.day - b.day)) {
    let day = supply.day
    for (let left = supply.days; left > 0; left--) {
      while (had.has(day)) day++
      had.add(day)
    }
  }
  return had
}

/** Every day from one to another, inclusive; empty if they are the wrong way round. */
export function daysOf(from: Day, to: Day): Day[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
}
