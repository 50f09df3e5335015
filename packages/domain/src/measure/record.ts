import type { Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'
import { isRefundLine, type LineColumns, lineColumns, picked } from './line.ts'
import { positions, sortedBy, startsOf } from './order.ts'
import { findSlots, type Slots, suppliesOfPrescriptions } from './slot.ts'

/** One pharmacy's counted dispense lines (neither deferred nor reversed, of real people), sorted once for everything that is measured. */
export interface PharmacyRecord {
  /** In order of person, molecule and day. */
  readonly lines: LineColumns
  /** Number of people and molecules. */
  readonly people: number
  readonly molecules: number
  /** A pair is a person and a molecule with at least one line. Pairs are in order of their lines: entry p to p + 1 are a pair's lines. */
  readonly pairFrom: Uint32Array
  readonly pairPerson: Int32Array
  readonly pairMolecule: Int32Array
  /** Entry p to p + 1 are the pairs of a person. */
  readonly personFrom: Uint32Array
  readonly slots: Slots
  /** Lines with a supply number on a prescription, refunds left out, by the number of the prescription. */
  readonly supplies: Uint32Array
}

/**
 * Sorts lines by person, molecule and day, and finds the slots that went elsewhere.
 * @param dataFrom first day of the pharmacy's data: slots before it are unseen
 */
export function arrange(lines: LineColumns, people: number, molecules: number, dataFrom: Day): PharmacyRecord {
  const count = lines.day.length
  const sorted = inOrder(lines)
  const { person, molecule } = sorted
  const pairOf = new Int32Array(count)
  const starts = new Uint32Array(count + 1)
  let pairs = 0
  for (let at = 0; at < count; at++) {
    if (at === 0 || person[at] !== person[at - 1] || molecule[at] !== molecule[at - 1]) starts[pairs++] = at
    pairOf[at] = pairs - 1
  }
  const first = starts.subarray(0, pairs)
  starts[pairs] = count
  const supplies = suppliesOfPrescriptions(sorted)
  const pairPerson = picked(person, first)
  return {
    ...{ lines: sorted, people, molecules, pairPerson },
    pairFrom: starts.slice(0, pairs + 1),
    pairMolecule: picked(molecule, first),
    personFrom: startsOf(pairPerson, people),
    ...{ supplies, slots: findSlots(sorted, supplies, pairOf, pairs, dataFrom) },
  }
}

/** Lines in order of person, molecule and day; the same object if they already are. */
function inOrder(lines: LineColumns): LineColumns {
  const { person, molecule, day } = lines
  const count = day.length
  let at = 1
  while (at < count && !comesBefore(person, molecule, day, at)) at++
  if (at >= count) return lines
  const order = sortedBy(sortedBy(sortedBy(positions(count), day), molecule), person)
  return lineColumns((name) => picked(lines[name], order))
}

/** Whether a line belongs before the one in front of it. */
function comesBefore(person: Int32Array, molecule: Int32Array, day: Int32Array, at: number): boolean {
  if (person[at] !== person[at - 1]) return (person[at] as number) < (person[at - 1] as number)
  if (molecule[at] !== molecule[at - 1]) return (molecule[at] as number) < (molecule[at - 1] as number)
  return (day[at] as number) < (day[at - 1] as number)
}

/** Patient type of a pair's last script up to a day; the highest if a day has several, 0 without any. */
export function typeAt({ lines, pairFrom }: PharmacyRecord, pair: number, on: Day): number {
  let type = 0
  let last: Day | null = null
  for (let line = (pairFrom[pair + 1] as number) - 1; line >= (pairFrom[pair] as number); line--) {
    const day = lines.day[line] as number
    if (last !== null && day !== last) break
    if (day > on || isRefundLine(lines, line)) continue
    last = day
    type = Math.max(type, lines.type[line] as number)
  }
  return type
}

/** Scripts of a pair in a span. @param type only scripts of this patient type; all when null */
export function scriptsIn({ lines, pairFrom }: PharmacyRecord, pair: number, span: Span, type: number | null): number {
  let scripts = 0
  for (let line = pairFrom[pair] as number; line < (pairFrom[pair + 1] as number); line++) {
    const day = lines.day[line] as number
    if (day < span.from || day > span.to || isRefundLine(lines, line)) continue
    if (type === null || lines.type[line] === type) scripts++
  }
  return scripts
}
