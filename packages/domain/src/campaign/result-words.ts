import { type Country, formatMoney, formatNumber } from '../time/locale.ts'
import { effectOf, MIN_MESSAGED, type NoResult } from './campaign-result.ts'

const REASONS: Readonly<Record<NoResult, string>> = {
  too_few: 'Too few to tell',
  not_started: 'Not started',
  no_data: 'No sales yet',
}

/** The text in place of a missing result: 'Too few to tell'; empty if there is a result. */
export const reasonWords = (reason: NoResult | null): string => (reason === null ? '' : REASONS[reason])

/** Why there is no result, with the number: '22 patients messaged; results need 100'. Empty if there is one. */
export function reasonSentence(country: Country, reason: NoResult | null, messaged: number): string {
  if (reason === null) return ''
  if (reason === 'not_started') return 'Nothing has been sent yet'
  if (reason === 'no_data') return 'No sales data for the days after the messages yet'
  const patients = `${formatNumber(country, messaged)} ${messaged === 1 ? 'patient' : 'patients'}`
  return `${patients} messaged; results need ${MIN_MESSAGED}`
}

/** An interval in words: 'between $2,100 and $9,060', 'between −$400 and $1,200: no clear effect, it could be chance'. */
export function intervalWords(country: Country, low: number, high: number, decimals = 0): string {
  const words = `between ${formatMoney(country, low, decimals)} and ${formatMoney(country, high, decimals)}`
  return effectOf({ low, high }) === 'chance' ? `${words}: no clear effect, it could be chance` : words
}
