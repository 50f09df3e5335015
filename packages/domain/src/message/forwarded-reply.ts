import { listOf } from '../text/sentence.ts'

/** The subject of a letter that passes a reply on to its pharmacy. */
export const FORWARDED = 'A patient has replied to a text'

/** The beginning of such a letter. */
export const answeredBy = (pharmacy: string) => `A text of ${pharmacy} was answered by`

/** The people it names: patients, by their numbers in the pharmacy's dispensing system. */
export const patientsIn = (numbers: readonly string[]) => `patient ${listOf(numbers)} of your dispensing system`

/** Whether such a letter forwards a reply that is, or may be, from this patient. */
export function isReplyOf(text: string, pharmacy: string, number: string): boolean {
  const begin = `${answeredBy(pharmacy)} patient `
  if (!text.startsWith(begin)) return false
  const named = text.slice(begin.length, text.indexOf(' of your dispensing system'))
  return named === number || named.split(/, | and /).includes(number)
}
