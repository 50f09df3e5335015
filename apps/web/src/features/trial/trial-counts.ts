import { type Country, formatNumber } from '@pillar/domain/time/locale'

const counted = (country: Country, count: number, one: string, many: string) =>
  `${formatNumber(country, count)} ${count === 1 ? one : many}`

/** '3 get a text and 1 an email', for counts before anybody is invited. */
export const invitedWords = (country: Country, { sms, email }: { sms: number; email: number }): string =>
  `${counted(country, sms, 'gets', 'get')} a text and ${formatNumber(country, email)} an email`

/** '3 texts and 1 email go out' */
export const leavingWords = (country: Country, { sms, email }: { sms: number; email: number }): string =>
  `${counted(country, sms, 'text', 'texts')} and ${counted(country, email, 'email', 'emails')} go out`

/** '1 patient is eligible' */
export const eligibleWords = (country: Country, count: number): string =>
  counted(country, count, 'patient is eligible', 'patients are eligible')
