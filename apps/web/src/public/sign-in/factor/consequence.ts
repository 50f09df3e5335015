import type { FactorStatus } from './factor-calls.ts'
import type { Consequence } from './useProtected.ts'

type Having = Pick<FactorStatus, 'app' | 'passkeys' | 'recovery_codes' | 'required'>

const factors = ({ app, passkeys }: Having) => (app ? 1 : 0) + passkeys.length

/** Whether removing one is refused: a login that must have a second factor has no other. */
export const isNeeded = (status: Having): boolean => status.required && factors(status) === 1

/** What a removal calls the authenticator app. */
export const APP = 'the authenticator app'

/** What removing the app or a passkey means for the next sign-in. */
export function removing(what: string, status: Having): Consequence {
  const other = status.app && what !== APP ? APP : 'a passkey'
  const consequence =
    factors(status) === 1
      ? 'You then sign in with your password alone.'
      : `It no longer signs you in. You still have ${other}.`
  return { title: `Remove ${what}?`, consequence, button: 'Remove' }
}

/** What new recovery codes do to those that are left; undefined if none are. */
export function replacingCodes({ recovery_codes: left }: Having): Consequence | undefined {
  if (left === 0) return undefined
  const old = left === 1 ? 'The code you have now' : `The ${left} codes you have now`
  return {
    title: 'Get new recovery codes?',
    consequence: `${old} will stop working, wherever you keep them.`,
    button: 'Get new codes',
  }
}
