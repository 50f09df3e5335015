import { type Followed, kaplanMeier, MIN_FOLLOWED, type Survival, survivalOn } from '../figure/kaplan-meier.ts'
import { mayShow } from './bundle.ts'

/** Somebody followed, and whose pharmacy that was. */
export interface Follower extends Followed {
  readonly company: number
  readonly location: number
}

/** The days a board's curve may have points on. */
export const CURVE_DAYS = [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 365] as const

/**
 * A persistence curve as a board shows it. Between two of its points, and before its first one, enough people stopped to be shown (10
 * patients as in every cell), numbers of followed people are rounded to 10, and it ends where fewer than 10 are left: what a step tells is
 * about no smaller group than any other figure.
 * @param reader the company that reads it
 * @returns its points after day 0; empty when there is none to show
 */
export function shownCurve(people: readonly Follower[], reader: number): Survival[] {
  const whole = kaplanMeier(people)
  const points: Survival[] = []
  let last = -1
  for (const day of CURVE_DAYS) {
    const left = people.filter((one) => one.days >= day)
    if (left.filter((one) => one.company !== reader).length < MIN_FOLLOWED) break
    const stopped = people.filter((one) => one.stopped && one.days > last && one.days <= day)
    const byPharmacy = Map.groupBy(stopped, (one) => one.location)
    const shares = [...byPharmacy].map(([location, own]) => ({
      location,
      company: own[0]!.company,
      amount: own.length,
      patients: own.length,
    }))
    if (!mayShow(shares, reader)) continue
    points.push({ day, ...survivalOn(whole, day), at_risk: Math.round(left.length / 10) * 10 })
    last = day
  }
  return points
}
