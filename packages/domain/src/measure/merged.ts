import type { Day } from '../time/day.ts'
import { isRefundLine, LINE_COLUMNS, type LineColumns, lineColumns } from './line.ts'
import { pairKey, type Surroundings } from './person.ts'
import { arrange, type PharmacyRecord } from './record.ts'

/** The records of some people at one pharmacy, and where its people and molecules stand among all. */
export interface RecordPart {
  readonly record: PharmacyRecord
  readonly around: Pick<Surroundings, 'died' | 'ceased'>
  /** Position of each of its people among all; -1 for somebody else. */
  readonly personAt: readonly number[]
  readonly moleculeAt: readonly number[]
  /** Whether each of its people lives in a facility. */
  readonly facility: readonly boolean[]
  /** What a prescription, by its number, is known by at every pharmacy: its molecule, day and repeats. Null when they are not all known. */
  readonly prescribed: (prescription: number) => string | null
}

/**
 * The records of people at several pharmacies as if they were one pharmacy's. A prescription supplied at two of them is one, so that what one
 * pharmacy made is not missing at the other; where that cannot be told, its missing supply numbers say nothing. Who lives in a facility by
 * one of the records is left out of adherence, and an earlier date of death counts before a later one.
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

/** The lines of all parts, by the numbers of all. */
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

/** A prescription of one person, as the parts know it by the same name. */
interface Known {
  /** By part. */
  readonly numbers: Map<number, Set<number>>
  readonly supplies: Map<number, Set<number>>
}

/** What the parts say of prescriptions, by names that hold for all of them. */
interface Survey {
  readonly known: ReadonlyMap<string, Known>
  /** Parts with a supply of a pair, and those with one on a prescription without a name. */
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

/** Numbers prescriptions over all parts, and takes the supply numbers from those that may be the same as another or not. */
function joinPrescriptions(parts: readonly RecordPart[], lines: LineColumns, partOf: Int32Array): void {
  const { known, suppliedBy, unnamedBy, pairOf, nameOf } = surveyOf(parts, lines, partOf)
  const given = new Map<string, number>()
  for (let at = 0; at < partOf.length; at++) {
    const [part, own] = [partOf[at] as number, lines.prescription[at] as number]
    if (own < 0) continue
    const name = nameOf(at)
    const one = name === null ? undefined : known.get(name)
    const joined = one !== undefined && one.numbers.size > 1
    // Supplies on a prescription without a name may be those that this one misses.
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

/** Whether what the parts know by one name is one prescription: none has two of it, and none made the same supply as another. */
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
