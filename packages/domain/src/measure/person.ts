import { INACTIVE_DAYS } from '../dispensing/adherence.ts'
import { LOYALTY_DAYS } from '../dispensing/loyalty.ts'
import type { Day } from '../time/day.ts'
import { type Course, courseOf, type Days, type MeasuredPair, measureAt } from './course.ts'
import { isRefundLine } from './line.ts'
import { firstFrom } from './order.ts'
import type { PharmacyRecord } from './record.ts'

/** What measuring needs apart from the lines. */
export interface Surroundings {
  /** Day of death of each person; null for the living. */
  readonly died: readonly (Day | null)[]
  /** Days on which a prescription of a person's molecule was ceased, by `pairKey`. */
  readonly ceased: ReadonlyMap<number, readonly Day[]>
  /** For each molecule, the molecules that replace it (replacement.ts). */
  readonly replacedBy: readonly (readonly number[])[]
}

/** Above any number of molecules. */
const MOLECULES = 2 ** 24
/** A single key for a person and a molecule. */
export const pairKey = (person: number, molecule: number): number => person * MOLECULES + molecule

/** All measured data of one person. */
export interface PersonCourses {
  readonly courses: readonly Course[]
  /** Days with a supply of anything, ascending. */
  readonly visits: Int32Array
  /** Those of them up to a death: nothing is supplied to the dead, so that later ones keep nobody active. */
  readonly visitsAlive: Int32Array
}

/** A person's courses of the measured molecules, and the days of their visits. */
export function coursesOf(record: PharmacyRecord, around: Surroundings, person: number): PersonCourses {
  const from = record.personFrom[person] as number
  const to = record.personFrom[person + 1] as number
  const courses: Course[] = []
  for (let pair = from; pair < to; pair++) {
    if (!isContinuous(record, pair)) continue
    const molecule = record.pairMolecule[pair] as number
    const course = courseOf(record, pair, {
      died: around.died[person] ?? null,
      ceased: around.ceased.get(pairKey(person, molecule)) ?? [],
      replaced: suppliesOf(record, { from, to }, around.replacedBy[molecule] ?? []),
    })
    if (course) courses.push(course)
  }
  const visits = visitsOf(record, from, to)
  const died = around.died[person] ?? null
  const alive = died === null ? visits.length : firstFrom(visits, 0, visits.length, died + 1)
  return { courses, visits, visitsAlive: visits.subarray(0, alive) }
}

/** Whether a pair has a supply made here as a medicine taken continuously; most pairs have none. */
function isContinuous({ lines, pairFrom }: PharmacyRecord, pair: number): boolean {
  const end = pairFrom[pair + 1] as number
  for (let at = pairFrom[pair] as number; at < end; at++)
    if (lines.continuous[at] === 1 && !isRefundLine(lines, at)) return true
  return false
}

/** Days on which one of the molecules was supplied here as a medicine taken continuously. */
function suppliesOf(record: PharmacyRecord, pairs: { from: number; to: number }, molecules: readonly number[]): Day[] {
  if (molecules.length === 0) return []
  const { lines, pairFrom, pairMolecule } = record
  const days: Day[] = []
  for (let pair = pairs.from; pair < pairs.to; pair++) {
    if (!molecules.includes(pairMolecule[pair] as number)) continue
    for (let at = pairFrom[pair] as number; at < (pairFrom[pair + 1] as number); at++)
      if (lines.continuous[at] === 1 && !isRefundLine(lines, at)) days.push(lines.day[at] as number)
  }
  return days.sort((a, b) => a - b)
}

function visitsOf({ lines, pairFrom }: PharmacyRecord, from: number, to: number): Int32Array {
  const [first, last] = [pairFrom[from] as number, pairFrom[to] as number]
  const days = new Int32Array(last - first)
  let count = 0
  for (let at = first; at < last; at++) if (!isRefundLine(lines, at)) days[count++] = lines.day[at] as number
  return days.subarray(0, count).sort()
}

/** Whether a person had a supply of anything in the 180 days to `t`, dead or alive: nobody else can have been active. */
export function isActive({ lines, pairFrom, personFrom }: PharmacyRecord, person: number, t: Day): boolean {
  const last = pairFrom[personFrom[person + 1] as number] as number
  for (let at = pairFrom[personFrom[person] as number] as number; at < last; at++) {
    const day = lines.day[at] as number
    if (day <= t && t - day < INACTIVE_DAYS && !isRefundLine(lines, at)) return true
  }
  return false
}

/** The pairs of a person measured at day `t`; none of one who is inactive: without a supply of anything for 180 days. */
export function measuredAt({ courses, visitsAlive }: PersonCourses, t: Day): MeasuredPair[] {
  if (!wasActiveAt(visitsAlive, t)) return []
  return courses.map((course) => measureAt(course, t)).filter((pair) => pair !== null)
}

function wasActiveAt(visits: Int32Array, t: Day): boolean {
  const at = firstFrom(visits, 0, visits.length, t + 1) - 1
  return at >= 0 && t - (visits[at] as Day) < INACTIVE_DAYS
}

/** A person's courses, in order, as measured at each of some days; null for a course measured on none of them. */
export type MeasuredCourses = readonly (readonly (MeasuredPair | null)[] | null)[]

/** The courses of a person measured at each of some days, by the rules of `measuredAt`. */
export function measuredAtEach(
  { courses, visitsAlive }: Pick<PersonCourses, 'courses' | 'visitsAlive'>,
  days: readonly Day[],
): MeasuredCourses {
  const measured: ((MeasuredPair | null)[] | null)[] = courses.map(() => null)
  if (courses.length === 0) return measured
  for (const [at, t] of days.entries()) {
    if (!wasActiveAt(visitsAlive, t)) continue
    for (let n = 0; n < courses.length; n++) {
      const one = measureAt(courses[n] as Course, t)
      if (!one) continue
      const own = measured[n] ?? new Array<MeasuredPair | null>(days.length).fill(null)
      own[at] = one
      measured[n] = own
    }
  }
  return measured
}

/** The pairs measured on one of the days, by its position. */
export function pairsAt(measured: MeasuredCourses, at: number): MeasuredPair[] {
  const pairs: MeasuredPair[] = []
  for (const course of measured) {
    const one = course?.[at]
    if (one) pairs.push(one)
  }
  return pairs
}

/** The days of measured pairs, added up. */
export function daysOf(pairs: readonly MeasuredPair[]): Days {
  let [observed, covered] = [0, 0]
  for (const one of pairs) {
    observed += one.observed
    covered += one.covered
  }
  return { observed, covered }
}

/** A person's state at a day: days of the measured pairs, and slots of the 365 days up to it. */
export interface Standing {
  /** The number of measured pairs. */
  pairs: number
  observed: number
  covered: number
  here: number
  leaked: number
}

/** @param measured the person's pairs measured at `t` */
export function standingAt(
  record: PharmacyRecord,
  person: number,
  measured: readonly MeasuredPair[],
  t: Day,
): Standing {
  const standing = { pairs: measured.length, ...daysOf(measured), here: 0, leaked: 0 }
  const { lines, slots, pairFrom, personFrom } = record
  const [from, to] = [personFrom[person] as number, personFrom[person + 1] as number]
  const recent = (day: number) => day > t - LOYALTY_DAYS && day <= t
  for (let at = pairFrom[from] as number; at < (pairFrom[to] as number); at++)
    if (recent(lines.day[at] as number) && !isRefundLine(lines, at)) standing.here++
  for (let at = slots.from[from] as number; at < (slots.from[to] as number); at++)
    if (recent(slots.day[at] as number)) standing.leaked++
  return standing
}
