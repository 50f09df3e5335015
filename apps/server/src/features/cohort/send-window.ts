import type { LocalCalendar } from '@pillar/domain/time/quiet-hours'
import { type Cohort, firstAt } from './cohort-question.ts'
import type { CohortGroup } from './count.queries.ts'
import { GOES } from './selection.queries.ts'

/** Between which instants a campaign would be sent; null where its dates leave it open. */
export interface SendWindow {
  from: Date | null
  until: Date | null
}

/**
 * What is decided only when messages are written, forecast for those who would receive. Whom the holdout takes depends on the campaign and
 * each person, so their number is an expectation; pharmacies without an hour for sending are known.
 */
export function forecast({ pharmacies, rules, question }: Cohort, groups: readonly CohortGroup[], window: SendWindow) {
  const receives = ({ sms, email }: CohortGroup) =>
    (question.sms !== null && sms === GOES) || (question.email !== null && email === GOES)
  const open = new Map([...new Set(pharmacies.map((one) => one.calendar))].map((one) => [one, hasHour(one)]))
  const shut = new Set(pharmacies.filter((one) => !open.get(one.calendar)).map((one) => one.id))
  let [people, noHour] = [0, 0]
  for (const group of groups) {
    if (!receives(group)) continue
    people += group.patients
    if (shut.has(group.location_id)) noHour += group.patients
  }
  return { expected_held_out: Math.round((people * rules.holdoutPercent) / 100), no_hour: noHour }

  function hasHour(calendar: LocalCalendar): boolean {
    const at = firstAt(rules, calendar, question.now, window.from)
    return at !== null && (window.until === null || at <= window.until)
  }
}
