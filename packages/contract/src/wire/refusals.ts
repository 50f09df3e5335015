/** Every refusal with its HTTP status. A closed list: add new refusals here. */
export const REFUSALS = {
  not_signed_in: 401,
  session_expired: 401,
  wrong_password: 403,
  not_allowed: 403,
  step_up_needed: 403,
  new_password_needed: 403,
  second_factor_needed: 403,
  agreement_needed: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unreadable: 415,
  misdirected: 421,
  invalid: 422,
  too_many: 429,
  failed: 500,
  unavailable: 503,
  insufficient_storage: 507,
} as const

export type RefusalCode = keyof typeof REFUSALS

/** The body of a refusal. */
export interface RefusalBody {
  code: RefusalCode
  message: string
  errors?: Record<string, string[]>
  /** The message again, only for the download links call. */
  error?: string
}

/** Thrown by handlers and rules; `api/mount.ts` turns it into a status and a body. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly errors: Record<string, string[]> | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    code: RefusalCode,
    message: string,
    more: { errors?: Record<string, string[]>; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.errors = more.errors
    this.retryAfter = more.retryAfter
  }

  get status(): number {
    return REFUSALS[this.code]
  }
}
