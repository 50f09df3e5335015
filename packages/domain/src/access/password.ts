/** Least number of characters where the password is the only factor, and beside a second one (NIST SP 800-63B-4). */
export const MIN_ALONE = 15
export const MIN_WITH_SECOND_FACTOR = 8
/** Far above the 64 that must be allowed; only a guard against hashing megabytes. Nothing is ever cut off. */
export const MAX_LENGTH = 1000
/** Characters that must remain when product words, figures and signs are taken out. */
const MIN_OWN_CHARACTERS = 6

export interface PasswordContext {
  /** Common and breached passwords, each through `comparable`. */
  readonly refused: ReadonlySet<string>
  /** Words anyone would guess here: product, company, username, names. */
  readonly productWords: readonly string[]
  readonly hasSecondFactor?: boolean
}

/** The form passwords are hashed in: Unicode NFKC, so that the same keys on two machines are the same password. */
export function normalised(password: string): string {
  return password.normalize('NFKC')
}

/** The form passwords are looked up in: normalised, letter case ignored. */
export function comparable(password: string): string {
  return normalised(password).toLowerCase()
}

/**
 * Why a new password is refused, as one sentence; null when it is fine. Length counts characters as people see code
 * points, any character is allowed, no mixture is asked for. The whole password is compared with the refused list; one
 * made of nothing but product words, figures and signs is refused too.
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

/** Whether product words are in it and too little is left without them, figures, spaces and signs. */
function isGuessable(compared: string, productWords: readonly string[]): boolean {
  let rest = compared
  // Longest first, so that "pharmacies" is taken out before "pharmac" could leave a tail.
  const words = productWords.map(comparable).filter((word) => word.length >= 3)
  for (const word of words.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '')
  if (rest === compared) return false
  return [...rest.replace(/[^\p{L}]/gu, '')].length < MIN_OWN_CHARACTERS
}

/** Why a new password may not take the place of the current one, or null. */
export function refuseSame(password: string, current: string): string | null {
  return normalised(password) === normalised(current)
    ? 'The new password is the current one. Please choose another one.'
    : null
}

/** Why two entries of a new password do not fit together, or null. */
export function refuseConfirmation(password: string, confirmation: string): string | null {
  return normalised(password) === normalised(confirmation)
    ? null
    : 'The two passwords are not the same. Please enter them again.'
}
