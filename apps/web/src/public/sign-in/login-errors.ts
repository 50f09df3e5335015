import type { RefusedError } from '../../shared/refused.ts'

/** The login form's message after a refusal, and the attempts left if the server sent them. */
export interface LoginRefusal {
  message: string
  attempts: string | null
  /** Nothing was sent, because a field is empty. */
  blank?: boolean
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
