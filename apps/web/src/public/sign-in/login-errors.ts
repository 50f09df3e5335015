import { RefusedError, wordsOf } from '../../shared/refused.ts'

/** The login form's message after a refusal, and the attempts left if the server sent them. */
export interface LoginRefusal {
  message: string
  attempts: string | null
  /** Nothing was sent, because a field is empty. */
  blank?: boolean
}

/** The server has signed them in, but the browser kept no cookie, so the portal would lead back here without a word. */
export const NO_COOKIE: LoginRefusal = {
  message: 'Your browser refused the cookie that keeps you signed in. Allow cookies for this site, then sign in again.',
  attempts: null,
}

/** 403: the server's message, or the fixed one, and the attempts left. Anything else: the server's message. */
export function loginRefusal(error: RefusedError): LoginRefusal {
  const left = error.errors.attempts_remaining?.[0]
  const known = left !== undefined && /^\d+$/.test(left) ? Number(left) : null
  return {
    message: error.message || 'Incorrect username or password.',
    attempts: known === null ? null : `${known} ${known === 1 ? 'attempt' : 'attempts'} remaining`,
  }
}

/** Whether the server did not answer, so that it may have changed the password all the same. */
export const isUnanswered = (thrown: unknown): boolean =>
  thrown instanceof RefusedError && thrown.unknown && thrown.code === null

/** What to say of an attempt without an answer, and of a refusal after one. */
const DOUBTS = {
  changed: {
    now: 'The server did not answer, so your password may or may not have been changed. Try again, or sign in with the new one.',
    before: 'An earlier attempt got no answer and may have changed your password: try to sign in with the new one.',
  },
  /** Of a sign-up, which somebody must approve before anybody can sign in. */
  confirmed: {
    now: 'The server did not answer, so your email address may or may not have been confirmed. Try again.',
    before:
      'An earlier attempt got no answer and may have confirmed your address, with the password you entered then. If so, there is nothing more to do: we email you when your account is ready.',
  },
} as const

/**
 * The message when a new password could not be saved. If an earlier attempt went unanswered, it may have saved the password, and the current
 * password or the link then no longer works.
 * @param before whether an earlier attempt went unanswered
 */
export function newPasswordRefusal(thrown: unknown, before: boolean, what: keyof typeof DOUBTS = 'changed'): string {
  const doubt = DOUBTS[what]
  if (isUnanswered(thrown)) return doubt.now
  return before ? `${wordsOf(thrown)} ${doubt.before}` : wordsOf(thrown)
}
