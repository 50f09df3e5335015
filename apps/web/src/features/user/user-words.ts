import type { User } from '@pillar/contract/access/user'
import { day } from '@pillar/domain/time/day'
import { type Country, formatDate, NO_VALUE } from '@pillar/domain/time/locale'
import { type StatusWord, statusWord } from '../../kit/display/status.tsx'

/** First, middle and last name. */
export function fullName({ person: { personal_information: it } }: Pick<User, 'person'>): string {
  return [it.first_name, it.middle_name, it.last_name].filter(Boolean).join(' ')
}

/** The state of a user as a status word: 'Invitation expired'. */
export const stateOf = ({ state }: Pick<User, 'state'>): StatusWord => statusWord(state)

/** A date of birth as the company writes dates. */
export const birthOf = (country: Country, dob: string | null): string =>
  dob === null ? NO_VALUE : formatDate(country, day(dob))

/** When a new user can sign in, for the question before creating them. @param who 'They' @param password the password set, if any */
export function firstSignIn(who: string, password: string | null | undefined): string {
  return password
    ? `${who} can sign in at once with the password you set, and must then choose their own.`
    : `${who} can sign in as soon as they have a password.`
}
