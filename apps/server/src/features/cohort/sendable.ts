import { Refusal } from '@pillar/contract'
import { fieldsIn } from '@pillar/domain/message/merge-field'
import { countSms, SMS_LIMIT } from '@pillar/domain/message/sms-text'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { CANONICAL_FORMAT } from '@pillar/domain/upload/upload-format'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'
import { refuseHoles } from '../template/template-text.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { renderText, type TextFrame, withLinks } from './message-text.ts'

type Text = Pick<CampaignText, 'name' | 'body' | 'subject' | 'sms_template'>
type Place = Pick<MessagingPharmacy, 'name' | 'values' | 'sms_sender'>

/** As long as names in a record can be: whether a text fits must not depend on who gets it. */
const NAMES = {
  first_name: 'x'.repeat(CANONICAL_FORMAT.patients.first_name.max),
  last_name: 'x'.repeat(CANONICAL_FORMAT.patients.last_name.max),
}

/** The most units a text can have at a pharmacy, with its links and its opt-out line. */
function mostUnits(body: string, pharmacy: Omit<Place, 'name'>, frame: TextFrame): number {
  return countSms(withLinks(renderText(body, pharmacy, NAMES, frame), frame)).units
}

/** The fields of these messages that the pharmacy has no value for: patients would read 'Call us on .' */
export function blankFields(
  texts: readonly Pick<Text, 'body' | 'subject'>[],
  { values }: Pick<Place, 'values'>,
): string[] {
  const used = new Set(texts.flatMap(({ body, subject }) => fieldsIn(`${subject ?? ''} ${body}`)))
  return (['pharmacy_address', 'pharmacy_number'] as const).filter((field) => used.has(field) && !values[field])
}

/** Whether every patient of a pharmacy can get this text: gateways refuse one over `SMS_LIMIT`. */
export const fitsText = (body: string, pharmacy: Omit<Place, 'name'>, frame: TextFrame): boolean =>
  mostUnits(body, pharmacy, frame) <= SMS_LIMIT

/** @throws Refusal invalid for a text that names a clinical trial, or that is too long as an SMS at one of the pharmacies */
export function refuseUnsendable(
  texts: readonly Text[],
  pharmacies: readonly Place[],
  frame: TextFrame,
  country: Country,
): void {
  refuseHoles(texts)
  for (const { name, body } of texts.filter((text) => text.sms_template)) {
    const counted = pharmacies.map((pharmacy) => ({ at: pharmacy.name, units: mostUnits(body, pharmacy, frame) }))
    const long = counted.find(({ units }) => units > SMS_LIMIT)
    if (!long) continue
    const [units, limit] = [long.units, SMS_LIMIT].map((number) => formatNumber(country, number))
    throw new Refusal(
      'invalid',
      `"${name}" can have ${units} characters at ${long.at}, with its opt-out line. A text can have ${limit}: please shorten it, or send it as an email only.`,
    )
  }
}
