import { leakedDate, type SeenSupply } from '../dispensing/loyalty.ts'
import type { Day } from '../time/day.ts'
import { isRefundLine, type LineColumns, picked } from './line.ts'
import { positions, sortedBy, sortedWithin, startsOf } from './order.ts'

/** Slots of prescriptions that were supplied elsewhere, in order of pair and day. */
export interface Slots {
  /** Entry p to p + 1 are the slots of a pair. */
  readonly from: Uint32Array
  readonly day: Int32Array
  readonly days: Int32Array
  readonly type: Int32Array
  readonly continuous: Int32Array
}

interface Found {
  pair: number[]
  day: number[]
  days: number[]
  type: number[]
  continuous: number[]
}

/** Positions of lines with a supply number on a prescription, refunds left out, by the number of the prescription. */
export function suppliesOfPrescriptions(lines: LineColumns): Uint32Array {
  const numbered = new Uint32Array(lines.day.length)
  let count = 0
  for (let at = 0; at < numbered.length; at++)
    if ((lines.prescription[at] as number) >= 0 && (lines.number[at] as number) >= 1 && !isRefundLine(lines, at))
      numbered[count++] = at
  return sortedBy(numbered.subarray(0, count), lines.prescription)
}

/**
 * Slots below the highest one seen that were not supplied here (loyalty.ts: leakedDate), by prescription and person, so that a person's slots
 * never depend on somebody else whom a source puts on the same prescription. Among lines with the same number the earliest counts. A slot takes
 * its details from the seen supply before it, else from the one after it. Slots before `dataFrom`, or before the first day of the dispensing
 * system that sent the prescription, are unseen and left out.
 * @param supplies from suppliesOfPrescriptions
 * @param pairOf the pair of each line
 */
export function findSlots(
  lines: LineColumns,
  supplies: Uint32Array,
  pairOf: Int32Array,
  pairs: number,
  dataFrom: Day,
): Slots {
  // The earliest line of a number comes first; among several that day, the choice does not depend on the order of arrival.
  const { prescription, person, number, day, days, type, molecule } = lines
  const order = sortedWithin(supplies, prescription, [person, number, day, days, type, molecule])
  const found: Found = { pair: [], day: [], days: [], type: [], continuous: [] }
  let before = -1
  for (const at of order) {
    if (before >= 0 && (prescription[before] !== prescription[at] || person[before] !== person[at])) before = -1
    if (before >= 0 && number[before] === number[at]) continue
    between(lines, pairOf, before, at, dataFrom, found)
    before = at
  }
  const pair = Int32Array.from(found.pair)
  const byPair = sortedBy(sortedBy(positions(pair.length), Int32Array.from(found.day)), pair)
  const column = (values: number[]) => picked(Int32Array.from(values), byPair)
  return {
    from: startsOf(picked(pair, byPair), pairs),
    ...{ day: column(found.day), days: column(found.days) },
    ...{ type: column(found.type), continuous: column(found.continuous) },
  }
}

function between(
  lines: LineColumns,
  pairOf: Int32Array,
  before: number,
  after: number,
  dataFrom: Day,
  found: Found,
): void {
  const last = lines.number[after] as number
  const first = before < 0 ? 1 : (lines.number[before] as number) + 1
  if (first >= last) return
  const like = before < 0 ? after : before
  const seen = (at: number): SeenSupply => ({
    number: lines.number[at] as number,
    date: lines.day[at] as number,
    days: lines.days[at] as number,
  })
  for (let number = first; number < last; number++) {
    const day = leakedDate(number, before < 0 ? undefined : seen(before), seen(after))
    if (day < dataFrom || day < (lines.systemFrom[after] as number)) continue
    found.pair.push(pairOf[like] as number)
    found.day.push(day)
    found.days.push(lines.days[like] as number)
    found.type.push(lines.type[like] as number)
    found.continuous.push(lines.continuous[like] as number)
  }
}
