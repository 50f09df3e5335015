import type { Campaign } from '@pillar/contract/campaign'
import type { Progress } from '@pillar/contract/campaign-stats'
import type { CohortForecast } from '@pillar/contract/cohort'
import { goalMeter } from '@pillar/domain/campaign/goal'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber, formatSpan, LOCALES } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'

/** Messages not handed over yet. */
export function toSend({ queued, sending }: Progress): number {
  return queued + sending
}

/** '2 templates, 1 note'; null when nothing is attached. */
export function attachmentWords({ templates, note }: Pick<Campaign, 'templates' | 'note'>): string | null {
  const parts = []
  if (templates.length > 0) parts.push(counted(templates.length, 'template', 'templates'))
  if (note) parts.push('1 note')
  return parts.length > 0 ? parts.join(', ') : null
}

/** '9 Nov – 7 Dec 2026', 'From 9 Nov 2026', 'Until 7 Dec 2026', or no dates. */
export function datesWords(campaign: Pick<Campaign, 'start_date' | 'end_date'>, country: Country): string {
  const start = campaign.start_date === null ? null : parseDay(campaign.start_date)
  const end = campaign.end_date === null ? null : parseDay(campaign.end_date)
  if (start !== null && end !== null) return formatSpan(country, start, end)
  if (start !== null) return `From ${formatDate(country, start)}`
  return end === null ? 'No dates' : `Until ${formatDate(country, end)}`
}

/** '17 days left', 'Last day', 'Ended'; null without an end, and for a campaign that is not active. `today` is the company's. */
export function daysLeftWords(
  { active, days_left, end_date }: Pick<Campaign, 'active' | 'days_left' | 'end_date'>,
  today: Day,
): string | null {
  if (!active || days_left === null) return null
  if (end_date !== null && (parseDay(end_date) ?? today) < today) return 'Ended'
  return days_left === 0 ? 'Last day' : `${counted(days_left, 'day', 'days')} left`
}

/** How much of its goal a campaign has made, as a whole percent that may exceed 100; null before there is anything to measure. */
export function goalPercent({ goal, current_goal_value: value }: Pick<Campaign, 'goal' | 'current_goal_value'>) {
  return goal === null || value === null || goal <= 0 ? null : Math.round((value / goal) * 100)
}

/** How full a campaign's meter is, 0..1. */
export function meterOf(campaign: Pick<Campaign, 'goal_type' | 'measure_by' | 'goal' | 'current_goal_value'>): number {
  const { goal_type: type, measure_by: measureBy, goal: amount, current_goal_value: value } = campaign
  return type && measureBy && amount !== null ? (goalMeter({ type, measureBy, amount }, value) ?? 0) : 0
}

/** What a revenue goal counts: not what the campaign added, whose method stands with it. Null for other goals, and before anything is measured. */
export function goalMethodWords({
  goal_type,
  measure_by,
  current_goal_value,
}: Pick<Campaign, 'goal_type' | 'measure_by' | 'current_goal_value'>): string | null {
  if (goal_type !== 'revenue' || current_goal_value === null) return null
  return measure_by === 'target'
    ? 'Dispensed to its patients since the start, with or without the message'
    : 'Dispensed to its patients, against the same dates last year'
}

/** 'after 12 of 29 days'; null without both dates, and before the start. */
export function elapsedWords({ start_date, end_date }: Pick<Campaign, 'start_date' | 'end_date'>, today: Day) {
  const start = start_date === null ? null : parseDay(start_date)
  const end = end_date === null ? null : parseDay(end_date)
  if (start === null || end === null || today < start) return null
  return `after ${Math.min(today, end) - start + 1} of ${counted(end - start + 1, 'day', 'days')}`
}

/** What deactivating does: 'Deactivating keeps back 1,361 messages and turns off 2 templates.' */
export function deactivateWords(left: number, templates: number, country: Country): string {
  const does = []
  if (left > 0) does.push(`keeps back ${formatNumber(country, left)} ${left === 1 ? 'message' : 'messages'}`)
  if (templates > 0) does.push(`turns off ${counted(templates, 'template', 'templates')}`)
  does.push(does.length > 0 ? null : 'ends it today')
  return `Deactivating ${listOf(does.filter((one) => one !== null))}.`
}

