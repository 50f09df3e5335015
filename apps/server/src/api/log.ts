import { withoutUploadKeys } from '@pillar/domain/upload/upload-key'

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
    'authorization',
    'cookie',
    '*.password',
    '*.email',
    '*.mobile',
    '*.key',
    '*.authorization',
    '*.cookie',
  ],
  censor: '[redacted]',
}

/** The last safeguard, over the finished line: an upload key is known by its form, in whatever text it stands. */
export const LOG_HOOKS = { streamWrite: withoutUploadKeys }

/** Why something failed, fit for the log. A database's message may quote a row, so its code stands in its place. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string }
  return code === undefined ? (message ?? String(error)) : String(code)
}
