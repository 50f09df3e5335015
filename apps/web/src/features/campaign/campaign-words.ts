import type { Campaign } from '@pillar/contract/campaign/campaign'
import { placeMeter } from '@pillar/domain/campaign/goal-pace'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber, formatSpan } from '@pillar/domain/time/locale'
import type { PickedTemplate } from '../template/template-pick.ts'

/** '2 templates, 1 note'; null when nothing is attached. */
export function attachmentWords({ templates, note }: Pick<Campaign, 'templates' | 'note'>): string | null {
  const parts = []
  if (templates.length > 0) parts.push(counted(templates.length, 'template', 'templates'))
  if (note) parts.push('1 note')
  return parts.length > 0 ? parts.join(', ') : null
}

/** The choice that a campaign holds nobody out, as every form names it. */
export const NO_HOLDOUT = {
  label: 'Keep nobody back at random',
  description:
    'For messages that patients’ health depends on: everyone who may receive this gets it, so its effect is measured less exactly.',
}

/** '9 Nov – 7 Dec 2026', 'From 9 Nov 2026', 'Until 7 Dec 2026', or no dates. */
export function datesWords(campaign: Pick<Campaign, 'start_date' | 'end_date'>, country: Country): string {
  const start = campaign.start_date === null ? null : parseDay(campaign.start_date)
  const end = campaign.end_date === null ? null : parseDay(campaign.end_date)
  if (start !== null && end !== null) return formatSpan(country, start, end)
  if (start !== null) return `From ${formatDate(country, start)}`
  return end === null ? 'No dates' : `Until ${formatDate(country, end)}`
}

/** '17 days left', 'Last day', 'Ended'; null without an end, and for an inactive campaign. `today` is the company's. */
export function daysLeftWords(
  { active, days_left, end_date }: Pick<Campaign, 'active' | 'days_left' | 'end_date'>,
  today: Day,
): string | null {
  if (!active || days_left === null) return null
  if (end_date !== null && (parseDay(end_date) ?? today) < today) return 'Ended'
  return days_left === 0 ? 'Last day' : `${counted(days_left, 'day', 'days')} left`
}

/** How much of the way from start to goal is done, as a whole percent that may exceed 100; null until something is sent and measured. */
export function goalPercent({ goal_place: { start, now, goal } }: Pick<Campaign, 'goal_place'>) {
  if (start === null || now === null || goal === null || goal <= start) return null
  const percent = ((now - start) / (goal - start)) * 100
  // Just short of the goal is not at the goal; fractions from floating point are.
  return percent < 100 - 1e-6 ? Math.min(Math.round(percent), 99) : Math.round(percent)
}

/** '62% of the way', for a whole percent. A negative one is below the start; one of 100 or more is at or past the goal. */
export function wayWords(percent: number, country: Country): string {
  if (percent < 0) return 'Below the starting point'
  if (percent >= 100) return percent === 100 ? 'At the goal' : 'Past the goal'
  return `${formatNumber(country, percent)}% of the way`
}

/** How full a campaign's meter is, 0..1: the way from start to now. */
export const meterOf = ({ goal_place }: Pick<Campaign, 'goal_place'>): number => placeMeter(goal_place) ?? 0

/** The words in a meter without a value: nothing was sent, or nothing measured. */
export const noValueWords = ({ goal_place: { started } }: Pick<Campaign, 'goal_place'>): string =>
  started ? 'Not measured yet' : 'Not started'

/** 'The last 27 days need +11.62% on last year; so far +5.95%.'; null if no pace is known. */
export function paceWords({ goal_type: type, goal_place: { pace } }: GoalParts, country: Country): string | null {
  if (pace === null || type === null) return null
  const days = pace.days === 1 ? 'The last day needs' : `The last ${formatNumber(country, pace.days)} days need`
  const amount = (value: number) => {
    if (pace.unit === 'percent') return `${value > 0 ? '+' : ''}${formatNumber(country, value, 2)}%`
    if (pace.unit === 'points_a_week') return `${formatNumber(country, value, 2)} points a week`
    return `${type === 'revenue' ? formatMoney(country, value) : formatNumber(country, value, 1)} a day`
  }
  const against = pace.unit === 'percent' ? ' on last year' : ''
  return `${days} ${amount(pace.needed)}${against}${pace.so_far === null ? '' : `; so far ${amount(pace.so_far)}`}.`
}

type GoalParts = Pick<Campaign, 'goal_type' | 'goal_place'>

/**
 * What a revenue goal counts: total revenue, not what the campaign added, which is shown with its method. Null for other goals and before measuring.
 */
export function goalMethodWords({
  goal_type,
  measure_by,
  current_goal_value,
}: Pick<Campaign, 'goal_type' | 'measure_by' | 'current_goal_value'>): string | null {
  if (goal_type !== 'revenue' || current_goal_value === null) return null
  return measure_by === 'target'
    ? 'All dispensed to the campaign’s patients since it started, messaged or not'
    : 'All dispensed to the campaign’s patients, compared with the same dates last year'
}

/** 'after 12 of 29 days'; null without both dates, and before the start. */
export function elapsedWords({ start_date, end_date }: Pick<Campaign, 'start_date' | 'end_date'>, today: Day) {
  const start = start_date === null ? null : parseDay(start_date)
  const end = end_date === null ? null : parseDay(end_date)
  if (start === null || end === null || today < start) return null
  return `after ${Math.min(today, end) - start + 1} of ${counted(end - start + 1, 'day', 'days')}`
}

/** What deactivating does: '1,361 unsent messages will be cancelled. 2 templates will be deactivated.', or just 'Deactivating ends it today.' */
export function deactivateWords(left: number, templates: number, country: Country): string {
  const does = []
  if (left > 0) {
    does.push(`${formatNumber(country, left)} unsent ${left === 1 ? 'message' : 'messages'} will be cancelled.`)
  }
  if (templates > 0) does.push(`${counted(templates, 'template', 'templates')} will be deactivated.`)
  return does.length > 0 ? does.join(' ') : 'Deactivating ends it today.'
}

/** 'Sent with 2 templates: Repeat ready and Second notice. Inactive templates will be activated.' */
export function sentWithWords(templates: readonly Pick<PickedTemplate, 'template_name' | 'active'>[]): string {
  const names = listOf(templates.map(({ template_name }) => template_name))
  const sent = `Sent with ${counted(templates.length, 'template', 'templates')}: ${names}.`
  return templates.every(({ active }) => active) ? sent : `${sent} Inactive templates will be activated.`
}
