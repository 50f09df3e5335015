import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { MERGE_FIELDS } from '@pillar/domain/message/merge-field'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { COUNTRY_NAMES, type Country } from '@pillar/domain/time/locale'

/** Up to this many pharmacies are named; of more, the first two are named and the rest counted. */
const NAMED = 3

const named = (pharmacies: readonly Pick<CohortForecast['pharmacies'][0], 'pharmacy_name'>[]) => {
  const names = pharmacies.map((one) => one.pharmacy_name)
  const more = counted(names.length - NAMED + 1, 'other pharmacy', 'other pharmacies')
  return listOf(names.length <= NAMED ? names : [...names.slice(0, NAMED - 1), more])
}

/** 'Texts from A and B show ‘Unverified’ on the phone: their sender names are not registered.' Null if none would. */
export function unverifiedWords(
  pharmacies: readonly Pick<CohortForecast['pharmacies'][0], 'pharmacy_name' | 'unverified_sender'>[],
): string | null {
  const some = pharmacies.filter((one) => one.unverified_sender)
  if (some.length === 0) return null
  const why =
    some.length === 1
      ? `its sender name ${some[0]!.unverified_sender} is not registered`
      : 'their sender names are not registered'
  return `Texts from ${named(some)} show ‘Unverified’ on the phone: ${why}.`
}

/** 'Texts from A and B will not arrive: their senders are names, …' Null if all do. */
export function refusedWords(
  country: Country,
  pharmacies: readonly Pick<CohortForecast['pharmacies'][0], 'pharmacy_name' | 'refused_sender'>[],
): string | null {
  const some = pharmacies.filter((one) => one.refused_sender)
  if (some.length === 0) return null
  const why = some.length === 1 ? `its sender ${some[0]!.refused_sender} is a name` : 'their senders are names'
  return `Texts from ${named(some)} will not arrive: ${why}, and no phone network in the ${COUNTRY_NAMES[country]} delivers texts from one. Ask support to set a number first.`
}

/** What support enters for a pharmacy so that the field has a value. */
const ENTERED = { pharmacy_number: 'phone number', pharmacy_address: 'address' } as const

/** 'Messages from A and B leave {Pharmacy Number} blank: Pillar has no phone number for them. …', one sentence a field. */
export function blankWords(
  pharmacies: readonly Pick<CohortForecast['pharmacies'][0], 'pharmacy_name' | 'blank_fields'>[],
): string[] {
  return (['pharmacy_number', 'pharmacy_address'] as const).flatMap((field) => {
    const some = pharmacies.filter((one) => one.blank_fields.includes(field))
    if (some.length === 0) return []
    const [what, whom] = [ENTERED[field], some.length === 1 ? 'it' : 'them']
    return `Messages from ${named(some)} leave ${MERGE_FIELDS[field]} blank: Pillar has no ${what} for ${whom}. Ask support to add it first.`
  })
}
