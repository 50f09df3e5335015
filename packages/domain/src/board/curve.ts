import { type Followed, kaplanMeier, type Survival, survivalOn } from '../figure/kaplan-meier.ts'
import { mayShow } from './bundle.ts'

/** A person who is followed, and their pharmacy. */
export interface Follower extends Followed {
  readonly company: number
  readonly location: number
}

/** The days on which a board's curve may have points. */
export const CURVE_DAYS = [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 365] as const

/**
 * A persistence curve as a board shows it: only of the other companies' patients, so that the reader has nothing to subtract. Those who stopped
 * since the previous point, and those followed up to a point, are each enough to be shown. Shares are whole percents and numbers of people are
 * rounded to 10: a fraction at full precision, or its interval, would give the exact numbers away.
 * @param reader the company reading it
 * @returns its points after day 0; empty if none may be shown
 */
export function shownCurve(people: readonly Follower[], reader: number): Survival[] {
  const others = people.filter((one) => one.company !== reader)
  const whole = kaplanMeier(others)
  const points: Survival[] = []
  let last = -1
  for (const day of CURVE_DAYS) {
    const left = others.filter((one) => one.days >= day)
    if (!areShown(left, reader)) break
    const stopped = others.filter((one) => one.stopped && one.days > last && one.days <= day)
    if (!areShown(stopped, reader)) continue
    const { share, low, high } = survivalOn(whole, day)
    points.push({
      ...{ day, share: wholePercent(share), at_risk: aboutTen(left.length) },
      ...{ low: low === null ? null : wholePercent(low), high: high === null ? null : wholePercent(high) },
    })
    last = day
  }
  return points
}

/** The number of the other companies' patients in a curve, rounded to 10. */
export const followersOf = (people: readonly Follower[], reader: number): number =>
  aboutTen(people.filter((one) => one.company !== reader).length)

const aboutTen = (count: number) => Math.round(count / 10) * 10
const wholePercent = (share: number) => Math.round(share * 100) / 100

function areShown(people: readonly Follower[], reader: number): boolean {
  const byPharmacy = Map.groupBy(people, (one) => one.location)
  const shares = [...byPharmacy].map(([location, own]) => ({
    location,
    company: own[0]!.company,
    amount: own.length,
    patients: own.length,
  }))
  return mayShow(shares, reader)
}
