import { monthsIn } from '@pillar/domain/average/average-period'
import { CATEGORIES, type Category } from '@pillar/domain/dispensing/category'
import { type Period, periodOf } from '@pillar/domain/time/period'
import { periodCode } from '../../../src/features/metrics/spans.ts'

/** A repeatable stream of random numbers (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return { next, int: (below: number) => Math.floor(next() * below), chance: (share: number) => next() < share }
}
export type Random = ReturnType<typeof randomFrom>

/** Separate ways of counting a script, each with its parts. Drug types and conditions follow from the molecule. */
export const WAYS = ['Molecule', 'Age Group', 'Sex', 'Patient Type'] as const satisfies readonly Category[]
export type Way = (typeof WAYS)[number]

export interface Molecule {
  drugType: number
  condition: number
}

/** Scripts of one pharmacy in one month, by part of each way; always the same scripts, so the sums agree. */
export type Scripts = Record<Way, readonly number[]>

export interface Pharmacy {
  company: number
  /** The first date on which each month is complete, 0 or 1; null if it never is. */
  complete: readonly (0 | 1 | null)[]
  /** Each month's content on the two dates: the second differs if it was corrected. */
  scripts: readonly [Scripts, Scripts][]
}

/** A small installation on two dates. Companies 0 and 1 read. */
export interface World {
  months: readonly Period[]
  molecules: readonly Molecule[]
  parts: Record<Way, number>
  companies: number
  pharmacies: readonly Pharmacy[]
}

/** July to September 2026: a whole quarter, and the finished part of a running year. */
export const MONTHS = monthsIn('AU', periodOf('AU', { year: 2026, quarter: 3 }))
export const QUARTER = periodOf('AU', { year: 2026, quarter: 3 })
export const YEAR = periodOf('AU', { year: 2026 })
export const codeOf = periodCode
export const numberOf = (category: Category) => CATEGORIES.indexOf(category) + 1

/** A random installation: companies of 1 to 4 pharmacies, one of them sometimes large, molecules that not everybody sells. */
export function randomWorld(random: Random): World {
  const molecules = Array.from({ length: 4 + random.int(4) }, () => {
    const drugType = random.int(3)
    return { drugType, condition: random.chance(0.7) ? drugType : random.int(4) }
  })
  const parts = { Molecule: molecules.length, 'Age Group': 3, Sex: 2, 'Patient Type': 2 }
  const companies = 4 + random.int(5)
  // Some are sold by most, others by few.
  const popular = molecules.map(() => (random.chance(0.6) ? 0.85 : 0.3))
  const pharmacies: Pharmacy[] = []
  for (let company = 0; company < companies; company++) {
    const size = random.chance(company < 2 ? 0.6 : 0.25) ? 6 : 0.2 + random.next()
    const sells = popular.map((share) => random.chance(share))
    if (!sells.includes(true)) sells[0] = true
    const count = 1 + random.int(company < 2 ? 4 : 3)
    for (let at = 0; at < count; at++) {
      const late = random.chance(0.3)
      pharmacies.push({
        company,
        complete: MONTHS.map((): 0 | 1 | null => completeFrom(random, late)),
        scripts: MONTHS.map(() => {
          const first = randomScripts(random, parts, sells, size)
          const second = random.chance(0.1) ? randomScripts(random, parts, sells, size) : first
          return [first, second] as [Scripts, Scripts]
        }),
      })
    }
  }
  return { months: MONTHS, molecules, parts, companies, pharmacies }
}

/** Nine months in ten are complete at once; those of a late pharmacy on the second date, if at all. */
function completeFrom(random: Random, late: boolean): 0 | 1 | null {
  if (late) return random.chance(0.4) ? 1 : null
  return random.chance(0.9) ? 0 : 1
}

function randomScripts(random: Random, parts: World['parts'], sells: readonly boolean[], size: number): Scripts {
  const molecules = sells.map((sold) => (sold ? 2 + Math.round(size * random.next() ** 2 * 100) : 0))
  const whole = molecules.reduce((sum, one) => sum + one, 0)
  return {
    Molecule: molecules,
    'Age Group': spread(random, whole, parts['Age Group']),
    Sex: spread(random, whole, parts.Sex),
    'Patient Type': spread(random, whole, parts['Patient Type']),
  }
}

/** A number split into random parts; some get nothing. */
function spread(random: Random, whole: number, parts: number): number[] {
  const weights = Array.from({ length: parts }, () => (random.chance(0.15) ? 0 : 0.1 + random.next()))
  if (!weights.some((weight) => weight > 0)) weights[0] = 1
  const sum = weights.reduce((a, b) => a + b, 0)
  const counts = weights.map((weight) => Math.floor((whole * weight) / sum))
  const rest = whole - counts.reduce((a, b) => a + b, 0)
  counts[weights.findIndex((weight) => weight > 0)]! += rest
  return counts
}
