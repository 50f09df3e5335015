import type { SendingRules } from '@pillar/contract/message/sending'
import { NO_RATE, type SendingRulesField, sendingRulesProblems, WEEKDAYS } from '@pillar/domain/message/sending-rules'
import { counted, listOf, type Problem } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { MINUTES_OF_DAY } from '@pillar/domain/time/quiet-hours'
import { paceWords } from './time-words.ts'

const HOURS_A_DAY = 24
const DAY_FIELDS = ['day0', 'day1', 'day2', 'day3', 'day4', 'day5', 'day6'] as const

/** The rules as fields; an emptied number is ''. A day is '09:00–20:00', or '' without sending. */
export type RulesValues = {
  cap_messages: number | ''
  span: number | ''
  unit: 'days' | 'hours'
  holidays_quiet: boolean
  holdout_percent: number | ''
  approval: boolean
  version: number
} & Record<(typeof DAY_FIELDS)[number], string>

/** The initial hours of a day that is switched on, and a full day. */
export const USUAL_DAY = '09:00–17:00'
export const ALL_DAY = '00:00–00:00'

/** 540 becomes '09:00'; the end of a day is '00:00'. */
function clockOf(minutes: number): string {
  const minute = minutes % MINUTES_OF_DAY
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** '09:00' in minutes; NaN for anything but a time. */
function minutesOf(clock = ''): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clock)
  return match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN
}

/** The start and end of a form's day. */
export function clocksOf(day: string): [from: string, to: string] {
  const [from = '', to = ''] = day.split('–')
  return [from, to]
}

/** A form's day in minutes. An end of 00:00 is the end of the day. */
function dayOf(day: string): [number, number] | null {
  if (day === '') return null
  const [from, to] = clocksOf(day).map(minutesOf) as [number, number]
  return [from, to === 0 ? MINUTES_OF_DAY : to]
}

/** The rules as form values; a limit over whole days is shown in days. */
export function valuesOf(rules: SendingRules & { version: number }): RulesValues {
  const days = rules.cap_hours % HOURS_A_DAY === 0
  const week = rules.week.map((day, index) => [`day${index}`, day ? day.map(clockOf).join('–') : ''])
  return {
    cap_messages: rules.cap_messages,
    span: days ? rules.cap_hours / HOURS_A_DAY : rules.cap_hours,
    unit: days ? 'days' : 'hours',
    ...(Object.fromEntries(week) as Record<(typeof DAY_FIELDS)[number], string>),
    holidays_quiet: rules.holidays_quiet,
    holdout_percent: rules.holdout_percent,
    approval: rules.approval ?? false,
    version: rules.version,
  }
}

const numberOf = (value: number | '') => (value === '' ? Number.NaN : value)

/** A form's values as rules to save; anything missing is NaN. */
export function rulesOf(values: RulesValues): SendingRules & { version: number } {
  return {
    cap_messages: numberOf(values.cap_messages),
    cap_hours: numberOf(values.span) * (values.unit === 'days' ? HOURS_A_DAY : 1),
    week: DAY_FIELDS.map((field) => dayOf(values[field])) as SendingRules['week'],
    holidays_quiet: values.holidays_quiet,
    holdout_percent: numberOf(values.holdout_percent),
    approval: values.approval,
    version: values.version,
  }
}

const FIELDS: Partial<Record<SendingRulesField, keyof RulesValues & string>> = { cap_hours: 'span' }

/** What prevents a form from being saved, by field. */
export function problemsOf(values: RulesValues): Problem<keyof RulesValues & string>[] {
  return sendingRulesProblems(rulesOf(values)).map(({ field, words }) => ({
    field: FIELDS[field] ?? (field as keyof RulesValues & string),
    words,
  }))
}

/** Why a form has nothing to save; empty if it has. */
export function nothingChanged(before: SendingRules, values: RulesValues): string {
  if (problemsOf(values).length > 0) return ''
  return changesText(before, rulesOf(values)).length === 0 ? 'Nothing has been changed.' : ''
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What happens to messages already queued, for the password dialog; empty if the change does not affect them. */
export function queuedWords(before: SendingRules, after: SendingRules): string {
  const rules = ({ cap_messages, cap_hours, week, holidays_quiet }: SendingRules) => [
    cap_messages,
    cap_hours,
    week,
    holidays_quiet,
  ]
  return [
    same(rules(before), rules(after))
      ? ''
      : 'Frequency limit and sending hours also apply to messages that are queued but not yet sent.',
    after.approval && !before.approval ? 'Messages already queued go out without an approval.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** What saving would change, in words for the password dialog; empty if nothing would. */
export function changesText(before: SendingRules, after: SendingRules): string[] {
  const changed: string[] = []
  if (before.cap_messages !== after.cap_messages || before.cap_hours !== after.cap_hours) {
    changed.push(`At most ${capText(after)}; it was ${capText(before)}.`)
  }
  const days = WEEKDAYS.filter((_, index) => !same(before.week[index], after.week[index]))
  if (days.length > 0) changed.push(`Sending hours change on ${listOf(days)}.`)
  if (before.holidays_quiet !== after.holidays_quiet) {
    changed.push(after.holidays_quiet ? 'No sending on public holidays.' : 'Messages are also sent on public holidays.')
  }
  if (before.holdout_percent !== after.holdout_percent) {
    changed.push(
      after.holdout_percent === 0
        ? 'Nobody is kept back to measure against.'
        : `${after.holdout_percent}% of each new cohort is kept back to measure against.`,
    )
  }
  if ((before.approval ?? false) !== (after.approval ?? false)) {
    changed.push(
      after.approval
        ? 'Campaigns are sent only once a second person has approved them. Only support can switch this off again.'
        : 'Campaigns are sent without approval by a second person.',
    )
  }
  return changed
}

/** '2 messages to one person in 7 days'. */
export function capText({ cap_messages, cap_hours }: Pick<SendingRules, 'cap_messages' | 'cap_hours'>): string {
  const span =
    cap_hours % HOURS_A_DAY === 0
      ? counted(cap_hours / HOURS_A_DAY, 'day', 'days')
      : counted(cap_hours, 'hour', 'hours')
  return `${counted(cap_messages, 'message', 'messages')} to one person in ${span}`
}

/** How texts are sent: through which gateway, and how fast. */
export function gatewayText(
  country: Country,
  rules: { sms_gateway: string; simulated: boolean; rate_per_minute: number },
) {
  const pace = paceWords(rules.rate_per_minute, country)
  const rate = rules.rate_per_minute >= NO_RATE ? pace : `up to ${pace}`
  return rules.simulated
    ? `Test mode: no texts are sent. They go through every step, ${rate}.`
    : `Texts leave through ${rules.sms_gateway}, ${rate}.`
}
