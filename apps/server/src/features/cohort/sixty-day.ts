import { readFileSync } from 'node:fs'
import { type Day, day as dayOf } from '@pillar/domain/time/day'

const FILE = new URL('../../../data/sixty-day.csv', import.meta.url)

let list: readonly { readonly atc: string; readonly from: Day }[] | null = null

/** A supply that lasts longer than this many days was more than the 30-day quantity. */
export const THIRTY_DAY_MOST = 45

/** ATC codes of medicines that Australia lets pharmacies dispense for 60 days, as of a day. */
export function sixtyDayCodes(on: Day): string[] {
  list ??= readFileSync(FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => ({ atc: line.slice(0, 7), from: dayOf(line.slice(8)) }))
  return list.filter((one) => one.from <= on).map((one) => one.atc)
}
