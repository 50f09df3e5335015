/** How long a person was followed, in days, and whether that ended because they stopped. Otherwise nothing is known after that. */
export interface Followed {
  readonly days: number
  readonly stopped: boolean
}

/** The share still continuing after this many days. The interval is null once nobody is left. */
export interface Survival {
  readonly day: number
  readonly share: number
  readonly low: number | null
  readonly high: number | null
  /** The number followed up to this day. */
  readonly at_risk: number
}

/** Two-sided 95% of the normal distribution. */
const Z = 1.959963984540054
/** The curve ends once fewer are left. */
export const MIN_FOLLOWED = 10

/** How many stopped and how many were lost after this many days. */
export interface Ends {
  readonly day: number
  readonly stopped: number
  readonly lost: number
}

/** The ends of people by day, ascending. */
export function endsOf(people: Iterable<Followed>): Ends[] {
  const byDay = new Map<number, { day: number; stopped: number; lost: number }>()
  for (const { days, stopped } of people) {
    const ends = byDay.get(days) ?? { day: days, stopped: 0, lost: 0 }
    if (stopped) ends.stopped++
    else ends.lost++
    byDay.set(days, ends)
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

/**
 * The Kaplan-Meier curve with log-log 95% intervals, at each day on which somebody stopped, cut where fewer than 10 are followed. A person
 * lost on a day on which others stop still counts as followed that day.
 * Source: Kaplan and Meier, JASA 53 (1958) 457-481; Greenwood's variance; Kalbfleisch and Prentice (1980) for the log-log interval.
 * @param ends ascending by day, each day once
 */
export function kaplanMeierOf(ends: readonly Ends[], least = MIN_FOLLOWED): Survival[] {
  const curve: Survival[] = []
  let at_risk = ends.reduce((sum, one) => sum + one.stopped + one.lost, 0)
  let share = 1
  let variance = 0
  for (const { day, stopped, lost } of ends) {
    if (at_risk < least) break
    if (stopped > 0) {
      share *= (at_risk - stopped) / at_risk
      variance += stopped / (at_risk * (at_risk - stopped))
      curve.push({ day, share, ...intervalOf(share, variance), at_risk })
    }
    at_risk -= stopped + lost
  }
  return curve
}

/** The curve of people who were followed individually. */
export const kaplanMeier = (people: readonly Followed[], least = MIN_FOLLOWED): Survival[] =>
  kaplanMeierOf(endsOf(people), least)

function intervalOf(share: number, variance: number): { low: number | null; high: number | null } {
  if (share <= 0) return { low: null, high: null }
  const spread = (Z * Math.sqrt(variance)) / Math.abs(Math.log(share))
  return { low: share ** Math.exp(spread), high: share ** Math.exp(-spread) }
}

/** A curve's value on a day: that of the last stop up to then; before the first, everybody continues. */
export function survivalOn(curve: readonly Survival[], day: number): Omit<Survival, 'day' | 'at_risk'> {
  const { share, low, high } = curve.findLast((point) => point.day <= day) ?? { share: 1, low: 1, high: 1 }
  return { share, low, high }
}
