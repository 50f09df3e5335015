import { threeDigits } from '@pillar/domain/average/average'
import { type Attacker, beforeRounding, openAttacker, type Term } from './average-attacker.ts'
import {
  keyOf,
  type Member,
  type Reading,
  RULES,
  type Rules,
  readMonths,
  scriptsOf,
  TOTAL_KEY,
} from './average-installation.ts'
import { type Random, WAYS, type World } from './average-world.ts'

/** Figures attacked in each world: the largest parts of their cells, pharmacies that came or went, and arbitrary ones. */
const [LARGEST, CAME_OR_WENT, ANY] = [3, 3, 1]

/** Amounts of each part of a pharmacy's month that the attacker does not know, without parts it does not sell. */
type Unknowns = Map<string, readonly (readonly [key: string, amount: string])[]>

interface Target {
  name: string
  truth: number
  amounts: string[]
}

/** The keys of every cell in which a part of a way counts. */
function keysOf({ molecules }: World, way: (typeof WAYS)[number], part: number): string[] {
  if (way !== 'Molecule') return [keyOf(way, part)]
  const { drugType, condition } = molecules[part]!
  return [keyOf(way, part), keyOf('Drug Type', drugType), keyOf('Condition', condition), TOTAL_KEY]
}

/**
 * Attacks one world with everything company `asker` has read of each month on the two dates. @returns how many figures were attacked, and
 * those it knows within 10%
 */
export function attack(
  world: World,
  asker: number,
  random: Random,
  rules: Rules = RULES,
  months = readMonths(world, asker, rules),
): { attacked: number; found: string[] } {
  const attacker = openAttacker()
  const unknowns: Unknowns = new Map()
  // What is read must be what the attacker assumes, or nothing follows from it.
  const wrong = new Set<string>()
  const nameOf = (month: number, { pharmacy, version }: Member) =>
    // The same amounts, unless they were corrected.
    `${month} ${pharmacy} ${scriptsOf(world, month, { pharmacy, version }) === scriptsOf(world, month, { pharmacy, version: 0 }) ? 0 : 1}`
  const amountsOf = (month: number, member: Member) => {
    const name = nameOf(month, member)
    const known = unknowns.get(name) ?? declare(attacker, world, scriptsOf(world, month, member))
    unknowns.set(name, known)
    return known
  }
  const own = (member: Member) => world.pharmacies[member.pharmacy]!.company === asker
  const sumOf = (month: number, key: string, { value, groups }: Reading) => {
    const members = groups.flatMap((group) => group.members)
    const known = members
      .filter(own)
      .reduce((sum, member) => sum + cellOf(world, scriptsOf(world, month, member), key), 0)
    const terms = members.filter((member) => !own(member)).flatMap((member) => amountsOf(month, member))
    const amounts = terms.filter(([of]) => of === key).map(([, amount]) => amount)
    const truth = members.reduce((sum, member) => sum + cellOf(world, scriptsOf(world, month, member), key), 0)
    if (threeDigits(truth / members.length) !== value)
      wrong.add(`month ${month}, cell ${key} is not the mean of its pharmacies`)
    return { value, pharmacies: members.length, known, amounts }
  }
  for (const [month, dates] of months.entries()) {
    for (const date of dates) {
      for (const [key, reading] of date) {
        const { value, pharmacies, known, amounts } = sumOf(month, key, reading)
        const { low, high } = beforeRounding(value)
        const terms = amounts.map((amount) => ({ amount, weight: 1 }))
        attacker.between(terms, low * pharmacies - known, high * pharmacies - known)
      }
    }
  }
  readQuarter(attacker, world, months, sumOf, rules)
  const targets = targetsOf(world, asker, months, amountsOf, random)
  const found = targets.flatMap(({ name, truth, amounts }) => {
    // A tenth more must be possible; if no more than that is, much less must be possible.
    const { low, high } = attacker.bounds(amounts, (largest) => largest >= truth * 1.2)
    const hidden = high >= truth * 1.1 && high - low > truth * 0.2
    return hidden ? [] : [`${name}: ${truth} is known to lie between ${low} and ${high}`]
  })
  return { attacked: targets.length, found: [...wrong, ...found] }
}

function declare(attacker: Attacker, world: World, scripts: ReturnType<typeof scriptsOf>) {
  const own: [string, string][] = []
  const wholes = WAYS.map((way) =>
    scripts[way].flatMap((count, part) => {
      if (count === 0) return []
      const amount = attacker.unknown()
      for (const key of keysOf(world, way, part)) own.push([key, amount])
      return [amount]
    }),
  )
  for (const whole of wholes.slice(1)) attacker.same(wholes[0]!, whole)
  return own
}

