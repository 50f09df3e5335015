import { NO_COST } from '@pillar/domain/measure/line'
import { positions, sortedBy } from '@pillar/domain/measure/order'
import type { Day } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { Numbering } from './numbering.ts'

/** Columns of counted scripts in stored form, all of the same length. */
export type RawLines = Readonly<Record<RawColumn, ArrayLike<number>>>
export type RawColumn = keyof typeof COLUMNS

/** The source of each column, for a script `s`. */
export const COLUMNS = {
  patient: 's.patient_id',
  drug: 's.drug_id',
  day: `s.dispensed_on - date '1970-01-01'`,
  days: 's.days_supply',
  cents: 's.patient_price_cents::bigint + s.government_cents',
  type: 's.patient_type',
  prescription: 'coalesce(s.prescription_id, 0)',
  number: 'coalesce(s.supply_number, 0)',
  repeats: 'coalesce(s.repeats_authorised, -1)',
  cost: `coalesce(s.cost_cents, ${NO_COST})`,
  basis: 's.days_basis',
} as const

/** Bytes of a packed line. */
const LINE_BYTES = 28
/** The position of the day within a line. */
const DAY_AT = 16
const IDS = 2 ** 32
const CENTS = 2 ** 31

/** The packed lines of several patients, in order of id. */
export interface PackedLines {
  readonly patients: readonly number[]
  readonly lines: readonly Buffer[]
}

/**
 * Packs lines into 28 bytes each, a patient's lines together in order of molecule and day; `unpack` reverses it.
 * @param moleculeOf the molecule of a drug, by its id
 * @returns null if a number does not fit: no copy is kept then
 */
export function pack(raw: RawLines, moleculeOf: (drug: number) => number): PackedLines | null {
  const count = raw.day.length
  const { ids, patient } = rankedPatients(raw)
  const molecule = new Int32Array(count)
  for (let at = 0; at < count; at++) molecule[at] = moleculeOf(raw.drug[at] as number)
  const order = sortedBy(sortedBy(sortedBy(positions(count), new Int32Array(raw.day)), molecule), patient)
  const packed = Buffer.alloc(count * LINE_BYTES)
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const ends = new Uint32Array(ids.length)
  for (let to = 0; to < count; to++) {
    const from = order[to] as number
    const drug = raw.drug[from] as number
    const prescription = raw.prescription[from] as number
    const cents = raw.cents[from] as number
    if (drug >= IDS || prescription >= IDS || cents >= CENTS || cents < -CENTS) return null
    const at = to * LINE_BYTES
    view.setUint32(at, drug, true)
    view.setUint32(at + 4, prescription, true)
    view.setInt32(at + 8, cents, true)
    view.setInt32(at + 12, raw.cost[from] as number, true)
    view.setInt32(at + DAY_AT, raw.day[from] as number, true)
    view.setInt16(at + 20, raw.days[from] as number, true)
    view.setInt16(at + 22, raw.number[from] as number, true)
    view.setInt16(at + 24, raw.repeats[from] as number, true)
    view.setInt8(at + 26, raw.type[from] as number)
    view.setInt8(at + 27, raw.basis[from] as number)
    ends[patient[from] as number] = at + LINE_BYTES
  }
  return { patients: ids, lines: ids.map((_, at) => packed.subarray(at === 0 ? 0 : ends[at - 1], ends[at])) }
}

/** Patients in order of id, and each line's position among them. */
function rankedPatients({ patient }: RawLines): { ids: number[]; patient: Int32Array } {
  const known = new Numbering()
  const numbers = new Int32Array(patient.length)
  for (let at = 0; at < numbers.length; at++) numbers[at] = known.numberOf(patient[at] as number)
  const ids = Array.from({ length: known.count }, (_, number) => known.idOf(number) as number).sort((a, b) => a - b)
  const places = new Int32Array(ids.length)
  for (const [place, id] of ids.entries()) places[known.find(id)] = place
  for (let at = 0; at < numbers.length; at++) numbers[at] = places[numbers[at] as number] as number
  return { ids, patient: numbers }
}

/** The lines of packed patients, one patient after the other. */
export function unpack({ patients, lines }: PackedLines): RawLines {
  const count = lines.reduce((sum, own) => sum + own.length, 0) / LINE_BYTES
  const [patient, drug, prescription] = [new Float64Array(count), new Uint32Array(count), new Uint32Array(count)]
  const column = () => new Int32Array(count)
  const [cents, cost, day, days, number, repeats] = [column(), column(), column(), column(), column(), column()]
  const [type, basis] = [column(), column()]
  let line = 0
  for (const [own, packed] of lines.entries()) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
    const id = patients[own] as number
    for (let at = 0; at < packed.length; at += LINE_BYTES, line++) {
      patient[line] = id
      drug[line] = view.getUint32(at, true)
      prescription[line] = view.getUint32(at + 4, true)
      cents[line] = view.getInt32(at + 8, true)
      cost[line] = view.getInt32(at + 12, true)
      day[line] = view.getInt32(at + DAY_AT, true)
      days[line] = view.getInt16(at + 20, true)
      number[line] = view.getInt16(at + 22, true)
      repeats[line] = view.getInt16(at + 24, true)
      type[line] = view.getInt8(at + 26)
      basis[line] = view.getInt8(at + 27)
    }
  }
  return { patient, drug, prescription, cents, cost, day, days, number, repeats, type, basis }
}

/** Whether a patient has a packed line in a span. */
export function hasLineWithin(packed: Buffer, { from, to }: Span): boolean {
  for (let at = DAY_AT; at < packed.length; at += LINE_BYTES) {
    const day = packed.readInt32LE(at)
    if (day >= from && day <= to) return true
  }
  return false
}

/** A patient's packed lines before a day. */
export function linesBefore(packed: Buffer, day: Day): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < packed.length; at += LINE_BYTES)
    if (packed.readInt32LE(at + DAY_AT) < day) kept.push(packed.subarray(at, at + LINE_BYTES))
  return Buffer.concat(kept)
}

/** The lines of both, one after the other. */
export function joined(one: RawLines, other: RawLines): RawLines {
  const columnOf = (name: RawColumn) => {
    const both = new Float64Array(one.day.length + other.day.length)
    both.set(one[name])
    both.set(other[name], one.day.length)
    return both
  }
  const names = Object.keys(COLUMNS) as RawColumn[]
  return Object.fromEntries(names.map((name) => [name, columnOf(name)])) as unknown as RawLines
}

/** Whether packed lines are the same; several of one day and molecule may be in any order. */
export function sameLines(one: Buffer = NO_LINES, other: Buffer = NO_LINES): boolean {
  if (one.equals(other)) return true
  if (one.length !== other.length) return false
  const [texts, others] = [one, other].map((packed) =>
    Array.from({ length: packed.length / LINE_BYTES }, (_, at) =>
      packed.toString('latin1', at * LINE_BYTES, (at + 1) * LINE_BYTES),
    ).sort(),
  ) as [string[], string[]]
  return texts.every((text, at) => text === others[at])
}

export const NO_LINES = Buffer.alloc(0)
