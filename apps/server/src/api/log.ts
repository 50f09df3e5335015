/**
 * Fields a log line may never carry. Lines are written field by field from an allow-list of their own (request id, call
 * name, status, milliseconds, reason); this is the net below it, should someone log an object whole.
 */
export const REDACT = {
  paths: [
    'password',
    'name',
    'first_name',
    'last_name',
    'email',
    'mobile',
    'phone_number',
    'address',
    'token',
    'key',
    'body',
    'headers',
    'req',
    'res',
    'err.detail',
    'err.parameters',
    'err.where',
    '*.password',
    '*.email',
    '*.mobile',
    '*.authorization',
    '*.cookie',
  ],
  censor: '[redacted]',
}

/** Why something failed, fit for the log. A database's message may quote a row, so its code stands in its place. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string }
  return code === undefined ? (message ?? String(error)) : String(code)
}
