import type { Day } from '../time/day.ts'
import { isRefundLine, LINE_COLUMNS, type LineColumns, lineColumns } from './line.ts'
import { pairKey, type Surroundings } from './person.ts'
import { arrange, type PharmacyRecord } from './record.ts'

/** The records of some people at one pharmacy, and the positions of its people and molecules in the combined lists. */
export interface RecordPart {
  readonly record: PharmacyRecord
  readonly around: Pick<Surroundings, 'died' | 'ceased'>
  /** The combined position of each of its people; -1 for somebody else. */
  readonly personAt: readonly number[]
  readonly moleculeAt: readonly number[]
  /** Whether each of its people lives in a facility. */
  readonly facility: readonly boolean[]
  /** The name of a prescription that every pharmacy gives it, by its number: molecule, day and repeats. Null unless all three are known. */
  readonly prescribed: (prescription: number) => string | null
}

/**
 * Merges the records of people at several pharmacies into one. A prescription supplied at two of them counts as one, so that a supply made at
 * one pharmacy is not missing at the other. If prescriptions cannot be matched, their missing supply numbers count for nothing. A person who
 * lives in a facility according to any record is left out of adherence, and the earliest date of death counts.
 * @param dataFrom first day from which all of the pharmacies have data: slots before it may have been supplied at one of them
 */
export function mergeParts(
  parts: readonly RecordPart[],
  people: number,
  molecules: number,
  dataFrom: Day,
): Pick<Surroundings, 'died' | 'ceased'> & { record: PharmacyRecord } {
  const facility = new Array<boolean>(people).fill(false)
  const died = new Array<Day | null>(people).fill(null)
  const ceased = new Map<number, Day[]>()
  for (const { personAt, moleculeAt, around, facility: inFacility } of parts) {
    for (const [own, person] of personAt.entries()) {
      if (person < 0) continue
      if (inFacility[own]) facility[person] = true
      died[person] = earlier(died[person] ?? null, around.died[own] ?? null)
      for (const [molecule, at] of moleculeAt.entries()) {
        const days = around.ceased.get(pairKey(own, molecule))
        if (days) ceased.set(pairKey(person, at), [...(ceased.get(pairKey(person, at)) ?? []), ...days])
      }
    }
  }
  const lines = together(parts)
  for (let at = 0; at < lines.day.length; at++) if (facility[lines.person[at] as number]) lines.continuous[at] = 0
  return { record: arrange(lines, people, molecules, dataFrom), died, ceased }
}

const earlier = (a: Day | null, b: Day | null): Day | null => (a === null || b === null ? (a ?? b) : Math.min(a, b))

/** The lines of all parts, renumbered for the combined lists. */
function together(parts: readonly RecordPart[]): LineColumns {
  const taken = parts.map(({ record, personAt }) => {
    const all = [...record.lines.person.keys()]
    return all.filter((at) => (personAt[record.lines.person[at] as number] as number) >= 0)
  })
  const count = taken.reduce((sum, own) => sum + own.length, 0)
  const lines = lineColumns(() => new Int32Array(count))
  const partOf = new Int32Array(count)
  let to = 0
  for (const [part, { record, personAt, moleculeAt }] of parts.entries())
    for (const from of taken[part] as number[]) {
      for (const name of LINE_COLUMNS) lines[name][to] = record.lines[name][from] as number
      lines.person[to] = personAt[record.lines.person[from] as number] as number
      lines.molecule[to] = moleculeAt[record.lines.molecule[from] as number] as number
      partOf[to++] = part
    }
  joinPrescriptions(parts, lines, partOf)
  return lines
}

/** A prescription of one person that the parts know by the same name. */
interface Known {
  /** Its numbers, by part. */
  readonly numbers: Map<number, Set<number>>
  readonly supplies: Map<number, Set<number>>
}

/** What the parts know about prescriptions, by their common names. */
interface Survey {
  readonly known: ReadonlyMap<string, Known>
  /** Parts with a supply of a pair, and parts with a supply of it on an unnamed prescription. */
  readonly suppliedBy: ReadonlyMap<string, ReadonlySet<number>>
  readonly unnamedBy: ReadonlyMap<string, ReadonlySet<number>>
  pairOf: (at: number) => string
  nameOf: (at: number) => string | null
}

function surveyOf(parts: readonly RecordPart[], lines: LineColumns, partOf: Int32Array): Survey {
  const known = new Map<string, Known>()
  const suppliedBy = new Map<string, Set<number>>()
  const unnamedBy = new Map<string, Set<number>>()
  const pairOf = (at: number) => `${lines.person[at]} ${lines.molecule[at]}`
  const nameOf = (at: number) => {
    const name = parts[partOf[at] as number]?.prescribed(lines.prescription[at] as number) ?? null
    return name === null ? null : `${lines.person[at]} ${name}`
  }
  for (let at = 0; at < partOf.length; at++) {
    const part = partOf[at] as number
    addTo(suppliedBy, pairOf(at), part)
    if ((lines.prescription[at] as number) < 0) continue
    const name = nameOf(at)
    if (name === null) {
      addTo(unnamedBy, pairOf(at), part)
      continue
    }
    const one: Known = known.get(name) ?? { numbers: new Map(), supplies: new Map() }
    known.set(name, one)
    addTo(one.numbers, part, lines.prescription[at] as number)
    if ((lines.number[at] as number) > 0 && !isRefundLine(lines, at))
      addTo(one.supplies, part, lines.number[at] as number)
  }
  return { known, suppliedBy, unnamedBy, pairOf, nameOf }
}

/** Numbers prescriptions across all parts. Removes supply numbers from prescriptions that may or may not be the same as another. */
function joinPrescriptions(parts: readonly RecordPart[], lines: LineColumns, partOf: Int32Array): void {
  const { known, suppliedBy, unnamedBy, pairOf, nameOf } = surveyOf(parts, lines, partOf)
  const given = new Map<string, number>()
  for (let at = 0; at < partOf.length; at++) {
    const [part, own] = [partOf[at] as number, lines.prescription[at] as number]
    if (own < 0) continue
    const name = nameOf(at)
    const one = name === null ? undefined : known.get(name)
    const joined = one !== undefined && one.numbers.size > 1
    // Supplies on an unnamed prescription may be the ones missing from this one.
    const rivals = [...((one ? unnamedBy : suppliedBy).get(pairOf(at)) ?? [])].filter(
      (other) => joined || other !== part,
    )
    if (rivals.length > 0 || (joined && !isOne(one))) lines.number[at] = 0
    const key = joined && isOne(one) ? `all ${name}` : `${part} ${own}`
    const number = given.get(key) ?? given.size
    given.set(key, number)
    lines.prescription[at] = number
  }
}

/** Whether the prescriptions of one name are really one: no part has two, and no two parts made the same supply. */
function isOne({ numbers, supplies }: Known): boolean {
  if ([...numbers.values()].some((own) => own.size > 1)) return false
  const all = [...supplies.values()]
  return new Set(all.flatMap((own) => [...own])).size === all.reduce((sum, own) => sum + own.size, 0)
}

function addTo<K>(sets: Map<K, Set<number>>, key: K, value: number): void {
  const known = sets.get(key)
  if (known) known.add(value)
  else sets.set(key, new Set([value]))
}
