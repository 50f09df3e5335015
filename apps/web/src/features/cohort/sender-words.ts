import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { counted, listOf } from '@pillar/domain/text/sentence'

/** Up to this many pharmacies are named; of more, the first two are named and the rest counted. */
const NAMED = 3

/** 'Texts from A and B show ‘Unverified’ on the phone: their sender names are not registered.' Null if none would. */
export function unverifiedWords(
  pharmacies: readonly Pick<CohortForecast['pharmacies'][0], 'pharmacy_name' | 'unverified_sender'>[],
): string | null {
  const some = pharmacies.filter((one) => one.unverified_sender)
  if (some.length === 0) return null
  const names = some.map((one) => one.pharmacy_name)
  const more = counted(names.length - NAMED + 1, 'other pharmacy', 'other pharmacies')
  const listed = names.length <= NAMED ? names : [...names.slice(0, NAMED - 1), more]
  const why =
    some.length === 1
      ? `its sender name ${some[0]!.unverified_sender} is not registered`
      : 'their sender names are not registered'
  return `Texts from ${listOf(listed)} show ‘Unverified’ on the phone: ${why}.`
}
