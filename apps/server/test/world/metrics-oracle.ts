import {
  adherenceWindow,
  carryInFrom,
  isInactive,
  lastObservedDay,
  type MoleculeSupply,
  measurable,
  switchDay,
} from '@pillar/domain/dispensing/adherence'
import { pdcNaive } from '@pillar/domain/dispensing/coverage'
import { type Slot, slotsOf } from '@pillar/domain/dispensing/loyalty'
import type { Day } from '@pillar/domain/time/day'

/**
 * A pharmacy's figures worked out the slow way, patient by patient and day by day, from the domain's rules. The tests
 * hold the SQL against it; nothing else uses it.
 */
export interface Line {
  patient: string
  molecule: string
  day: Day
  days: number
  cents: number
  prescription: string | null
  number: number | null
}

export interface Medicine {
  molecule: string
  atc: string
  chronic: boolean
}

export interface Person {
  id: string
  died: Day | null
  facility: boolean
}

export interface Prescribed {
  id: string
  patient: string
  molecule: string
  ceased: Day | null
}

export interface World {
  lines: Line[]
  medicines: Medicine[]
  people: Person[]
  prescriptions: Prescribed[]
}

export interface Pair {
  patient: string
  molecule: string
  observed: number
  covered: number
}

interface Supplied {
  date: Day
  days: number
  cents: number
  here: boolean
}

/** Slots of the world's prescriptions that were filled elsewhere. */
export function leakedSlots(world: World): { patient: string; molecule: string; date: Day; days: number }[] {
  const groups = Map.groupBy(
    world.lines.filter((line) => line.prescription !== null && line.number !== null && line.number >= 1),
    (line) => line.prescription,
  )
  return [...groups.values()].flatMap((lines) => {
    const seen = lines.map((line) => ({ number: line.number!, date: line.day, days: line.days }))
    const slots = slotsOf({ repeatsAuthorised: 0, prescribedOn: null, seen }, Number.MAX_SAFE_INTEGER)
    const first = lines[0]!
    return slots
      .filter((slot): slot is Slot & { date: Day } => slot.class === 'leaked' && slot.date !== null)
      .map((slot) => {
        const earlier = earliest(
          seen.filter((one) => one.number < slot.number && isLast(seen, one.number, slot.number)),
        )
        const later = earliest(seen.filter((one) => one.number > slot.number && isFirst(seen, one.number, slot.number)))
        return { patient: first.patient, molecule: first.molecule, date: slot.date, days: (earlier ?? later)!.days }
      })
  })
}

type Seen = { number: number; date: Day; days: number }
const earliest = (seen: Seen[]) => seen.sort((a, b) => a.date - b.date)[0]
const isLast = (seen: Seen[], number: number, below: number) =>
  number === Math.max(...seen.map((one) => one.number).filter((n) => n < below))
const isFirst = (seen: Seen[], number: number, above: number) =>
  number === Math.min(...seen.map((one) => one.number).filter((n) => n > above))

function suppliesOf(world: World, patient: string, molecule: string): Supplied[] {
  const here = world.lines
    .filter((line) => line.patient === patient && line.molecule === molecule)
    .map((line) => ({ date: line.day, days: line.days, cents: line.cents, here: true }))
  const elsewhere = leakedSlots(world)
    .filter((slot) => slot.patient === patient && slot.molecule === molecule)
    .map((slot) => ({ date: slot.date, days: slot.days, cents: 0, here: false }))
  return [...here, ...elsewhere]
}

/** Pairs measured on day `t`, and beside each the days and the money of the stretch `from`..`t`. */
export function measuredPairs(
  world: World,
  t: Day,
  from: Day,
): (Pair & { money: { observed: number; covered: number; cents: number } })[] {
  return world.people.flatMap((person) => {
    const visits = world.lines.filter((line) => line.patient === person.id && line.day <= t).map((line) => line.day)
    if (person.facility || visits.length === 0 || isInactive(Math.max(...visits), t)) return []
    const chronic = world.medicines.filter((medicine) => medicine.chronic)
    return chronic.flatMap((medicine) => {
      const supplies = suppliesOf(world, person.id, medicine.molecule)
      const own = supplies.filter((supply) => supply.here)
      if (own.length === 0) return []
      const first = Math.min(...own.map((supply) => supply.date))
      const year = windowed(world, person, medicine, supplies, first, { from: t - 364, to: t })
      if (!year || !measurable(first, year.own, t)) return []
      const span = windowed(world, person, medicine, supplies, first, { from, to: t })
      const cents =
        span && span.supplied > 0 ? Math.round(((span.observed - span.covered) * span.cents) / span.supplied) : 0
      const money = span
        ? { observed: span.observed, covered: span.covered, cents }
        : { observed: 0, covered: 0, cents: 0 }
      return [
        { patient: person.id, molecule: medicine.molecule, observed: year.observed, covered: year.covered, money },
      ]
    })
  })
}

function windowed(
  world: World,
  person: Person,
  medicine: Medicine,
  supplies: Supplied[],
  first: Day,
  window: { from: Day; to: Day },
) {
  const used = supplies.filter(
    (supply) => supply.date >= carryInFrom(window.from) && supply.date <= Math.min(window.to, person.died ?? window.to),
  )
  if (used.length === 0) return null
  const last = Math.max(...used.map((supply) => supply.date))
  const others: MoleculeSupply[] = world.lines
    .filter((line) => line.patient === person.id && line.molecule !== medicine.molecule)
    .map((line) => ({ line, other: world.medicines.find((one) => one.molecule === line.molecule)! }))
    .filter(({ other }) => other.chronic)
    .map(({ line, other }) => ({ date: line.day, atc: other.atc, molecule: other.molecule }))
  const ceased = world.prescriptions
    .filter((one) => one.patient === person.id && one.molecule === medicine.molecule && one.ceased !== null)
    .map((one) => one.ceased!)
  const end = lastObservedDay({
    died: person.died,
    ceased: ceased.length > 0 ? Math.max(...ceased) : null,
    switched: switchDay(medicine, last, others, window.to),
    lastSupply: last,
  })
  const judged = adherenceWindow(first, window.to, end)
  const from = Math.max(window.from, first)
  const to = judged ? judged.to : (end ?? window.to)
  if (from > to) return null
  const { coveredDays, observedDays } = pdcNaive(used, { from, to })
  return {
    observed: observedDays,
    covered: coveredDays,
    own: used.filter((supply) => supply.here).length,
    supplied: used.reduce((sum, supply) => sum + supply.days, 0),
    cents: used.reduce((sum, supply) => sum + supply.cents, 0),
  }
}
