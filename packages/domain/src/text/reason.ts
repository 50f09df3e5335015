/** The fewest letters and digits in a reason: dots, spaces and invisible characters mean nothing to its reader. */
export const LEAST_LETTERS = 3

/** How many letters and digits a text has, of any script. */
export const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Whether a reader of the log learns anything from it: 'Ticket 1182', not '...'. */
export const saysWhy = (reason: string): boolean => lettersIn(reason) >= LEAST_LETTERS

const plain = (text: string | null) => (text ?? '').trim().toLowerCase()

/** Whether a typed last name is the stored one, ignoring case and surrounding spaces. */
export const isSameName = (stored: string | null, typed: string): boolean => plain(stored) === plain(typed)

/**
 * Whether a reason, which the log keeps for good, contains one of a person's identifiers: names, number, contacts. One of two letters is no sign,
 * nor is a number within a longer one.
 */
export function namesPerson(reason: string, known: readonly (string | null)[]): boolean {
  const said = reason.toLowerCase()
  const isDigit = (character: string | undefined) => character !== undefined && /\d/.test(character)
  const joins = (end: string | undefined, next: string | undefined) => isDigit(end) && isDigit(next)
  return known.map(plain).some((word) => {
    if (word.length <= 2) return false
    for (let at = said.indexOf(word); at >= 0; at = said.indexOf(word, at + 1))
      if (!joins(word[0], said[at - 1]) && !joins(word.at(-1), said[at + word.length])) return true
    return false
  })
}
