import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import type { Waiting } from '@pillar/domain/campaign/time-line'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { day } from '@pillar/domain/time/day'
import { type Country, formatDate } from '@pillar/domain/time/locale'
import type { Stats } from './sequence-stats.ts'

/** Unsent messages and patients part-way through. */
export const waitingOf = (stats: Stats | undefined): Waiting => ({
  queued: stats ? stats.message_info.sms_scheduled + stats.message_info.email_scheduled : 0,
  in_progress: stats?.in_progress ?? 0,
})

/** A button's words about the messages it cancels. */
export const cancelling = ({ queued }: Waiting) =>
  queued === 0 ? ' sequence' : ` and cancel ${counted(queued, 'message', 'messages')}`

/** Shown once a sequence is switched on or off. */
export function changedWords(active: boolean, cancelled: number): string {
  if (active) return 'Sequence activated'
  return cancelled === 0
    ? 'Sequence deactivated'
    : `Sequence deactivated, ${counted(cancelled, 'unsent message', 'unsent messages')} cancelled`
}

/** What activating does. */
export function activationWords({ follow_ups, location_name }: AdminPharmacySequence): string {
  const off = new Set(follow_ups.filter((one) => !one.template_active).map((one) => one.template))
  const first = `Patients of ${location_name} start it from the next upload on.`
  if (off.size === 0) return first
  return `${first} ${off.size === 1 ? 'An inactive template' : `${off.size} inactive templates`} will be activated: ${listOf([...off])}.`
}

/** The dates between which it runs. */
export function datesOf(country: Country, { start_date, end_date }: AdminPharmacySequence): string {
  const on = (text: string) => formatDate(country, day(text))
  if (!start_date && !end_date) return 'No start or end date'
  return `${start_date ? `From ${on(start_date)}` : 'No start date'}, ${end_date ? `until ${on(end_date)}` : 'no end'}`
}

/** How it reaches patients, and which consent it needs. */
export function methodOf(sequence: AdminPharmacySequence): string {
  const asked = [
    ...(sequence.health_outreach_consent ? ['health outreach'] : []),
    ...(sequence.marketing_consent ? ['marketing'] : []),
  ]
  const method = sequence.preferred_communication_method === 'sms' ? 'SMS' : 'Email'
  return `${method} preferred, ${asked.length === 0 ? 'consent as each template needs' : `${listOf(asked)} consent needed`}`
}

/** The address that shows one sequence. */
export function addressOf(id: string): string {
  const url = new URL(location.href)
  url.search = new URLSearchParams({ tab: '7', list: 'pharmacy', sequence: id }).toString()
  return url.toString()
}
