import type { SendingRules } from '@pillar/contract/message'
import { type Country, formatNumber } from '@pillar/domain/locale'
import { MINUTES_OF_DAY, SENDING_LIMITS } from '@pillar/domain/quiet-hours'
import { counted, listOf, pleaseSentence } from '@pillar/domain/sentence'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const HOURS_A_DAY = 24
const { cap_messages, cap_hours, holdout_percent } = SENDING_LIMITS
/** What the server takes. */
export const LIMITS = { messages: cap_messages.max, hours: cap_hours.max, holdout: holdout_percent.max } as const

/** A day of the form: hours as a clock shows them; midnight at the end reads 00:00. */
export interface DayDraft {
  readonly on: boolean
  readonly from: string
  readonly to: string
}

/** The rules while they are being changed; an emptied number is ''. */
export interface RulesDraft {
  readonly messages: number | ''
  readonly span: number | ''
  readonly unit: 'days' | 'hours'
  readonly week: readonly DayDraft[]
  readonly holidaysQuiet: boolean
  readonly holdout: number | ''
}

/** '09:00' of 540; the end of a day is '00:00'. */
export function clockOf(minutes: number): string {
  const minute = minutes % MINUTES_OF_DAY
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Minutes of '09:00'; null for what is no time. */
export function minutesOf(clock: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clock)
  return match ? Number(match[1]) * 60 + Number(match[2]) : null
}

const QUIET: DayDraft = { on: false, from: '09:00', to: '17:00' }

/** The form of the rules; a cap over whole days is shown in days. */
export function draftOf(rules: SendingRules): RulesDraft {
  const days = rules.cap_hours % HOURS_A_DAY === 0
  return {
    messages: rules.cap_messages,
    span: days ? rules.cap_hours / HOURS_A_DAY : rules.cap_hours,
    unit: days ? 'days' : 'hours',
    week: rules.week.map((day) => (day ? { on: true, from: clockOf(day[0]), to: clockOf(day[1]) } : QUIET)),
    holidaysQuiet: rules.holidays_quiet,
    holdout: rules.holdout_percent,
  }
}

/** A day's minutes; null where nothing is sent. An end of 00:00 is the end of the day. */
function dayOf({ on, from, to }: DayDraft): [number, number] | null {
  if (!on) return null
  return [minutesOf(from) ?? 0, minutesOf(to) || MINUTES_OF_DAY]
}

/** The rules of a form without problems. */
export function rulesOf(draft: RulesDraft): SendingRules {
  const span = Number(draft.span)
  return {
    cap_messages: Number(draft.messages),
    cap_hours: draft.unit === 'days' ? span * HOURS_A_DAY : span,
    week: draft.week.map(dayOf) as SendingRules['week'],
    holidays_quiet: draft.holidaysQuiet,
    holdout_percent: Number(draft.holdout),
  }
}

const whole = (value: number | '', low: number, high: number) =>
  value !== '' && Number.isInteger(value) && value >= low && value <= high

export type RulesField = 'messages' | 'span' | 'holdout' | `day${number}`

/** What keeps a form from being saved: the fields, and one sentence for all of them; empty when nothing does. */
export function rulesProblems(draft: RulesDraft): { fields: RulesField[]; sentence: string } {
  const fields: RulesField[] = []
  const wants: string[] = []
  const want = (field: RulesField, words: string) => {
    fields.push(field)
    wants.push(words)
  }
  const most = draft.unit === 'days' ? LIMITS.hours / HOURS_A_DAY : LIMITS.hours
  if (!whole(draft.messages, 1, LIMITS.messages)) want('messages', `let the cap be 1 to ${LIMITS.messages} messages`)
  if (!whole(draft.span, 1, most)) want('span', `count the cap over 1 to ${most} ${draft.unit}`)
  const backwards = draft.week.flatMap((day, index) => {
    const range = dayOf(day)
    const complete = minutesOf(day.from) !== null && minutesOf(day.to) !== null
    return range !== null && (!complete || range[0] >= range[1]) ? [index] : []
  })
  if (backwards.length > 0) {
    for (const index of backwards) fields.push(`day${index}`)
    wants.push(
      `let the sending hours of ${listOf(backwards.map((index) => WEEKDAYS[index] ?? ''))} end after they begin`,
    )
  }
  if (draft.week.every((day) => !day.on)) want('day0', 'leave at least one day on which messages may be sent')
  if (!whole(draft.holdout, 0, LIMITS.holdout)) want('holdout', `keep back 0 to ${LIMITS.holdout} percent`)
  return { fields, sentence: pleaseSentence(wants) }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What saving would change, in words for the password dialog; empty when nothing would. */
export function changesText(before: SendingRules, after: SendingRules): string[] {
  const changed: string[] = []
  if (before.cap_messages !== after.cap_messages || before.cap_hours !== after.cap_hours) {
    changed.push(`At most ${capText(after)}; it was ${capText(before)}.`)
  }
  const days = WEEKDAYS.filter((_, index) => !same(before.week[index], after.week[index]))
  if (days.length > 0) changed.push(`Other sending hours on ${listOf(days)}.`)
  if (before.holidays_quiet !== after.holidays_quiet) {
    changed.push(
      after.holidays_quiet ? 'Nothing is sent on public holidays.' : 'Messages are also sent on public holidays.',
    )
  }
  if (before.holdout_percent !== after.holdout_percent) {
    changed.push(
      after.holdout_percent === 0
        ? 'Nobody is kept back to measure against.'
        : `${after.holdout_percent}% of each new cohort is kept back to measure against.`,
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

/** How texts leave: through which gateway, how fast. */
export function gatewayText(
  country: Country,
  rules: { sms_gateway: string; simulated: boolean; rate_per_minute: number },
) {
  const rate = `up to ${formatNumber(country, Math.round(rules.rate_per_minute))} a minute`
  return rules.simulated
    ? `Texts are simulated (${rate}): they go through every step, but none leaves this installation.`
    : `Texts leave through ${rules.sms_gateway}, ${rate}.`
}