/** 'a text', '3,906 texts', '120 e-mails': messages of one channel. */
function channelWords(channel: 'sms' | 'email', count: number, country: Country): string {
  const noun = channel === 'sms' ? ['text', 'texts'] : ['e-mail', 'e-mails']
  return `${formatNumber(country, count)} ${noun[count === 1 ? 0 : 1]}`
}

/** What would go out: '3,906 texts and 120 e-mails'; null when nothing would. */
export function messageWords({ channels }: Pick<CohortForecast, 'channels'>, country: Country): string | null {
  const some = channels.filter(({ messages }) => messages > 0)
  if (some.length === 0) return null
  return some.map(({ channel, messages }) => channelWords(channel, messages, country)).join(' and ')
}

/** What is found only when messages are written: 'About 62 of them are kept back to measure the effect: …'. None where nothing is. */
export function forecastWords(
  { expected_held_out: held, no_hour: shut }: Pick<CohortForecast, 'expected_held_out' | 'no_hour'>,
  country: Country,
): string[] {
  const are = (count: number) => `${formatNumber(country, count)} of them ${count === 1 ? 'is' : 'are'}`
  const words = []
  if (held > 0) words.push(`About ${are(held)} kept back to measure the effect: no message, no cost.`)
  if (shut > 0) {
    words.push(
      `${are(shut)} with a pharmacy that has no sending hours left before the campaign ends: no message, no cost.`,
    )
  }
  return words
}

/** The button that sends: 'Send 3,906 texts, $492.24'. */
export function sendWords(ledger: Pick<CohortForecast, 'channels' | 'cents'>, country: Country): string {
  const what = messageWords(ledger, country)
  return what === null ? 'Nobody to send to' : `Send ${what}, ${moneyOfCents(ledger.cents, country)}`
}

export function moneyOfCents(cents: number, country: Country): string {
  return formatMoney(country, cents / 100, 2)
}

const COUNT_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']

/** 'Texts in one part', 'Texts in two parts'. */
export function partsWords(parts: number): string {
  return `Texts in ${COUNT_WORDS[parts] ?? parts} ${parts === 1 ? 'part' : 'parts'}`
}

/** 'less than a minute', 'about 49 minutes', 'about 3 hours', 'about 2 days'. */
export function durationWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes <= 1) return 'about a minute'
  if (minutes < 100) return `about ${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 36 ? `about ${hours} hours` : `about ${Math.round(hours / 24)} days`
}

const HERE = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * '2:14 pm' of today, 'Mon 23 Nov, 10:00 am' of another day, by the clock of the country's main zone, which is named where the
 * person looking lives by another.
 */
export function timeWords(at: string, now: Date, country: Country, here = HERE()): string {
  const zone = zoneOf(country, null)
  const then = new Date(at)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[country].locale, { timeZone: zone, ...options }).format(then)
  const time = format({ hour: 'numeric', minute: '2-digit', hour12: true }).replaceAll('\u202f', ' ')
  const day = dayIn(zone, then) === dayIn(zone, now) ? '' : format({ weekday: 'short', day: 'numeric', month: 'short' })
  const place = zone === here ? '' : ` (${zone.split('/').at(-1)!.replaceAll('_', ' ')} time)`
  return `${day && `${day.replace(',', '')}, `}${time}${place}`
}

/** 'Sends in about 49 minutes, 80 a minute'; from when, where quiet hours put the start off. */
export function finishWords(
  ledger: Pick<CohortForecast, 'starts_at' | 'finishes_at' | 'rate_per_minute' | 'counted_at'>,
  now: Date,
  country: Country,
): string {
  const rate = `${formatNumber(country, Math.round(ledger.rate_per_minute))} a minute`
  if (ledger.finishes_at === null) return `Sends ${rate}`
  const starts = Date.parse(ledger.starts_at)
  const takes = durationWords(Date.parse(ledger.finishes_at) - starts)
  // Within five minutes is "now": the hold of two minutes is no delay worth a time of day.
  const later = starts - now.getTime() > 300_000
  return later
    ? `Sends from ${timeWords(ledger.starts_at, now, country)}, in ${takes}, ${rate}`
    : `Sends in ${takes}, ${rate}`
}

/** '1:42' of seconds. */
export function clockWords(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
