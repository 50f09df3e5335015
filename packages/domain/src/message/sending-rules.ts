import type { Problem } from '../text/sentence.ts'
import { type DayHours, MINUTES_OF_DAY, SENDING_LIMITS } from '../time/quiet-hours.ts'

/** Days of the week in the order sending hours are listed. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The rate in answers of an installation that sets none: the gateway alone decides it. */
export const NO_RATE = 100_000 * 60

/** Messages a minute at a gateway's limit for a second; `NO_RATE` if it has none. */
export const ratePerMinute = (perSecond: number): number => (Number.isFinite(perSecond) ? perSecond * 60 : NO_RATE)

/** A company's sending rules before they are saved. A missing number or minute is NaN. */
export interface SendingRulesDraft {
  readonly cap_messages: number
  readonly cap_hours: number
  /** Minutes of each day, Monday first; null for a day without sending. */
  readonly week: readonly DayHours[]
  /** Percent of a cohort held out at random. */
  readonly holdout_percent: number
}

/** A field of the rules: one of its numbers, or a day by its position in the week from 0. */
export type SendingRulesField = 'cap_messages' | 'cap_hours' | 'holdout_percent' | `day${number}`

const within = (value: number, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && value >= min && value <= max

const minute = (value: number) => within(value, { min: 0, max: MINUTES_OF_DAY })

const usable = (hours: DayHours) => hours === null || (hours.every(minute) && hours[0] < hours[1])

/**
 * What prevents sending rules from being saved, in the order of the form. Hours that begin after they end, or a week without any, would hold back
 * every message for ever.
 */
export function sendingRulesProblems(rules: SendingRulesDraft): Problem<SendingRulesField>[] {
  const { cap_messages: messages, cap_hours: hours, holdout_percent: holdout } = SENDING_LIMITS
  const found: Problem<SendingRulesField>[] = []
  const wrong = (field: SendingRulesField, words: string) => found.push({ field, words })
  if (!within(rules.cap_messages, messages)) {
    wrong('cap_messages', `set the frequency limit to ${messages.min} to ${messages.max} messages`)
  }
  if (!within(rules.cap_hours, hours)) {
    wrong('cap_hours', `set the time of the frequency limit to ${hours.min} hour to ${hours.max / 24} days`)
  }
  for (const [index, day] of rules.week.entries()) {
    if (!usable(day)) wrong(`day${index}`, `let the sending hours of ${WEEKDAYS[index]} end after they begin`)
  }
  if (rules.week.every((day) => day === null)) {
    wrong('day0', 'leave at least one day of the week on which messages may be sent')
  }
  if (!within(rules.holdout_percent, holdout)) {
    wrong('holdout_percent', `keep back ${holdout.min} to ${holdout.max} percent`)
  }
  return found
}
