import { type Ends, kaplanMeierOf, MIN_FOLLOWED, type Survival, survivalOn } from './kaplan-meier.ts'

/** Days at which persistence is reported. */
export const PERSISTENCE_DAYS = [30, 90, 180, 365] as const

export const PERSISTENCE_WORDS = {
  title: 'Persistence',
  formula: 'Share still taking a medicine, by days since its first supply (Kaplan-Meier)',
  notes: [
    'A medicine begins with a supply here after 365 days without it, at a pharmacy with 365 days of data before.',
    'Somebody stops on the day a supply runs out, when none follows for more than 90 days. Early refills are used later.',
    'Who dies, switches to another medicine, or is at the end of the data is followed up to then.',
    'The range holds the true share 19 times in 20. The curve ends where fewer than 10 are followed.',
  ],
} as const

export interface PersistenceCurve {
  readonly starts: number
  readonly points: readonly Survival[]
  readonly steps: readonly Survival[]
  /** Last day on which 10 or more are followed; null with fewer than 10 starts. */
  readonly until: number | null
}

/**
 * The persistence of starts.
 * @param ends how they ended, in any order; a day may occur several times, once for each pharmacy
 */
export function persistenceOf(ends: Iterable<Ends>): PersistenceCurve {
  const all = pooled(ends)
  const starts = all.reduce((sum, one) => sum + one.stopped + one.lost, 0)
  if (starts < MIN_FOLLOWED) return { starts, points: [], steps: [], until: null }
  const steps = kaplanMeierOf(all)
  const until = lastFollowed(all, starts)
  const points = PERSISTENCE_DAYS.filter((day) => day <= until).map((day) => ({
    ...{ day, ...survivalOn(steps, day) },
    at_risk: followedTo(all, starts, day),
  }))
  return { starts, points, steps, until }
}

/** The ends of several pharmacies by day, ascending, each day once. */
function pooled(ends: Iterable<Ends>): Ends[] {
  const byDay = new Map<number, { day: number; stopped: number; lost: number }>()
  for (const { day, stopped, lost } of ends) {
    const sum = byDay.get(day) ?? { day, stopped: 0, lost: 0 }
    sum.stopped += stopped
    sum.lost += lost
    byDay.set(day, sum)
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

/** How many are followed up to a day. */
const followedTo = (ends: readonly Ends[], starts: number, day: number) =>
  ends.reduce((left, one) => (one.day < day ? left - one.stopped - one.lost : left), starts)

function lastFollowed(ends: readonly Ends[], starts: number): number {
  let left = starts
  for (const { day, stopped, lost } of ends) {
    left -= stopped + lost
    if (left < MIN_FOLLOWED) return day
  }
  return ends.at(-1)?.day ?? 0
}
