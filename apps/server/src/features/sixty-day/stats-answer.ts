import type { AnswerOf, contract } from '@pillar/contract'
import { Refusal } from '@pillar/contract'
import {
  figureOf,
  pooled,
  type SixtyDayStatistic,
  type SixtyDaySums,
  STATISTIC_KEYS,
  sixtyDayShare,
  type Terms,
  visitsLostPercent,
} from '@pillar/domain/sixty-day/figure'
import { feeOn } from '@pillar/domain/sixty-day/list'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { CurrentLists } from './list.queries.ts'

type StatsAnswer = AnswerOf<(typeof contract)['companySixtyDay']['stats']>

/** Refuses countries without 60 day dispensing. */
export function requireAustralia({ country }: { country: Country }): void {
  if (country !== 'AU') throw new Refusal('not_allowed', '60 day dispensing exists in Australia only.')
}

/** A request's assumptions, with the fee in force at the end of the base. */
export function termsOf(
  lists: CurrentLists,
  to: Day,
  input: { uptake_percentage: number; net_of_acss: boolean },
): Terms & { fee: ReturnType<typeof feeOn> } {
  const fee = feeOn(lists.fees, to)
  return {
    uptake: input.uptake_percentage / 100,
    feeCents: fee.dispensing + fee.handling - (input.net_of_acss ? fee.support : 0),
    shortages: lists.shortages !== null,
    fee,
  }
}

/** A place and its pharmacies' sums. */
export interface AreaSums {
  state: string
  postcode: string | null
  pharmacies: number
  sums: SixtyDaySums
}

/** Molecules shown individually in the chart of the loss's components. */
const MOST_DRIVERS = 12

/** The headlines of pooled sums, with their components. */
export function statsAnswer(given: {
  sums: readonly SixtyDaySums[]
  pharmacies: number
  molecules: readonly (SixtyDaySums & { name: string })[]
  areas: readonly AreaSums[]
  terms: ReturnType<typeof termsOf>
  lists: CurrentLists
  basis: Omit<StatsAnswer['basis'], 'fee' | 'shortages_at' | 'pharmacies'>
}): StatsAnswer {
  const { terms, lists } = given
  const sums = pooled(given.sums)
  const value = (statistic: SixtyDayStatistic, of: SixtyDaySums = sums) => figureOf(statistic, of, terms).value
  const ranked = [...given.molecules].sort((a, b) => b.script_pairs - a.script_pairs || a.name.localeCompare(b.name))
  const losing = ranked.filter((one) => one.script_pairs > 0)
  const rest = losing.slice(MOST_DRIVERS)
  const national = lists.uptake.toSorted((a, b) => b.month.localeCompare(a.month) || a.tranche - b.tranche)[0] ?? null
  const { fee } = terms
  return {
    pharmacies_count: given.pharmacies,
    revenue_lost: value('revenue_lost'),
    affected_shortage_scripts: value('shortage_scripts'),
    affected_scripts: value('affected_scripts'),
    total_affected_scripts_lost_percent: value('lost_affected_scripts_percent'),
    affected_scripts_percent: value('affected_scripts_percent'),
    affected_patients_percent: value('affected_patients_percent'),
    visits_lost_percent: visitsLostPercent(sums, terms).value,
    scripts_lost: value('scripts_lost'),
    visits_lost: value('visits_lost'),
    sixty_day_share: sixtyDayShare(sums),
    national,
    sums,
    basis: {
      ...given.basis,
      pharmacies: given.pharmacies,
      fee: {
        ...{ dispensing: fee.dispensing / 100, handling: fee.handling / 100, support: fee.support / 100 },
        ...{ from: formatDay(fee.from), estimated: fee.estimated, source: fee.source },
      },
      shortages_at: lists.shortagesAt?.toISOString() ?? null,
    },
    drivers: losing.slice(0, MOST_DRIVERS).map((one) => ({
      name: one.name,
      revenue_lost: value('revenue_lost', one) ?? 0,
      scripts_lost: value('scripts_lost', one) ?? 0,
      affected_scripts: one.affected_scripts,
    })),
    drivers_rest: { molecules: rest.length, revenue_lost: value('revenue_lost', pooled(rest)) ?? 0 },
    areas: given.areas.map(({ sums: own, ...area }) => ({
      ...area,
      revenue_lost: value('revenue_lost', own),
      affected_scripts: own.affected_scripts,
      values: Object.fromEntries(STATISTIC_KEYS.map((key) => [key, value(key, own)])) as Record<
        SixtyDayStatistic,
        number | null
      >,
    })),
  }
}