/** The quarter shows the sum of the months' means, if every month shows one. */
function readQuarter(
  attacker: Attacker,
  world: World,
  months: readonly Map<string, Reading>[][],
  sumOf: (month: number, key: string, reading: Reading) => { pharmacies: number; known: number; amounts: string[] },
  rules: Rules,
): void {
  for (const date of [0, 1]) {
    for (const key of months[0]![date]!.keys()) {
      const readings = months.map((dates) => dates[date]!.get(key))
      if (!readings.every((reading) => reading !== undefined)) continue
      if (rules.quarter === 'pool') {
        readPool(attacker, world, readings, key, sumOf)
        continue
      }
      const value = threeDigits(readings.reduce((sum, reading) => sum + reading.value, 0))!
      const terms: Term[] = []
      let [low, high] = [beforeRounding(value).low, beforeRounding(value).high]
      for (const [month, reading] of readings.entries()) {
        const { pharmacies, known, amounts } = sumOf(month, key, reading)
        terms.push(...amounts.map((amount) => ({ amount, weight: 1 / pharmacies })))
        low -= reading.value - beforeRounding(reading.value).low + known / pharmacies
        high += beforeRounding(reading.value).high - reading.value - known / pharmacies
      }
      attacker.between(terms, low, high)
    }
  }
}

/** A separate quarter: the pharmacies that are in all its months. */
function readPool(
  attacker: Attacker,
  world: World,
  readings: readonly Reading[],
  key: string,
  sumOf: (month: number, key: string, reading: Reading) => { known: number; amounts: string[] },
): void {
  const months = readings.map(({ groups }) => groups.flatMap((group) => group.members))
  const inAll = months.map((members) =>
    members.filter((one) => months.every((others) => others.some((other) => other.pharmacy === one.pharmacy))),
  )
  const companies = Map.groupBy(inAll[0]!, (member) => world.pharmacies[member.pharmacy]!.company)
  if (inAll[0]!.length < 5 || companies.size < 3) return
  const meanIn = (members: readonly Member[], month: number) =>
    threeDigits(
      members.reduce((sum, member) => sum + cellOf(world, scriptsOf(world, month, member), key), 0) / members.length,
    )!
  const sums = inAll.map((members, month) =>
    sumOf(month, key, { value: meanIn(members, month), groups: [{ entered: members, members, cells: new Map() }] }),
  )
  const truth = inAll.flatMap((members, month) =>
    members.map((member) => cellOf(world, scriptsOf(world, month, member), key)),
  )
  const mean = beforeRounding(threeDigits(truth.reduce((sum, one) => sum + one, 0) / inAll[0]!.length)!)
  const known = sums.reduce((sum, one) => sum + one.known, 0)
  const terms = sums.flatMap(({ amounts }) => amounts.map((amount) => ({ amount, weight: 1 })))
  attacker.between(terms, mean.low * inAll[0]!.length - known, mean.high * inAll[0]!.length - known)
}

function cellOf(world: World, scripts: ReturnType<typeof scriptsOf>, key: string): number {
  return WAYS.flatMap((way) =>
    scripts[way].map((count, part) => (keysOf(world, way, part).includes(key) ? count : 0)),
  ).reduce((sum, count) => sum + count, 0)
}

/** Figures of other companies: those that are the largest part of their cell, those of pharmacies that came or went, and arbitrary ones. */
function targetsOf(
  world: World,
  asker: number,
  months: readonly Map<string, Reading>[][],
  amountsOf: (month: number, member: Member) => readonly (readonly [string, string])[],
  random: Random,
): Target[] {
  const membersOf = (date: Map<string, Reading>) =>
    new Map(
      [...date.values()].flatMap(({ groups }) =>
        groups.flatMap((group) => group.members.map((one) => [one.pharmacy, one])),
      ),
    )
  const seen = months.map((dates) => dates.map(membersOf))
  const stayed = (pharmacy: number) => seen.flat().every((members) => members.has(pharmacy))
  const target = (month: number, key: string, own: readonly Member[], name: string): Target => ({
    name: `${name}, month ${month}, cell ${key}`,
    truth: own.reduce((sum, member) => sum + cellOf(world, scriptsOf(world, month, member), key), 0),
    amounts: own.flatMap((member) =>
      amountsOf(month, member)
        .filter(([of]) => of === key)
        .map(([, amount]) => amount),
    ),
  })
  const targets: (Target & { share: number })[] = []
  const moved: Target[] = []
  const keys = new Set(
    WAYS.flatMap((way) => Array.from({ length: world.parts[way] }, (_, part) => keysOf(world, way, part)).flat()),
  )
  for (const [month, dates] of seen.entries()) {
    const members = new Map(dates.flatMap((date) => [...date]))
    const others = Map.groupBy(members.values(), (member) => world.pharmacies[member.pharmacy]!.company)
    others.delete(asker)
    for (const key of keys) {
      const figures = [...others].map(([company, own]) => target(month, key, own, `company ${company}`))
      const whole = figures.reduce((sum, { truth }) => sum + truth, 0)
      targets.push(...figures.filter((one) => one.truth > 0).map((one) => ({ ...one, share: one.truth / whole })))
    }
    for (const member of [...others.values()].flat())
      if (!stayed(member.pharmacy)) moved.push(target(month, TOTAL_KEY, [member], `pharmacy ${member.pharmacy}`))
  }
  targets.sort((a, b) => b.share - a.share)
  const some = <T>(list: readonly T[], count: number) =>
    list.length === 0 ? [] : Array.from({ length: count }, () => list[random.int(list.length)]!)
  return [...targets.slice(0, LARGEST), ...some(moved, CAME_OR_WENT), ...some(targets, ANY)]
}
