import { withoutUploadKeys } from '@pillar/domain/upload/upload-key'
import { type DestinationStream, type Logger, pino } from 'pino'
import { outliveReader } from './ending.ts'

/**
 * Fields no log line may carry. Lines are written field by field from their own allow-list (request id, call name, status, milliseconds,
 * reason); this is the safety net should a whole object be logged.
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

/** The last safeguard, over the finished line: recognises an upload key by its form in any text. */
const LOG_HOOKS = { streamWrite: withoutUploadKeys }

/** Bytes of log lines that may wait to be written; further lines are dropped. */
const MOST_WAITING = 1_000_000

/** The log of a process; goes to standard output by default. */
export const openLog = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino({ level, redact: REDACT, hooks: LOG_HOOKS, base: null }, to)

/** A full disk or a lost reader costs log lines and nothing else. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  out.on('error', () => {})
  outliveReader()
  return out
}

/**
 * Why something failed, fit for the log. A database's message may quote a row, so its code stands instead, with the table, column and rule
 * it names. For an error about unreadable text, whose message quotes the text, the error's name stands instead.
 */
export function reasonOf(error: unknown): string {
  const { code, message, ...named } = error as { code?: unknown; message?: string } & Record<string, unknown>
  if (code !== undefined) return [code, named.table, named.column, named.constraint].filter(Boolean).join(' ')
  return error instanceof SyntaxError ? error.name : (message ?? String(error))
}

/** Where something failed, fit for the log: the stack without the message, which may itself look like a stack. */
export function placeOf({ stack = '', message }: Pick<Error, 'stack' | 'message'>): string {
  const at = stack.indexOf(message)
  return at < 0 ? '' : stack.slice(at + message.length).trim()
}
