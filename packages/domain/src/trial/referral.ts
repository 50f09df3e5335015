/** Head of the column for how a patient was invited, in the specification's words, which recruiters' own lists rely on. */
export const INVITED_BY_HEAD = 'SRAI Communication'

/**
 * The words of a search for referrals. A phone number is one word, however it is written: its digits without the country code or the zero
 * before them, which are part of every way to write it. A ZIP code with nine digits is no phone number.
 */
export function searchWords(term: string): string[] {
  const text = term.trim().toLowerCase()
  const digits = text.replaceAll(/\D/g, '')
  if (/^\+?[\d\s().-]+$/.test(text) && digits.length >= 8 && !/^\d{5}-\d{4}$/.test(text))
    return [digits.replace(text.startsWith('+') ? /^(?:61|44|1)0?/ : /^0/, '')]
  return text.split(/\s+/).filter((word) => word !== '')
}
