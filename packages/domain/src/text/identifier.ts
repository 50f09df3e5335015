/** Text that may identify a person, found by its shape. The server looks up names. */
export type Identifier = 'email' | 'medicare' | 'number'

export const IDENTIFIER_WORDS: Readonly<Record<Identifier, string>> = {
  email: 'email addresses',
  medicare: 'Medicare numbers',
  number: 'phone numbers and other long numbers',
}

const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/u
// A date alone also has up to eight digits and identifies nobody; one that continues ('04-12-34-56-78') is not a date.
const DATE = /(?<![\d][-/.]|\d)(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d|[-/.]\d)/g
const NUMBER = /\p{Nd}(?:[\s().\-/+]{0,3}\p{Nd})*/gu
/** Fewer digits are prices, ages and doses; more are telephone, Medicare, pension and card numbers. */
const LONG = 8

/**
 * Whether 10 or 11 digits are an Australian Medicare card number: the first is 2 to 6, and the ninth is the sum of the first eight,
 * weighted 1, 3, 7, 9 in turn, modulo 10. The tenth is the issue number, the eleventh identifies a person on the card.
 */
export function isMedicareNumber(digits: string): boolean {
  if (!/^[2-6]\d{9,10}$/.test(digits)) return false
  const sum = [1, 3, 7, 9, 1, 3, 7, 9].reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum % 10 === Number(digits[8])
}

/** Kinds of identifiers in a text, each once. Separators in a number do not hide it, nor do digits of another width or script. */
export function identifiersIn(text: string): Identifier[] {
  const plain = text.normalize('NFKC')
  const found = new Set<Identifier>(EMAIL.test(plain) ? ['email'] : [])
  for (const [run] of plain.replaceAll(DATE, ' , ').matchAll(NUMBER)) {
    const digits = run.replaceAll(/\P{Nd}/gu, '')
    if (isMedicareNumber(digits)) found.add('medicare')
    else if ([...digits].length >= LONG) found.add('number')
  }
  return [...found]
}

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu
const TITLED = /(?<!\p{L})(?:mr|mrs|ms|miss|mx|master)\.?\s+([\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*)/giu
const folded = (word: string) => word.replaceAll('’', "'").toLowerCase()

/** Words of a text that could name somebody, in lower case. */
export interface PossibleNames {
  /** Neighbours as [first, last] in either order ('Mary Nguyen', 'Nguyen, Mary'); a single letter between them is skipped. */
  readonly pairs: readonly (readonly [first: string, last: string])[]
  /** The words after a title: 'Mrs Nguyen'. */
  readonly titled: readonly string[]
}

/** The possible names of a text, each once. */
export function possibleNames(text: string): PossibleNames {
  const plain = text.normalize('NFKC')
  const pairs = new Map<string, readonly [string, string]>()
  let before: { word: string; end: number } | null = null
  for (const match of plain.matchAll(WORD)) {
    const word = folded(match[0])
    const end = match.index + match[0].length
    const beside = before !== null && /^[\s,]+(?:\p{L}\.?[\s,]+)*$/u.test(plain.slice(before.end, match.index))
    if (word.length === 1 && beside) continue
    if (before && beside) {
      pairs.set(`${before.word} ${word}`, [before.word, word])
      pairs.set(`${word} ${before.word}`, [word, before.word])
    }
    before = { word, end }
  }
  return { pairs: [...pairs.values()], titled: [...new Set([...plain.matchAll(TITLED)].map((one) => folded(one[1]!)))] }
}
