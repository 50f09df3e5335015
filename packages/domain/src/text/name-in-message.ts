/**
 * The part of a name that can be one, up to anything else: people note things behind names, '(HIV CLINIC)' or '*owes $20'. Apostrophes and
 * hyphens are whatever a keyboard or a conversion made of them.
 */
const NAME = /^(?:(?! -|- )[\p{L}\p{M} .'’‘ʼ`´\u2010\u2011-])*/u
/** Letters of a name that is all capitals: ASCII only, because 'ç' costs a text more than 'Ç'. */
const CAPITALS = /^[A-Z][A-Z' .-]*$/
const NUMERAL = /^(I{2,3}|IV|VI{0,3})$/
/** Fewer are as likely initials: 'AJ'. */
const LEAST_LETTERS = 3

/**
 * A patient's name as a message says it, from what a dispensing system holds: without notes behind it, which are not for whoever reads the
 * phone, and not in capitals. 'MARY-ANNE (WEBSTER)' becomes 'Mary-Anne', "MCKENZIE O'BRIEN" "McKenzie O'Brien"; empty if a note stands
 * first, or leaves a single letter, as in 'B/O SARAH'. What is left of a name keeps its length.
 */
export function nameInMessage(written: string): string {
  const whole = written.trim()
  const name = NAME.exec(whole)![0].trim()
  if (name === whole) return unshouted(name)
  return name.replaceAll(/[^\p{L}]/gu, '').length > 1 ? unshouted(name) : ''
}

function unshouted(name: string): string {
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
