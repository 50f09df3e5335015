import { positions, sortedBy, startsOf } from '../measure/order.ts'
import { THIRTY_DAY_MOST } from './choices.ts'
import { SIXTY_DAY_SUMS, type SixtyDaySum } from './figure.ts'

/** A pharmacy's counted dispense lines of the base, as columns of one length: neither reversed nor deferred, of real people. */
export interface SixtyDayLines {
  /** Number of the person and of the drug, counted from 0. */
  readonly person: Int32Array
  readonly drug: Int32Array
  readonly day: Int32Array
  /** Days' supply. */
  readonly days: Int32Array
  /** Patient price and government amount together; negative for a refund, which counts only in revenue. */
  readonly cents: Int32Array
}

/** A pharmacy's drug according to the list of 60-day items. */
export interface SixtyDayDrug {
  readonly molecule: number
  /** Stage of the policy; 0 for a medicine that may not be dispensed for 60 days. */
  readonly tranche: number
  /** Whether its item code is dispensed for 60 days only. */
  readonly sixtyCode: boolean
}

/** The cells in which people and molecules are counted. Cell 0 is the total. */
export interface SixtyDayCells {
  readonly count: number
  /** The cells of a molecule: condition and molecule. */
  readonly ofMolecule: readonly (readonly number[])[]
  /** The cells of a person: age group. */
  readonly ofPerson: readonly (readonly number[])[]
}

export interface SixtyDayFacts {
  readonly drugs: readonly SixtyDayDrug[]
  readonly cells: SixtyDayCells
  readonly sexes: readonly ('F' | 'M' | null)[]
  /** By molecule: whether it is in short supply now. */
  readonly short: readonly boolean[]
}

const WIDTH = SIXTY_DAY_SUMS.length
const at = (name: SixtyDaySum) => SIXTY_DAY_SUMS.indexOf(name)
const [SCRIPTS, PATIENTS, VISITS, ELIGIBLE, SIXTY] = [
  ...[at('scripts'), at('patients'), at('visits'), at('eligible_supplies'), at('sixty_supplies')],
] as [number, number, number, number, number]
const [AFFECTED, AFFECTED_PATIENTS, CENTS, AFFECTED_VISITS] = [
  ...[at('affected_scripts'), at('affected_patients'), at('affected_cents'), at('affected_visits')],
] as [number, number, number, number]
const [FEMALE, MALE, PAIRS, VISIT_PAIRS] = [
  ...[at('female_patients'), at('male_patients'), at('script_pairs'), at('visit_pairs')],
] as [number, number, number, number]
const [SHORT_PATIENTS, SHORT_SCRIPTS] = [at('shortage_patients'), at('shortage_scripts')]

/**
 * The sums of one pharmacy over the base, for one tranche (decision 044). Supplies are counted in 30-day equivalents: a 60-day supply counts as
 * two. A patient's medicine is affected from its second supply on. The generator pauses after each person, so that other work gets its turn.
 * @param scope 0 for all tranches, else the stage
 * @returns the sums of a cell in the order of SIXTY_DAY_SUMS
 */
export function* measureSixtyDay(
  lines: SixtyDayLines,
  facts: SixtyDayFacts,
  scope: number,
): Generator<undefined, (cell: number) => Float64Array> {
  const sums = new Float64Array(facts.cells.count * WIDTH)
  const order = sortedBy(sortedBy(positions(lines.day.length), lines.day), lines.person)
  const people = facts.sexes.length
  const owners = Int32Array.from(order, (line) => lines.person[line] as number)
  const starts = startsOf(owners, people)
  const one = new OnePerson(lines, facts, scope, sums)
  for (let person = 0; person < people; person++) {
    const [from, to] = [starts[person] as number, starts[person + 1] as number]
    if (to === from) continue
    one.count(person, order.subarray(from, to))
    yield
  }
  return (cell) => sums.subarray(cell * WIDTH, (cell + 1) * WIDTH)
}

/** Adds one person after another to the sums. */
class OnePerson {
  readonly #lines: SixtyDayLines
  readonly #facts: SixtyDayFacts
  readonly #scope: number
  readonly #sums: Float64Array
  /** 30-day equivalents of the person's eligible supplies, by molecule. */
  readonly #supplies = new Map<number, number>()

  constructor(lines: SixtyDayLines, facts: SixtyDayFacts, scope: number, sums: Float64Array) {
    this.#lines = lines
    this.#facts = facts
    this.#scope = scope
    this.#sums = sums
  }

