import { withoutUploadKeys } from '@pillar/domain/upload/upload-key'
import { type DestinationStream, type Logger, pino } from 'pino'
import { outliveReader } from './outlive-reader.ts'

/**
 * Fields a log line may never carry. Lines are written field by field from an allow-list of their own (request id, call
 * name, status, milliseconds, reason); this is the net below it, should someone log an object whole.
 */
const REDACT = {
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
const LOG_HOOKS = { streamWrite: withoutUploadKeys }

/** Bytes of lines that wait to be written; what comes on top is dropped. */
const MOST_WAITING = 1_000_000

/** The log of a process, on standard output where no other place is given. */
export const openLog = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino({ level, redact: REDACT, hooks: LOG_HOOKS, base: null }, to)

/** A full disk behind it, or a reader that has gone, costs lines and nothing else. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  out.on('error', () => {})
  outliveReader()
  return out
}

/**
 * Why something failed, fit for the log. A database's message may quote a row, so its code stands in its place, with the table, column and
 * rule it names; so does the name of an error about a text that could not be read, whose message quotes the text.
 */
export function reasonOf(error: unknown): string {
  const { code, message, ...named } = error as { code?: unknown; message?: string } & Record<string, unknown>
  if (code !== undefined) return [code, named.table, named.column, named.constraint].filter(Boolean).join(' ')
  return error instanceof SyntaxError ? error.name : (message ?? String(error))
}

/** Where something failed, fit for the log: its stack without the message, which may itself look like one. */
export function placeOf({ stack = '', message }: Pick<Error, 'stack' | 'message'>): string {
  const at = stack.indexOf(message)
  return at < 0 ? '' : stack.slice(at + message.length).trim()
}
