import type { contract, ReplyOf } from '@pillar/contract'
import { SIXTY_DAY_STATISTICS, type SixtyDayStatistic } from '@pillar/domain/sixty-day/figure'
import { formatMoney, formatNumber, formatPercent, NO_VALUE } from '@pillar/domain/time/locale'

export type SixtyDayStats = ReplyOf<(typeof contract)['companySixtyDay']['stats']>
export type SixtyDayTable = ReplyOf<(typeof contract)['companySixtyDay']['categories']>

export const statisticWords = (key: SixtyDayStatistic) => SIXTY_DAY_STATISTICS.find((one) => one.key === key)!

/** Whole dollars; with cents below a hundred dollars. */
export const money = (value: number | null): string =>
  formatMoney('AU', value, value !== null && Math.abs(value) < 100 && !Number.isInteger(value) ? 2 : 0)
export const count = (value: number | null): string => formatNumber('AU', value)
export const percent = (value: number | null): string => formatPercent('AU', value, 2)

/** A value in its statistic's format. */
export function written(key: SixtyDayStatistic, value: number | null): string {
  const { unit } = statisticWords(key)
  if (value === null) return NO_VALUE
  return unit === 'money' ? money(value) : unit === 'percent' ? percent(value) : count(value)
}

/**
 * Title and caption of the molecules behind the loss. A molecule from too few pharmacies in a state is hidden from the Guild, so the caption
 * says how much of the total is not shown.
 */
export function driverWords(
  kind: 'company' | 'guild',
  uptake: number,
  { revenue_lost, drivers, drivers_rest }: Pick<SixtyDayStats, 'revenue_lost' | 'drivers' | 'drivers_rest'>,
): { title: string; caption: string } {
  const all = revenue_lost ?? 0
  const [first] = drivers
  const shown = drivers.reduce((sum, one) => sum + one.revenue_lost, drivers_rest.revenue_lost)
  const rest = `${count(drivers_rest.molecules)} more lose ${money(drivers_rest.revenue_lost)} together`
  const hidden = `${money(all - shown)} not shown: molecules of under 3 pharmacies in a state, or where one makes up more than half`
  const parts = [
    `What drives it: molecules by revenue lost at ${uptake}% uptake`,
    ...(drivers_rest.molecules > 0 ? [rest] : []),
    ...(kind === 'guild' && all - shown >= 1 ? [hidden] : []),
  ]
  const nothing = all > 0 ? 'No medicine can be shown' : 'No medicine would lose scripts'
  return {
    title: first && all > 0 ? `${first.name} makes up ${percent(first.revenue_lost / all)} of the loss` : nothing,
    caption: parts.join('; '),
  }
}

/** What each statistic counts and how, in a sentence (docs/metrics.md, 60 day dispensing). */
export const FORMULAS: Readonly<Record<SixtyDayStatistic | 'visits_lost_percent' | 'sixty_day_share', string>> = {
  affected_patients: 'People with two or more supplies of one eligible medicine in the 12 months, counted once.',
  affected_patients_percent: 'Affected patients ÷ patients with any script.',
  male_patients_percent: 'Male affected patients ÷ affected patients whose sex is known.',
  female_patients_percent: 'Female affected patients ÷ affected patients whose sex is known.',
  affected_scripts:
    'Supplies of eligible medicines that a patient had twice or more. A 60-day supply counts as two of 30 days.',
  affected_scripts_percent: 'Affected scripts ÷ all scripts, both in 30-day equivalents.',
  affected_revenue: 'What patients and government paid for the affected scripts, less refunds.',
  affected_visits: 'Days on which a patient was supplied at least one affected script.',
  scripts_lost:
    'Uptake × pairs of supplies. Each patient’s medicine has half its supplies as pairs, rounded down: 7 supplies are 3 pairs.',
  lost_affected_scripts_percent: 'Scripts lost ÷ affected scripts.',
  revenue_lost: 'Scripts lost × what dispensing a script earns: the dispensing fee and the Tier 1 handling fee.',
  visits_lost: 'Uptake × pairs of visits that held affected scripts alone; half of each patient’s, rounded down.',
  shortage_patients: 'Affected patients with a medicine that is on the list of current shortages.',
  shortage_scripts: 'Affected scripts of medicines on the list of current shortages, matched by active ingredient.',
  visits_lost_percent: 'Visits lost ÷ all visits. A visit is a day with a supply.',
  sixty_day_share: 'Supplies for 60 days ÷ all supplies of eligible medicines, in the 12 months.',
}
