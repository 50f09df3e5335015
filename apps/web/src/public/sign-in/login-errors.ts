import type { RefusedError } from '../../shared/refused.ts'

/** What the login form says after a refusal, and how many attempts are left where the server tells. */
export interface LoginRefusal {
  message: string
  attempts: string | null
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
