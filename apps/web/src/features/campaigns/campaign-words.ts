import type { Campaign } from '@pillar/contract/campaign'
import type { Progress } from '@pillar/contract/campaign-stats'
import type { CohortLedger } from '@pillar/contract/cohort'
import { type Day, parseDay } from '@pillar/domain/day'
import { goalMeter } from '@pillar/domain/goal'
import { type Country, formatDate, formatMoney, formatNumber, formatSpan, LOCALES } from '@pillar/domain/locale'
import { counted } from '@pillar/domain/sentence'
import { dayIn, zoneOf } from '@pillar/domain/zone'

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

/** What deactivating does: '1,361 unsent messages will be cancelled. 2 templates will be deactivated.'; nothing but the end: 'The campaign ends today.' */
export function deactivateWords(left: number, templates: number, country: Country): string {
  const does = []
  if (left > 0) {
    does.push(`${formatNumber(country, left)} unsent ${left === 1 ? 'message' : 'messages'} will be cancelled.`)
  }
  if (templates > 0) does.push(`${counted(templates, 'template', 'templates')} will be deactivated.`)
  return does.length > 0 ? does.join(' ') : 'The campaign ends today.'
}

/** 'a text', '3,906 texts', '120 e-mails': messages of one channel. */
function channelWords(channel: 'sms' | 'email', count: number, country: Country): string {
  const noun = channel === 'sms' ? ['text', 'texts'] : ['e-mail', 'e-mails']
  return `${formatNumber(country, count)} ${noun[count === 1 ? 0 : 1]}`
}

/** What would go out: '3,906 texts and 120 e-mails'; null when nothing would. */
export function messageWords({ channels }: Pick<CohortLedger, 'channels'>, country: Country): string | null {
  const some = channels.filter(({ messages }) => messages > 0)
  if (some.length === 0) return null
  return some.map(({ channel, messages }) => channelWords(channel, messages, country)).join(' and ')
}

/** What is found only when messages are written: 'About 62 of them are kept back to measure the effect: …'. None where nothing is. */
export function foretoldWords(
  { expected_held_out: held, no_hour: shut }: Pick<CohortLedger, 'expected_held_out' | 'no_hour'>,
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

/** Size and cost beside the button: '3,906 texts, $492.24'. */
export function sizeWords(ledger: Pick<CohortLedger, 'channels' | 'cents'>, country: Country): string {
  const what = messageWords(ledger, country)
  return what === null ? 'Nobody to send to' : `${what}, ${moneyOfCents(ledger.cents, country)}`
}

/** The button that sends: 'Send 3,906 texts, $492.24'. */
export function sendWords(ledger: Pick<CohortLedger, 'channels' | 'cents'>, country: Country): string {
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

/**
 * '1:38 pm today (Sydney time)', '9:00 am tomorrow (…)', '9:00 am on Tue 29 Dec (…)', by the clock of the country's main zone. For what is
 * about to be sent: the day and the zone are always said.
 */
export function whenWords(at: string, now: Date, country: Country): string {
  const zone = zoneOf(country, null)
  const then = new Date(at)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[country].locale, { timeZone: zone, ...options }).format(then)
  const time = format({ hour: 'numeric', minute: '2-digit', hour12: true }).replaceAll('\u202f', ' ')
  const ahead = dayIn(zone, then) - dayIn(zone, now)
  const date = format({ weekday: 'short', day: 'numeric', month: 'short', ...(ahead > 300 ? { year: 'numeric' } : {}) })
  const day = ahead === 0 ? 'today' : ahead === 1 ? 'tomorrow' : `on ${date.replaceAll(',', '')}`
  return `${time} ${day} (${zone.split('/').at(-1)!.replaceAll('_', ' ')} time)`
}

/** '8 texts to 8 patients at 1 pharmacy, from 1:38 pm today (Sydney time). 1 patient is held back.'; null when nothing would go. */
export function sendingWords(
  ledger: Pick<CohortLedger, 'channels' | 'will_receive' | 'held_back' | 'pharmacies' | 'starts_at'>,
  now: Date,
  country: Country,
): string | null {
  const messages = messageWords(ledger, country)
  if (messages === null) return null
  const patients = (count: number) => `${formatNumber(country, count)} ${count === 1 ? 'patient' : 'patients'}`
  const places = counted(
    ledger.pharmacies.filter(({ will_receive }) => will_receive > 0).length,
    'pharmacy',
    'pharmacies',
  )
  const held =
    ledger.held_back > 0 ? ` ${patients(ledger.held_back)} ${ledger.held_back === 1 ? 'is' : 'are'} held back.` : ''
  return `${messages} to ${patients(ledger.will_receive)} at ${places}, from ${whenWords(ledger.starts_at, now, country)}.${held}`
}

/**
 * Whom an active campaign has reached, who would still receive it and who is held back, while it is being edited: 'The current run
 * includes 14 of the 16 patients who match. 1 more would receive it at the next activation, 1 is held back.'
 */
export function editedWords(
  ledger: Pick<CohortLedger, 'selected' | 'will_receive' | 'reasons'>,
  country: Country,
): string {
  const number = (count: number) => formatNumber(country, count)
  const had = ledger.reasons.find(({ reason }) => reason === 'already_contacted')?.count ?? 0
  const held = ledger.selected - ledger.will_receive - had
  const match = `${number(ledger.selected)} ${ledger.selected === 1 ? 'patient matches' : 'patients match'}.`
  const run =
    had === 0
      ? 'None of them has this campaign’s message.'
      : `${had === ledger.selected ? 'All' : number(had)} of them already have this campaign’s message or are queued for it.`
  const more = `${number(ledger.will_receive)} more would receive it at the next activation, ${number(held)} ${held === 1 ? 'is' : 'are'} held back.`
  return `${match} ${run} ${more}`
}

/** 'Sending takes about 49 minutes at 80 a minute'; from when, where quiet hours put the start off. */
export function finishWords(
  ledger: Pick<CohortLedger, 'starts_at' | 'finishes_at' | 'rate_per_minute' | 'counted_at'>,
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
    ? `Sending starts at ${whenWords(ledger.starts_at, now, country)} and takes ${takes} at ${rate}`
    : `Sending takes ${takes} at ${rate}`
}

/** '1:42' of seconds. */
export function clockWords(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
