import type { Attributes } from '@opentelemetry/api'
import { Refusal } from '@pillar/contract'
import { faultOf } from '../fault.ts'
import type { Marks } from './trace.ts'

/** The exported name of each mark. A mark missing here is not sent. */
const NAMES: Readonly<Record<keyof Marks, string>> = {
  call: 'pillar.call',
  status: 'http.response.status_code',
  job: 'pillar.job',
  pool: 'pillar.pool',
  outcome: 'pillar.outcome',
  error: 'error.type',
  company: 'pillar.company.id',
  location: 'pillar.location.id',
  upload: 'pillar.upload.id',
  run: 'pillar.run.id',
  set: 'pillar.upload.set',
  channel: 'pillar.channel',
  gateway: 'pillar.gateway',
  rows: 'pillar.rows',
  messages: 'pillar.messages',
  accepted: 'pillar.messages.accepted',
  rejected: 'pillar.messages.rejected',
  later: 'pillar.messages.later',
  unknown: 'pillar.messages.unknown',
  receipts: 'pillar.receipts',
  delivered: 'pillar.receipts.delivered',
  failed: 'pillar.receipts.failed',
}

const WORDS: ReadonlySet<string> = new Set<keyof Marks>([
  ...(['call', 'job', 'pool', 'outcome', 'error', 'set', 'channel', 'gateway'] as const),
])

/** Our own words, database codes and error classes: no blanks, no characters of an address, no phone number. */
const isWord = (value: unknown) => typeof value === 'string' && /^(?!.*\d{6})[A-Za-z0-9][\w.-]{0,59}$/.test(value)

/** Marks as attributes; anything not in the list, or of the wrong kind, is left out. */
export function attributesOf(marks: Marks): Attributes {
  const kept = Object.entries(marks).filter(
    ([name, value]) => Object.hasOwn(NAMES, name) && (WORDS.has(name) ? isWord(value) : Number.isFinite(value)),
  )
  return Object.fromEntries(kept.map(([name, value]) => [NAMES[name as keyof Marks], value]))
}

/** An error's word: a refusal's or a database's code, or its class. Never its message. */
export function errorWord(error: unknown): string {
  if (error instanceof Refusal) return error.code
  const { code, name } = faultOf(error)
  return code ?? name
}
