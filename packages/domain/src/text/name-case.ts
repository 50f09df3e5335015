/** Letters of a name that is all capitals: ASCII only, because 'ç' costs a text more than 'Ç'. */
const CAPITALS = /^[A-Z][A-Z' .-]*$/
const NUMERAL = /^(I{2,3}|IV|VI{0,3})$/
/** Fewer are as likely initials: 'AJ'. */
const LEAST_LETTERS = 3

/**
 * A name as a person would write it, where a dispensing system keeps names in capitals: 'MARY-ANNE' becomes 'Mary-Anne', 'MCKENZIE O'BRIEN'
 * 'McKenzie O'Brien'. Any other name stays as it is, and no name changes its length.
 */
export function nameCase(name: string): string {
  if (!CAPITALS.test(name) || name.replaceAll(/[^A-Z]/g, '').length < LEAST_LETTERS) return name
  return name
    .split(' ')
    .map((word) => (NUMERAL.test(word) ? word : inLowerCase(word)))
    .join(' ')
}

const inLowerCase = (word: string) =>
  word
    .toLowerCase()
    .replaceAll(/(^|[-'.])([a-z])/g, (_whole, before: string, letter: string) => before + letter.toUpperCase())
    .replaceAll(/\bMc([a-z])(?=[a-z])/g, (_whole, letter: string) => `Mc${letter.toUpperCase()}`)
