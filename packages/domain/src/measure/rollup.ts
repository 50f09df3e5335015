import { isAdherent } from '../dispensing/adherence.ts'
import type { Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'
import { daysIn, type MeasuredPair, opportunityCents } from './course.ts'
import { FigureSums } from './figure-sums.ts'
import { isRefundLine } from './line.ts'
import { firstFrom } from './order.ts'
import { Persistence } from './persistence-counts.ts'
import {
  coursesOf,
  daysOf,
  measuredAt,
  measuredAtEach,
  pairsAt,
  type Standing,
  type Surroundings,
  standingAt,
} from './person.ts'
import { type PharmacyRecord, typeAt } from './record.ts'
import { SpanIndex } from './span-index.ts'

/** Maps everything to cells of the category tables, numbered from 1; cell 0 is the total. */
export interface CellPlan {
  readonly count: number
  /** Cells of each molecule: its own, its drug type's, its condition's. */
  readonly ofMolecule: readonly (readonly number[])[]
  /** Cell of each person's sex, and of their age group at the end of each span. */
  readonly sexes: readonly number[]
  readonly ages: readonly (readonly number[])[]
  /** Cell of each patient type, 0 unknown. */
  readonly ofType: readonly number[]
}

/** The sums of a cell, money in cents, in the order of `Rollup.sumsOf`. */
export const SUMS = [
  'scripts',
  'cents',
  'patients',
  'pairs',
  'measured',
  'adherent',
  'observed',
  'covered',
  'opportunity',
  'leaked',
] as const
const WIDTH = SUMS.length
const at = (name: (typeof SUMS)[number]) => SUMS.indexOf(name)
const [SCRIPTS, CENTS, PATIENTS, LEAKED] = [at('scripts'), at('cents'), at('patients'), at('leaked')]
const [PAIRS, MEASURED, ADHERENT] = [at('pairs'), at('measured'), at('adherent')]
const [OBSERVED, COVERED, OPPORTUNITY] = [at('observed'), at('covered'), at('opportunity')]
/** The total and one cell of each category count each item; these are their positions in the list of cells. */
const [SEX, AGE, TYPE, MOLECULE] = [1, 2, 3, 4]
const CELLS = 7

/** People measured at the end of a span, judged by all their pairs together. */
export interface Judged {
  adherent: number
  nonAdherent: number
}

/**
 * The figures of one pharmacy, collected person by person: every cell of every span, how many people are adherent, and each person's state at the
 * end of the data. It keeps only sums; ratios are divided when they are read.
 */
export class Rollup {
  /** By span. */
  readonly judged: Judged[]
  /** By person, without those who have nothing to show. */
  readonly standing = new Map<number, Standing>()
  /** Sums of the pharmacy as a whole, by span. */
  readonly figures: FigureSums
  /** Medicines begun and how long they were taken. */
  readonly persistence: Persistence
  readonly #record: PharmacyRecord
  readonly #around: Surroundings
  readonly #spans: readonly Span[]
  readonly #plan: CellPlan
  readonly #dataTo: Day
  readonly #sums: Float64Array
  readonly #filled: Uint8Array
  /** The last person counted as a patient of a cell, so that each counts once. */
  readonly #lastPatient: Int32Array
  readonly #index: SpanIndex
  /** The cells of the item being added: the total and one of each category. */
  readonly #cells = new Int32Array(CELLS)
  /** Age group of the person being added, by span. */
  #ages: readonly number[] = []
  /** Scripts of the pair, by span and patient type; whether there are any. */
  readonly #scripts: Int32Array
  #scripted = false

  constructor(record: PharmacyRecord, around: Surroundings, spans: readonly Span[], plan: CellPlan, data: Span) {
    this.#record = record
    this.#around = around
    this.#spans = spans
    this.#plan = plan
    this.#dataTo = data.to
    this.judged = spans.map(() => ({ adherent: 0, nonAdherent: 0 }))
    const cells = spans.length * plan.count
    this.#sums = new Float64Array(cells * WIDTH)
    this.#filled = new Uint8Array(cells)
    this.#lastPatient = new Int32Array(cells).fill(-1)
    this.#index = new SpanIndex(spans)
    this.figures = new FigureSums(record, this.#index, data.from)
    this.persistence = new Persistence(data)
    this.#scripts = new Int32Array(spans.length * plan.ofType.length)
  }

  /** Adds all data of one person. */
  add(person: number): void {
    const [from, to] = [this.#record.personFrom[person] as number, this.#record.personFrom[person + 1] as number]
    if (from === to) return
    const open = coursesOf(this.#record, this.#around, person)
    const measured = measuredAtEach(open, this.#index.ends)
    this.#cells[SEX] = this.#plan.sexes[person] ?? 0
    this.#ages = this.#plan.ages[person] as readonly number[]
    const atEnds = this.#index.ends.map((_, end) => pairsAt(measured, end))
    this.#judge(atEnds)
    let course = 0
    for (let pair = from; pair < to; pair++) {
      const own = open.courses[course]?.pair === pair ? measured[course++] : null
      this.#addPair(person, pair, own ?? null)
    }
    this.figures.add(person, open, this.#around.died[person] ?? null, measured)
    this.persistence.add(open.courses, this.#record)
    const atEnd = atEnds[this.#index.ends.indexOf(this.#dataTo)] ?? measuredAt(open, this.#dataTo)
    const standing = standingAt(this.#record, person, atEnd, this.#dataTo)
    if (standing.pairs + standing.here + standing.leaked > 0) this.standing.set(person, standing)
  }

  /** The sums of a cell in the order of SUMS; null if the cell is empty. */
  sumsOf(span: number, cell: number): Float64Array | null {
    const index = span * this.#plan.count + cell
    return this.#filled[index] === 0 ? null : this.#sums.subarray(index * WIDTH, (index + 1) * WIDTH)
  }

  #judge(atEnds: readonly (readonly MeasuredPair[])[]): void {
    for (let end = 0; end < atEnds.length; end++) {
      const pairs = atEnds[end] as readonly MeasuredPair[]
      if (pairs.length === 0) continue
      const { observed, covered } = daysOf(pairs)
      const name = isAdherent(covered, observed) ? 'adherent' : 'nonAdherent'
      for (const span of this.#index.endingAt[end] as readonly number[]) (this.judged[span] as Judged)[name]++
    }
  }

  #addPair(person: number, pair: number, measured: readonly (MeasuredPair | null)[] | null): void {
    const cells = this.#plan.ofMolecule[this.#record.pairMolecule[pair] as number] as readonly number[]
    for (let n = 0; n < cells.length; n++) this.#cells[MOLECULE + n] = cells[n] as number
    this.#addLines(person, pair)
    this.#addSlots(pair)
    if (!measured) return
    for (let span = 0; span < this.#spans.length; span++) {
      const found = measured[this.#index.endOf[span] as number]
      if (found) this.#addMeasured(span, found)
    }
  }

  #addLines(person: number, pair: number): void {
    const { lines, pairFrom } = this.#record
    const [sums, cells, ofType] = [this.#sums, this.#cells, this.#plan.ofType]
    if (this.#scripted) this.#scripts.fill(0)
    this.#scripted = false
    const end = pairFrom[pair + 1] as number
    if ((lines.day[end - 1] as number) < this.#index.low) return
    this.#scripted = true
    for (let line = firstFrom(lines.day, pairFrom[pair] as number, end, this.#index.low); line < end; line++) {
      const cents = lines.cents[line] as number
      const refund = isRefundLine(lines, line)
      const type = lines.type[line] as number
      cells[TYPE] = ofType[type] as number
      for (const span of this.#index.of(lines.day[line] as number)) {
        cells[AGE] = this.#ages[span] as number
        const typed = span * ofType.length + type
        if (!refund) this.#scripts[typed] = (this.#scripts[typed] as number) + 1
        for (let n = 0; n < CELLS; n++) {
          const cell = this.#cellOf(span, n)
          const first = cell * WIDTH
          sums[first + CENTS] = (sums[first + CENTS] as number) + cents
          if (refund) continue
          sums[first + SCRIPTS] = (sums[first + SCRIPTS] as number) + 1
          if (this.#lastPatient[cell] === person) continue
          this.#lastPatient[cell] = person
          sums[first + PATIENTS] = (sums[first + PATIENTS] as number) + 1
        }
      }
    }
  }

  #addSlots(pair: number): void {
    const { slots } = this.#record
    const end = slots.from[pair + 1] as number
    for (let slot = firstFrom(slots.day, slots.from[pair] as number, end, this.#index.low); slot < end; slot++) {
      this.#cells[TYPE] = this.#plan.ofType[slots.type[slot] as number] as number
      for (const span of this.#index.of(slots.day[slot] as number)) {
        this.#cells[AGE] = this.#ages[span] as number
        for (let n = 0; n < CELLS; n++) this.#plus(this.#cellOf(span, n), LEAKED, 1)
      }
    }
  }

  /**
   * A measured pair counts even if it has no script in the span: its days count under the type of its last script, and each script under its own
   * type.
   */
  #addMeasured(span: number, { course, observed, covered, end }: MeasuredPair): void {
    const stretch = this.#spans[span] as Span
    const adherent = isAdherent(covered, observed)
    const days = daysIn(course, stretch, end)
    const cost = opportunityCents(course, stretch, days.observed - days.covered)
    const { ofType } = this.#plan
    this.#cells[AGE] = this.#ages[span] as number
    this.#cells[TYPE] = ofType[typeAt(this.#record, course.pair, stretch.to)] as number
    let scripts = 0
    for (let type = 0; type < ofType.length; type++) {
      const own = this.#scripts[span * ofType.length + type] as number
      if (own > 0) this.#addScripts(span * this.#plan.count + (ofType[type] as number), own, adherent)
      scripts += own
    }
    for (let n = 0; n < CELLS; n++) {
      const cell = this.#cellOf(span, n)
      this.#plus(cell, PAIRS, 1)
      this.#plus(cell, OBSERVED, days.observed)
      this.#plus(cell, COVERED, days.covered)
      this.#plus(cell, OPPORTUNITY, cost)
      if (n !== TYPE) this.#addScripts(cell, scripts, adherent)
    }
  }

  #addScripts(cell: number, scripts: number, adherent: boolean): void {
    this.#plus(cell, MEASURED, scripts)
    if (adherent) this.#plus(cell, ADHERENT, scripts)
  }

  #cellOf(span: number, n: number): number {
    const cell = span * this.#plan.count + (this.#cells[n] as number)
    this.#filled[cell] = 1
    return cell
  }

  #plus(cell: number, sum: number, value: number): void {
    const index = cell * WIDTH + sum
    this.#sums[index] = (this.#sums[index] as number) + value
  }
}
