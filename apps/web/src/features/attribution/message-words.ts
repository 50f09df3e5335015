import type { attribution, MessageStats } from '@pillar/contract/message/attribution'
import type { ReplyOf } from '@pillar/contract/wire/call'
import type { NoResult } from '@pillar/domain/campaign/campaign-result'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatMoney, formatNumber, formatWeekday, LOCALES, NO_VALUE } from '@pillar/domain/time/locale'
import { zoneOf } from '@pillar/domain/time/zone'
import { weekdayMomentIn } from '../../kit/display/dates.ts'
import type { LedgerPart } from '../../kit/display/figure/LedgerBar.tsx'

/** Messages of a period by purpose. */
export interface Purposes {
  num_campaign_messages: number
  num_trial_messages: number
  num_normal_messages: number
}

/** What was sent: campaigns, trials, communications. */
export function purposeParts(country: Country, counts: Purposes): LedgerPart[] {
  const part = (label: string, value: number, tone: LedgerPart['tone']): LedgerPart => ({
    label,
    value,
    tone,
    text: formatNumber(country, value),
  })
  return [
    part('Campaigns', counts.num_campaign_messages, 'd1'),
    part('Trials', counts.num_trial_messages, 'd3'),
    part('Communications', counts.num_normal_messages, 'd4'),
  ]
}

/** Messages of all purposes: the sum of the parts. */
export function allMessages(counts: Purposes): number {
  return counts.num_campaign_messages + counts.num_trial_messages + counts.num_normal_messages
}

/** Return on each unit of money, '34.6×'; a dash if nothing was paid. */
export function roiText(country: Country, roi: number | null): string {
  return roi === null ? NO_VALUE : `${formatNumber(country, roi, 1)}×`
}

/** The rank by revenue; a dash if revenue is unknown, because the order would then be by name. */
export function rankText(country: Country, { rank, revenue }: { rank: number; revenue: number | null }): string {
  return revenue === null ? NO_VALUE : formatNumber(country, rank)
}

/** How ROI came about: the sum, and what is left out of it. */
export function roiSum(
  country: Country,
  stats: Pick<StatsReply, 'total_roi' | 'total_roi_cost' | 'total_cost' | 'total_revenue'>,
): string {
  if (stats.total_roi === null)
    return 'Nothing was paid in this period, or there is no revenue figure, so there is no ROI.'
  const money = (value: number | null) => formatMoney(country, value, 2)
  const paid = money(stats.total_roi_cost)
  const left = stats.total_cost - stats.total_roi_cost
  const leftOut =
    left < 0.005
      ? ''
      : ` This leaves out ${money(left)} for messages to patients whose revenue is not known: their data does not go back a year, or does not reach the message yet.`
  return `(${money(stats.total_revenue)} − ${paid}) ÷ ${paid} = ${roiText(country, stats.total_roi)}.${leftOut}`
}

/** The note under the ROI: its unit, or why there is none. */
export function roiNote(
  country: Country,
  total: { total_roi: number | null; total_cost: number; total_result: { reason: NoResult | null } },
): string {
  if (total.total_roi !== null) return `for each ${LOCALES[country].currencySymbol}1 spent`
  if (total.total_result.reason === 'too_few') return 'too few to tell'
  return total.total_cost === 0 ? 'nothing paid yet' : 'no revenue to count yet'
}

/** '$0.18 a patient'; null if nobody was reached. */
export function costPerPatient(country: Country, cost: number, reach: number): string | null {
  return reach === 0 ? null : `${formatMoney(country, cost / reach, 2)} a patient`
}

/** 'Fri 20 Nov 2026, 2:14 pm' by the clock of the company, as on every other screen, or of a pharmacy. */
export const instantText = (country: Country, instant: string, zone = zoneOf(country, null)): string =>
  weekdayMomentIn(country, zone, instant)

/** The age of the figures: 'Receipts to …' and 'sales to …', and whether reading them again failed. */
export function ageTexts(
  country: Country,
  age: { receipts_to: string | null; data_to: string | null },
  failed = false,
): string[] {
  const sales = age.data_to === null ? null : parseDay(age.data_to)
  return [
    age.receipts_to === null ? 'No receipts yet' : `Receipts to ${instantText(country, age.receipts_to)}`,
    sales === null ? 'no sales data yet' : `sales to ${formatWeekday(country, sales)}`,
    ...(failed ? ['could not be refreshed just now'] : []),
  ]
}

/** The states of a pharmacy's messages, with what is still to be sent. */
export interface Outcomes {
  delivered: number
  sent: number
  failed: number
  held_back: number
  queued: number
  unknown: number
}

/** The same counts under the names of a run's ledger. */
export function outcomeCounts(outcomes: Outcomes) {
  const { delivered, sent, failed, held_back, queued, unknown } = outcomes
  const messages = delivered + sent + failed + held_back + queued + unknown
  return { messages, delivered, sent, failed, skipped: held_back, queued, sending: 0, unknown }
}

/** A row's figures as its cells show them, in column order. */
export function rowTexts(
  country: Country,
  row: Pick<MessageStats, 'sms' | 'email' | 'reach' | 'cost' | 'revenue' | 'roi'>,
) {
  return {
    sms: formatNumber(country, row.sms),
    email: formatNumber(country, row.email),
    reach: formatNumber(country, row.reach),
    cost: formatMoney(country, row.cost, 2),
    revenue: formatMoney(country, row.revenue),
    roi: roiText(country, row.roi),
  }
}

export type StatsReply = ReplyOf<typeof attribution.stats>
