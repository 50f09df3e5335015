import type { Day } from '@pillar/domain/time/day'
import type { Line, Medicine, Person, World } from './world.ts'

/** A slot of a prescription that was dispensed elsewhere. */
export interface Leaked {
  readonly patient: string
  readonly molecule: string
  readonly day: Day
  readonly days: number
  readonly type: number
}

/** A world sorted once: what counts as a supply, what counts only as money, and what was dispensed elsewhere. */
export interface Book {
  readonly people: ReadonlyMap<string, Person>
  readonly medicines: ReadonlyMap<string, Medicine>
  /** Earliest stored script day of any kind; null without scripts. */
  readonly firstDay: Day | null
  /** Supplies made here, in order of date. */
  readonly supplies: readonly Line[]
  readonly refunds: readonly Line[]
  readonly leaked: readonly Leaked[]
  readonly suppliesOf: ReadonlyMap<string, readonly Line[]>
  readonly leakedOf: ReadonlyMap<string, readonly Leaked[]>
  /** Days on which a prescription of the pair was ceased, by `pairKey`. */
  readonly cessations: ReadonlyMap<string, readonly Day[]>
}

/** A key for a patient and a molecule. */
export const pairKey = (patient: string, molecule: string) => `${patient}|${molecule}`

/** Patient price and government amount of a line, in cents. */
export const centsOf = (line: Line) => line.cents + (line.government ?? 0)

/** Reads a world. Fake patients keep only their share in the first day of data. */
export function openBook(world: World): Book {
  const people = new Map(world.people.map((one) => [one.id, one]))
  const real = world.lines.filter((line) => !people.get(line.patient)!.fake)
  const valid = real.filter((line) => line.state !== 'reversed' && line.state !== 'deferred')
  const supplies = valid.filter((line) => centsOf(line) >= 0).sort((a, b) => a.day - b.day)
  const firstDay =
    world.lines.length === 0 ? null : world.lines.reduce((low, line) => Math.min(low, line.day), Infinity)
  const leaked = leakedSlots(supplies, firstDay)
  return {
    people,
    medicines: new Map(world.medicines.map((one) => [one.molecule, one])),
    firstDay,
    supplies,
    refunds: valid.filter((line) => centsOf(line) < 0),
    leaked,
    suppliesOf: grouped(supplies, (one) => one.patient),
    leakedOf: grouped(leaked, (one) => one.patient),
    cessations: new Map(
      [
        ...grouped(
          world.prescriptions.filter((one) => one.ceased !== null),
          (one) => pairKey(one.patient, one.molecule),
        ),
      ].map(([key, ceased]) => [key, ceased.map((one) => one.ceased!)]),
    ),
  }
}

/**
 * Slots of a patient's prescription below the highest one seen that were not dispensed here (docs/metrics.md, Loyalty). A slot dated before
 * the first day of data is unseen and left out. Days and patient type come from the seen supply before the slot, otherwise from the one
 * after it.
 */
export function leakedSlots(supplies: readonly Line[], firstDay: Day | null): Leaked[] {
  const leaked: Leaked[] = []
  const numbered = supplies.filter((line) => line.prescription !== null && line.number !== null)
  for (const seen of grouped(numbered, (line) => `${line.patient} ${line.prescription}`).values()) {
    const highest = Math.max(...seen.map((line) => line.number!))
    for (let number = 1; number < highest; number++) {
      if (seen.some((line) => line.number === number)) continue
      const before = nearest(seen, number, -1)
      const after = nearest(seen, number, +1)!
      const like = before ?? after
      const day = before
        ? before.day +
          Math.trunc(((after.day - before.day) * (number - before.number!)) / (after.number! - before.number!))
        : after.day - (after.number! - number) * after.days
      if (firstDay !== null && day < firstDay) continue
      leaked.push({ patient: like.patient, molecule: like.molecule, day, days: like.days, type: like.type ?? 0 })
    }
  }
  return leaked
}

/** The seen supply with the next number below or above. */
function nearest(seen: readonly Line[], number: number, step: 1 | -1): Line | undefined {
  return seen
    .filter((line) => (line.number! - number) * step > 0)
    .sort((a, b) => (a.number! - b.number!) * step)
    .at(0)
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
