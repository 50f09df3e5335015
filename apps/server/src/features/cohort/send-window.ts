import { type Cohort, firstFrom } from './cohort-question.ts'
import type { CohortGroup } from './count/alike.queries.ts'
import { GOES } from './selection.queries.ts'

/** The instants between which a campaign would be sent; null where its dates leave that open. */
export interface SendWindow {
  from: Date | null
  until: Date | null
}

/**
 * Forecasts what is decided only when messages are written. Whom the holdout takes depends on the campaign and each person, so their number
 * is an expectation. Pharmacies without an hour for sending are known, each by its own sending hours or its company's.
 */
export function forecast(cohort: Cohort, groups: readonly CohortGroup[], window: SendWindow) {
  const { pharmacies, rules, question, hoursAt } = cohort
  const receives = ({ sms, email }: CohortGroup) =>
    (question.sms !== null && sms === GOES) || (question.email !== null && email === GOES)
  const firstAt = firstFrom(question.now, window.from)
  const shut = new Set(pharmacies.filter((one) => !hasHour(one)).map((one) => one.id))
  let [people, noHour] = [0, 0]
  for (const group of groups) {
    if (!receives(group)) continue
    people += group.patients
    if (shut.has(group.location_id)) noHour += group.patients
  }
  return { expected_held_out: Math.round((people * rules.holdoutPercent) / 100), no_hour: noHour }

  function hasHour({ id, calendar }: Cohort['pharmacies'][number]): boolean {
    const at = firstAt(hoursAt(id), calendar)
    return at !== null && (window.until === null || at <= window.until)
  }
}
