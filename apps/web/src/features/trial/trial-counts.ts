import { type Country, formatNumber } from '@pillar/domain/time/locale'

const counted = (country: Country, count: number, one: string, many: string) =>
  `${formatNumber(country, count)} ${count === 1 ? one : many}`

/** How many are invited by each channel. */
interface Invited {
  readonly sms: number
  readonly email: number
}

/** '3 patients get a text and 1 an email', for counts before anybody is invited. */
export function invitedWords(country: Country, { sms, email }: Invited): string {
  const get = (count: number) => counted(country, count, 'patient gets', 'patients get')
  if (sms === 0) return `${get(email)} an email`
  return `${get(sms)} a text${email > 0 ? ` and ${formatNumber(country, email)} an email` : ''}`
}

/** '3 texts and 1 email go out' */
export function leavingWords(country: Country, { sms, email }: Invited): string {
  const parts = [
    ...(sms > 0 ? [counted(country, sms, 'text', 'texts')] : []),
    ...(email > 0 ? [counted(country, email, 'email', 'emails')] : []),
  ]
  return `${parts.join(' and ')} ${sms + email === 1 ? 'goes' : 'go'} out`
}

/** '1 patient is eligible' */
export const eligibleWords = (country: Country, count: number): string =>
  counted(country, count, 'patient is eligible', 'patients are eligible')
