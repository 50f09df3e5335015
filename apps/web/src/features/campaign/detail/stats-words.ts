import type { Campaign, campaign } from '@pillar/contract/campaign/campaign'
import type { CampaignStats } from '@pillar/contract/campaign/campaign-stats'
import type { ResultBasis } from '@pillar/contract/campaign/result'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { formatGoalAmount } from '@pillar/domain/campaign/goal'
import { intervalWords, reasonSentence } from '@pillar/domain/campaign/result-words'
import { type Country, formatChange, formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { holdsWords } from '../../../kit/list/holds-words.ts'
import { roiText } from '../../attribution/message-words.ts'

export type StatsReply = ReplyOf<typeof campaign.stats>

/** Ids of the pharmacies whose name contains every typed word; null for all. */
export function matchingPharmacies(locations: Campaign['locations'], typed: string): string[] | null {
  if (typed.trim() === '') return null
  const holds = holdsWords(typed)
  return locations.filter(({ location_name }) => holds(location_name)).map(({ location_id }) => location_id)
}

/** Points with their sign: '+2.10 pts'. */
export function pointsText(country: Country, points: number | null): string {
  if (points === null) return NO_VALUE
  const text = formatNumber(country, points, 2)
  return `${points > 0 && /[1-9]/.test(text) ? '+' : ''}${text} pts`
}

/** The evidence behind a result: method, interval and patients, or why there is none. */
export function basisWords(country: Country, result: ResultBasis): string {
  const { reason, method_name: method, low, high, n_messaged, n_compared } = result
  if (reason !== null) {
    const why = reasonSentence(country, reason, n_messaged)
    return reason === 'too_few' ? `too few to tell (${why})` : why.charAt(0).toLowerCase() + why.slice(1)
  }
  const people = `${formatNumber(country, n_messaged)} messaged`
  const others = n_compared === null ? '' : `, ${formatNumber(country, n_compared)} compared`
  const interval = low === null || high === null ? '' : `, ${intervalWords(country, low, high)} (95%)`
  return `${method} (${people}${others})${interval}`
}

/**
 * '733 patients: 437 messaged, 296 held out at random'; if nobody is held out '437 patients messaged'; empty before any. If the campaign holds
 * nobody out, this says so.
 */
export function selectedWords(
  country: Country,
  { method, n_messaged, n_compared }: ResultBasis,
  { no_holdout }: Pick<Campaign, 'no_holdout'>,
): string {
  const messaged = formatNumber(country, n_messaged)
  if (n_messaged === 0) return ''
  if (method !== 'holdout' || n_compared === null) {
    const all = `${messaged} ${n_messaged === 1 ? 'patient' : 'patients'} messaged`
    return no_holdout ? `${all}. Nobody is held out: this campaign keeps nobody back at random.` : all
  }
  const all = formatNumber(country, n_messaged + n_compared)
  return `${all} patients: ${messaged} messaged, ${formatNumber(country, n_compared)} held out at random`
}

/** A pharmacy's figures below its row, in the specification's order. */
export function statsFigures(
  row: CampaignStats,
  { goal_type: type, measure_by: measureBy, goal }: Pick<Campaign, 'goal_type' | 'measure_by' | 'goal'>,
  country: Country,
): { label: string; value: string }[] {
  const inGoal = (amount: number | null) =>
    type && measureBy ? formatGoalAmount(country, { type, measureBy }, amount) : NO_VALUE
  return [
    { label: 'ROI', value: roiText(country, row.roi) },
    { label: 'Current', value: inGoal(row.current_goal_value) },
    { label: 'Goal', value: inGoal(goal) },
    { label: 'SMS delivered', value: formatNumber(country, row.sms_delivered) },
    { label: 'Email delivered', value: formatNumber(country, row.email_delivered) },
    { label: 'Templates', value: formatNumber(country, row.templates) },
    { label: 'Adherence', value: pointsText(country, row.adherence_kpi) },
    { label: 'Loyalty', value: pointsText(country, row.loyalty_kpi) },
    { label: 'Scripts', value: formatChange(country, row.scripts_kpi) },
    { label: 'Visits', value: formatChange(country, row.visits_kpi) },
  ]
}
