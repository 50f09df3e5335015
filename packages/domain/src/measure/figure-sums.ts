import { isAdherent, WINDOW_DAYS } from '../dispensing/adherence.ts'
import { DAYS_BASES, type DaysBasis } from '../dispensing/days-supply.ts'
import type { Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'
import { type Course, courseOf, type MeasuredPair } from './course.ts'
import { hasLapsed } from './lapsed-pair.ts'
import { isRefundLine, NO_COST } from './line.ts'
import { firstFrom } from './order.ts'
import { daysOf, type MeasuredCourses, measuredAtEach, type PersonCourses, pairsAt } from './person.ts'
import type { PharmacyRecord } from './record.ts'
import { dueDays, isMissed, type OpenRepeat } from './repeat.ts'
import type { SpanIndex } from './span-index.ts'
import { lapses, visitorAt } from './visitor.ts'

/** The sums of a pharmacy as a whole, beside the total of its cells; money in cents. `own`: without supplies made elsewhere. */
export const FIGURE_SUMS = [
  'own_adherent_patients',
  'own_measured_patients',
  'own_measured_pairs',
  'own_measured_scripts',
  'own_adherent_scripts',
  'lapsed_pairs',
  'lapsed_pair_patients',
  'costed_scripts',
  'costed_revenue_cents',
  'cost_cents',
  'new_patients',
  'returning_patients',
  'retained_patients',
  'unplaced_patients',
  'lapsed_patients',
  'patient_molecules',
  'repeats_due',
  'repeats_missed',
  'eligible_scripts',
  'sixty_day_scripts',
  'source_days',
  'directions_days',
  'pack_days',
  'imputed_days',
] as const
export type FigureSum = (typeof FIGURE_SUMS)[number]

/** The sums that change when people known at several pharmacies count once; the others are about scripts, money and prescriptions. */
export const PEOPLE_SUMS = [
  'own_adherent_patients',
  'own_measured_patients',
  'own_measured_pairs',
  'own_measured_scripts',
  'own_adherent_scripts',
  'lapsed_pairs',
  'lapsed_pair_patients',
  'new_patients',
  'returning_patients',
  'retained_patients',
  'unplaced_patients',
  'lapsed_patients',
  'patient_molecules',
] as const satisfies readonly FigureSum[]
const WIDTH = FIGURE_SUMS.length
const at = (name: FigureSum) => FIGURE_SUMS.indexOf(name)
/** Looked up once, not for every line: V8 keeps discarding the code it compiles for a lookup by name here. */
const [COSTED, COSTED_REVENUE, COST] = [at('costed_scripts'), at('costed_revenue_cents'), at('cost_cents')]
const [ELIGIBLE, SIXTY_DAY] = [at('eligible_scripts'), at('sixty_day_scripts')]
const [DUE, MISSED] = [at('repeats_due'), at('repeats_missed')]
const [LAPSED, LAPSED_PAIRS, LAPSED_PAIR_PATIENTS] = [
  at('lapsed_patients'),
  at('lapsed_pairs'),
  at('lapsed_pair_patients'),
]
const MOLECULES = at('patient_molecules')
const [OWN_PATIENTS, OWN_ADHERENT_PATIENTS] = [at('own_measured_patients'), at('own_adherent_patients')]
const [OWN_PAIRS, OWN_SCRIPTS, OWN_ADHERENT] = [
  at('own_measured_pairs'),
  at('own_measured_scripts'),
  at('own_adherent_scripts'),
]

const SUM_OF_BASIS: Readonly<Record<DaysBasis, number>> = {
  source: at('source_days'),
  directions: at('directions_days'),
  default: at('pack_days'),
  ddd: at('imputed_days'),
  thirty: at('imputed_days'),
}
const VISITORS = {
  new: at('new_patients'),
  returning: at('returning_patients'),
  retained: at('retained_patients'),
  unplaced: at('unplaced_patients'),
} as const
/** Where days of each basis are summed, by its stored number; an unknown basis counts as imputed. */
const BASES = [at('imputed_days'), ...DAYS_BASES.map((basis) => SUM_OF_BASIS[basis])]

/** Sums of one pharmacy by span, collected person by person. */
export class FigureSums {
  readonly #record: PharmacyRecord
  readonly #index: SpanIndex
  readonly #dataFrom: Day
  readonly #sums: Float64Array
  /** By span: the person who counted last, so that each counts once; the pair that counted last; and the scripts of the pair being added. */
  readonly #visitor: Int32Array
  readonly #lapser: Int32Array
  readonly #pair: Int32Array
  readonly #scripts: Int32Array
  readonly #lastEnd: Day

  constructor(record: PharmacyRecord, index: SpanIndex, dataFrom: Day) {
    this.#record = record
    this.#index = index
    this.#dataFrom = dataFrom
    this.#lastEnd = Math.max(...index.ends)
    const count = index.spans.length
    this.#sums = new Float64Array(count * WIDTH)
    this.#visitor = new Int32Array(count).fill(-1)
    this.#lapser = new Int32Array(count).fill(-1)
    this.#pair = new Int32Array(count).fill(-1)
    this.#scripts = new Int32Array(count)
  }

  /** The sums of a span in the order of FIGURE_SUMS. */
  of(span: number): Float64Array {
    return this.#sums.subarray(span * WIDTH, (span + 1) * WIDTH)
  }

  /** @param measured the person's courses measured at each of the index's ends */
  add(person: number, open: PersonCourses, died: Day | null, measured: MeasuredCourses): void {
    this.#addVisits(person, open.visits, died)
    this.#addLapsed(open)
    const own = this.#withoutElsewhere(open, measured)
    this.#judge(own.measured)
    const { personFrom } = this.#record
    const end = personFrom[person + 1] as number
    let course = 0
    for (let pair = personFrom[person] as number; pair < end; pair++) {
      const ofPair = own.courses[course]?.pair === pair ? own.measured[course++] : null
      if (this.#addLines(pair) && ofPair) this.#addOwn(ofPair)
    }
  }

  addRepeats(repeats: Iterable<OpenRepeat>): void {
    const { spans, ends, endingAt } = this.#index
    const order = Uint32Array.from(ends.keys()).sort((one, other) => (ends[one] as Day) - (ends[other] as Day))
    const days = Int32Array.from(order, (end) => ends[end] as Day)
    for (const repeat of repeats) {
      for (const span of this.#index.of(repeat.due))
        if (isMissed(repeat, (spans[span] as Span).to)) this.#plus(span, MISSED, 1)
      // Many days are requested, but a repeat is due on few of them.
      const { from, to } = dueDays(repeat)
      for (let at = firstFrom(days, 0, days.length, from); at < days.length && (days[at] as Day) <= to; at++)
        for (const span of endingAt[order[at] as number] as readonly number[]) this.#plus(span, DUE, 1)
    }
  }

  #plus(span: number, sum: number, value: number): void {
    const index = span * WIDTH + sum
    this.#sums[index] = (this.#sums[index] as number) + value
  }

  #addVisits(person: number, visits: Int32Array, died: Day | null): void {
    const first = firstFrom(visits, 0, visits.length, this.#index.low)
    for (let n = first; n < visits.length; n++) {
      const visit = visits[n] as Day
      for (const span of this.#index.of(visit)) {
        if (this.#visitor[span] === person) continue
        this.#visitor[span] = person
        this.#plus(span, VISITORS[visitorAt(visit, n === 0 ? null : (visits[n - 1] as Day), this.#dataFrom)], 1)
      }
    }
    for (const day of lapses(visits, died, this.#index.low))
      for (const span of this.#index.of(day)) {
        if (this.#lapser[span] === person) continue
        this.#lapser[span] = person
        this.#plus(span, LAPSED, 1)
      }
  }

  #addLapsed({ courses, visits }: PersonCourses): void {
    const { ends, endingAt } = this.#index
    const paused = courses.filter((course) => hasLongPause(course, this.#lastEnd))
    if (paused.length === 0) return
    for (let end = 0; end < ends.length; end++) {
      let count = 0
      for (const course of paused) if (hasLapsed(course, visits, ends[end] as Day)) count++
      if (count === 0) continue
      for (const span of endingAt[end] as readonly number[]) {
        this.#plus(span, LAPSED_PAIRS, count)
        this.#plus(span, LAPSED_PAIR_PATIENTS, 1)
      }
    }
  }

  /** The measurement without supplies made elsewhere. */
  #withoutElsewhere(open: PersonCourses, measured: MeasuredCourses) {
    if (!open.courses.some(hasElsewhere)) return { courses: open.courses, measured }
    const courses = open.courses.flatMap((course) => {
      if (!hasElsewhere(course)) return [course]
      return courseOf(this.#record, course.pair, course.endings, false) ?? []
    })
    return { courses, measured: measuredAtEach({ ...open, courses }, this.#index.ends) }
  }

  #judge(own: MeasuredCourses): void {
    if (own.length === 0) return
    const { ends, endingAt } = this.#index
    for (let end = 0; end < ends.length; end++) {
      const pairs = pairsAt(own, end)
      if (pairs.length === 0) continue
      const { observed, covered } = daysOf(pairs)
      const adherent = isAdherent(covered, observed)
      for (const span of endingAt[end] as readonly number[]) {
        this.#plus(span, OWN_PATIENTS, 1)
        this.#plus(span, OWN_PAIRS, pairs.length)
        if (adherent) this.#plus(span, OWN_ADHERENT_PATIENTS, 1)
      }
    }
  }

  /** @returns whether any span contains a line of the pair */
  #addLines(pair: number): boolean {
    const { lines, pairFrom } = this.#record
    const { day, cost, cents, days, basis, sixty, continuous } = lines
    const sums = this.#sums
    const end = pairFrom[pair + 1] as number
    if ((day[end - 1] as number) < this.#index.low) return false
    this.#scripts.fill(0)
    for (let line = firstFrom(day, pairFrom[pair] as number, end, this.#index.low); line < end; line++) {
      const costed = cost[line] !== NO_COST
      const refund = isRefundLine(lines, line)
      for (const span of this.#index.of(day[line] as number)) {
        const row = span * WIDTH
        if (costed) {
          add(sums, row + COSTED_REVENUE, cents[line] as number)
          add(sums, row + COST, cost[line] as number)
        }
        if (refund) continue
        if (costed) add(sums, row + COSTED, 1)
        this.#countPair(span, pair)
        if ((sixty[line] as number) > 0) add(sums, row + ELIGIBLE, 1)
        if (sixty[line] === 2) add(sums, row + SIXTY_DAY, 1)
        if (continuous[line] === 1) add(sums, row + (BASES[basis[line] as number] as number), days[line] as number)
      }
    }
    return true
  }

  /** Counts a script of the pair, and the pair once. */
  #countPair(span: number, pair: number): void {
    this.#scripts[span] = (this.#scripts[span] as number) + 1
    if (this.#pair[span] === pair) return
    this.#pair[span] = pair
    this.#plus(span, MOLECULES, 1)
  }

  /** Scripts of the pair added last, if it is measured without supplies made elsewhere. */
  #addOwn(own: readonly (MeasuredPair | null)[]): void {
    const { endOf } = this.#index
    for (let span = 0; span < endOf.length; span++) {
      const one = own[endOf[span] as number]
      const scripts = this.#scripts[span] as number
      if (!one || scripts === 0) continue
      this.#plus(span, OWN_SCRIPTS, scripts)
      if (isAdherent(one.covered, one.observed)) this.#plus(span, OWN_ADHERENT, scripts)
    }
  }
}

const add = (sums: Float64Array, at: number, value: number) => {
  sums[at] = (sums[at] as number) + value
}

const hasElsewhere = ({ cents }: Course) => cents.includes(-1)

/** Whether a medicine was not supplied for a whole window; only such a medicine can have lapsed. */
function hasLongPause({ day }: Course, lastEnd: Day): boolean {
  let next = lastEnd + 1
  for (let at = day.length - 1; at >= 0; at--) {
    const supplied = day[at] as Day
    if (Math.min(next, lastEnd + 1) - supplied >= WINDOW_DAYS) return true
    next = supplied
  }
  return false
}
