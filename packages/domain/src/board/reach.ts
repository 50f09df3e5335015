import { MIN_PATIENTS, MIN_PHARMACIES } from './bundle.ts'

/** What a company's pharmacies sent in a month: messages that arrived by channel, people reached, and the people and pharmacies behind each. */
export interface MonthReach {
  readonly sms: number
  readonly email: number
  readonly reach: number
  readonly sms_people: number
  readonly email_people: number
  readonly pharmacies: number
  readonly sms_pharmacies: number
  readonly email_pharmacies: number
}

/** The part that may be shown; null where hidden. */
export interface ShownReach {
  readonly sms: number | null
  readonly email: number | null
  readonly reach: number | null
}

/**
 * What a board shows of a month's messages: nothing unless 10 people of 3 pharmacies were reached, and both channels or neither. A channel that
 * is too small hides the other too, and so does a small number of people reached by one channel only, because subtracting a channel from the
 * total would reveal it. One person may get several messages, so people are counted separately.
 */
export function shownReach(month: MonthReach): ShownReach {
  const { sms, email, reach, sms_people, email_people, pharmacies, sms_pharmacies, email_pharmacies } = month
  if (reach < MIN_PATIENTS || pharmacies < MIN_PHARMACIES) return { sms: null, email: null, reach: null }
  const enough = (messages: number, people: number, places: number) =>
    messages === 0 || (people >= MIN_PATIENTS && places >= MIN_PHARMACIES)
  const few = (people: number) => people > 0 && people < MIN_PATIENTS
  const left = [sms, sms_people, email, email_people].map((known) => reach - known)
  const apart =
    enough(sms, sms_people, sms_pharmacies) && enough(email, email_people, email_pharmacies) && !left.some(few)
  return apart ? { sms, email, reach } : { sms: null, email: null, reach }
}
