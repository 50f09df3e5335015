import type { report } from '@pillar/contract/report'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { type Day, day } from '@pillar/domain/time/day'

export type ReportPharmacy = ReplyOf<typeof report.contacts>['pharmacies'][number]

/** What stands where a pharmacy has nobody to mail to. */
export const NO_CONTACT = 'No Contact Set'

/** What is wrong with the dates, as a sentence; empty when nothing is. */
export function datesProblem(from: string, to: string, today: Day): string {
  if (from === '' || to === '') return 'Please choose both dates.'
  if (from > to) return 'Please choose a start that is not after the end.'
  return day(from) > today ? 'Please choose a start that is not in the future.' : ''
}

/** Why no report can be made yet; empty when it can. */
export function blockedBy(picked: number, dates: string, nobody = false): string {
  if (nobody) return 'None of the pharmacies has a contact set'
  if (dates !== '') return dates
  return picked === 0 ? 'Select a pharmacy with a contact first' : ''
}

/** Pharmacies whose name, state or contact holds the words, in the order given. */
export function found(pharmacies: readonly ReportPharmacy[], words: string): readonly ReportPharmacy[] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return pharmacies
  return pharmacies.filter(({ pharmacy_name, state, contact }) =>
    [pharmacy_name, state, contact?.name, contact?.email].some((text) => text?.toLowerCase().includes(wanted)),
  )
}

/** The picked ids after Select All over what is shown: all of them on, or off when all were on. Those without a contact never are. */
export function afterSelectAll(shown: readonly ReportPharmacy[], picked: ReadonlySet<string>): ReadonlySet<string> {
  const ids = shown.filter(({ contact }) => contact !== null).map(({ pharmacy_id }) => pharmacy_id)
  const on = ids.length > 0 && ids.every((id) => picked.has(id))
  const next = new Set(picked)
  for (const id of ids) {
    if (on) next.delete(id)
    else next.add(id)
  }
  return next
}
