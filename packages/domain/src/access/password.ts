/** Minimum length as the only factor, and with a second factor (NIST SP 800-63B-4). */
export const MIN_ALONE = 15
export const MIN_WITH_SECOND_FACTOR = 8
/** Far above the 64 that must be allowed; only prevents hashing megabytes. Passwords are never truncated. */
export const MAX_LENGTH = 1000
/** Characters that must remain once product words, digits and symbols are removed. */
const MIN_OWN_CHARACTERS = 6

export interface PasswordContext {
  /** Common and breached passwords, each through `comparable`. */
  readonly refused: ReadonlySet<string>
  /** Words anyone would guess here: product, company, username, names. */
  readonly productWords: readonly string[]
  readonly hasSecondFactor?: boolean
}

/** The form in which passwords are hashed: Unicode NFKC, so that the same keys on two machines give the same password. */
export function normalised(password: string): string {
  return password.normalize('NFKC')
}

/** The form in which passwords are looked up: normalised, letter case ignored. */
export function comparable(password: string): string {
  return normalised(password).toLowerCase()
}

/**
 * Why a new password is refused, as one sentence; null when it is accepted. Length counts Unicode code
 * points; any character is allowed and no mixture is required. The whole password is compared with the refused list; one
 * made only of product words, digits and symbols is refused too.
 */
export function refusePassword(password: string, context: PasswordContext): string | null {
  const length = [...normalised(password)].length
  const least = context.hasSecondFactor ? MIN_WITH_SECOND_FACTOR : MIN_ALONE
  if (length < least)
    return `Please choose a password of at least ${least} characters; several words in a row are easy to remember.`
  if (length > MAX_LENGTH) return `Please choose a password of at most ${MAX_LENGTH} characters.`
  const compared = comparable(password)
  if (context.refused.has(compared)) {
    return 'This password is on lists that attackers try first. Please choose another one.'
  }
  if (isGuessable(compared, context.productWords)) {
    return 'This password is made of words anyone would guess here, such as the product or your name. Please choose another one.'
  }
  return null
}

/** Whether the password contains product words and too little remains without them, digits, spaces and symbols. */
function isGuessable(compared: string, productWords: readonly string[]): boolean {
  let rest = compared
  // Longest first, so that "pharmacies" is removed before "pharmac" could leave a tail.
  const words = productWords.map(comparable).filter((word) => word.length >= 3)
  for (const word of words.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '')
  if (rest === compared) return false
  return [...rest.replace(/[^\p{L}]/gu, '')].length < MIN_OWN_CHARACTERS
}

/** Why a new password cannot replace the current one, or null. */
export function refuseSame(password: string, current: string): string | null {
  return normalised(password) === normalised(current)
    ? 'The new password is the current one. Please choose another one.'
    : null
}

/** Why the two entries of a new password differ, or null. */
export function refuseConfirmation(password: string, confirmation: string): string | null {
  return normalised(password) === normalised(confirmation)
    ? null
    : 'The two passwords are not the same. Please enter them again.'
}
