import type { Flags } from './permission.ts'

/** Digits of an authenticator app's code. */
export const CODE_DIGITS = 6
/** Seconds for which a code is valid, and how far the app's clock may be off. */
export const CODE_SECONDS = 30
/** Recovery codes issued at a time; each works for one sign-in. */
export const RECOVERY_CODES = 10
/** Days for which a browser is remembered, if the user chose that. */
export const REMEMBERED_DAYS = 30
/** The most passkeys per login. */
export const MOST_PASSKEYS = 10
export const PASSKEY_NAME_LIMIT = 60

/** Letters and digits of recovery codes, without look-alikes. */
const RECOVERY_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const RECOVERY_LENGTH = 10

/**
 * Where a session stands with its second factor. done: checked, or not required; check: the login has one and this session has not shown it;
 * setup: the login must have one and has none.
 */
export type FactorState = 'done' | 'check' | 'setup'

interface FactorFacts {
  readonly flags: Flags
  /** The login has a second factor. */
  readonly has: boolean
  /** This session has shown it. */
  readonly shown: boolean
  /** Whether this installation requires one of people who can reach patients' data of many companies, or controlled drugs. */
  readonly required: boolean
}

/** Whether people with these flags must have a second factor: those who work across companies, and those who see S8 registers. */
export const needsSecondFactor = (flags: Flags): boolean => flags.sr_login === true || flags.ecdr === true

/** Where a session stands with its second factor. A login with one must show it, even if it is optional. */
export function factorState({ flags, has, shown, required }: FactorFacts): FactorState {
  if (has) return shown ? 'done' : 'check'
  return required && needsSecondFactor(flags) ? 'setup' : 'done'
}

/** A recovery code from random bytes, written in two halves: 'K7M2P-9QXRT'. */
export function recoveryCode(bytes: Uint8Array): string {
  if (bytes.length < RECOVERY_LENGTH) throw new RangeError(`a recovery code takes ${RECOVERY_LENGTH} random bytes`)
  // 256 is a multiple of 32, so every letter is equally likely.
  const letters = [...bytes.subarray(0, RECOVERY_LENGTH)].map((byte) => RECOVERY_ALPHABET[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** A recovery code in the form used for comparison: capitals, without dashes and spaces. */
export const plainRecoveryCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')

/** An app's code in the form used for comparison: its digits; null if it cannot be a code. */
export function plainCode(typed: string): string | null {
  const digits = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