  /** @param own the person's lines, in order of days */
  count(person: number, own: Uint32Array): void {
    const supplied = own.filter((line) => (this.#lines.cents[line] as number) >= 0)
    this.#supplies.clear()
    for (const line of supplied) {
      if (!this.#inScope(line)) continue
      const { molecule } = this.#drug(line)
      this.#supplies.set(molecule, (this.#supplies.get(molecule) ?? 0) + this.#weight(line))
    }
    this.#countLines(person, own, supplied)
    this.#countPairs(person)
    this.#countVisits(person, supplied)
  }

  #countLines(person: number, own: Uint32Array, supplied: Uint32Array): void {
    const seen = new Set<number>()
    for (const line of supplied) {
      const eligible = this.#inScope(line)
      const sixty = eligible && this.#weight(line) === 2
      for (const cell of this.#cellsOf(person, line)) {
        this.#add(cell, SCRIPTS, this.#weight(line))
        if (eligible) this.#add(cell, ELIGIBLE, 1)
        if (sixty) this.#add(cell, SIXTY, 1)
        seen.add(cell)
      }
    }
    for (const cell of seen) this.#add(cell, PATIENTS, 1)
    for (const line of own) {
      if (!this.#affected(line)) continue
      for (const cell of this.#cellsOf(person, line)) this.#add(cell, CENTS, this.#lines.cents[line] as number)
    }
  }

  /** Derives from the number of supplies of each medicine the affected people and scripts, and the pairs that one supply would replace. */
  #countPairs(person: number): void {
    const affected = new Set<number>()
    const short = new Set<number>()
    for (const [molecule, supplies] of this.#supplies) {
      if (supplies < 2) continue
      const isShort = this.#facts.short[molecule] === true
      for (const cell of this.#cells(person, molecule)) {
        this.#add(cell, AFFECTED, supplies)
        this.#add(cell, PAIRS, Math.floor(supplies / 2))
        if (isShort) this.#add(cell, SHORT_SCRIPTS, supplies)
        affected.add(cell)
        if (isShort) short.add(cell)
      }
    }
    const sex = this.#facts.sexes[person]
    for (const cell of affected) {
      this.#add(cell, AFFECTED_PATIENTS, 1)
      if (sex) this.#add(cell, sex === 'F' ? FEMALE : MALE, 1)
    }
    for (const cell of short) this.#add(cell, SHORT_PATIENTS, 1)
  }

  /** A visit is a day with a supply. A visit with only affected scripts would not happen without them. */
  #countVisits(person: number, supplied: Uint32Array): void {
    const alone = new Map<number, number>()
    for (let from = 0; from < supplied.length; ) {
      const day = this.#lines.day[supplied[from] as number]
      let to = from
      while (to < supplied.length && this.#lines.day[supplied[to] as number] === day) to++
      const visit = supplied.subarray(from, to)
      const affected = visit.filter((line) => this.#affected(line))
      const cellsOf = (some: Uint32Array) => new Set([...some].flatMap((line) => this.#cellsOf(person, line)))
      for (const cell of cellsOf(visit)) this.#add(cell, VISITS, 1)
      for (const cell of cellsOf(affected)) {
        this.#add(cell, AFFECTED_VISITS, 1)
        if (affected.length === visit.length) alone.set(cell, (alone.get(cell) ?? 0) + 1)
      }
      from = to
    }
    for (const [cell, visits] of alone) this.#add(cell, VISIT_PAIRS, Math.floor(visits / 2))
  }

  #add(cell: number, sum: number, amount: number): void {
    this.#sums[cell * WIDTH + sum] = (this.#sums[cell * WIDTH + sum] as number) + amount
  }

  #drug = (line: number): SixtyDayDrug => this.#facts.drugs[this.#lines.drug[line] as number] as SixtyDayDrug

  #inScope(line: number): boolean {
    const { tranche } = this.#drug(line)
    return tranche !== 0 && (this.#scope === 0 || tranche === this.#scope)
  }

  #affected = (line: number): boolean =>
    this.#inScope(line) && (this.#supplies.get(this.#drug(line).molecule) ?? 0) >= 2

  /** 30-day equivalents of a supply, regardless of the tranche. */
  #weight(line: number): 1 | 2 {
    const { tranche, sixtyCode } = this.#drug(line)
    return tranche !== 0 && (sixtyCode || (this.#lines.days[line] as number) > THIRTY_DAY_MOST) ? 2 : 1
  }

  #cellsOf = (person: number, line: number): number[] => this.#cells(person, this.#drug(line).molecule)
  #cells = (person: number, molecule: number): number[] => [
    0,
    ...(this.#facts.cells.ofMolecule[molecule] ?? []),
    ...(this.#facts.cells.ofPerson[person] ?? []),
  ]
}
