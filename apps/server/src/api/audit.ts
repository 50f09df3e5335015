import type { Call } from '@pillar/contract'
import { z } from 'zod'
import type { Database, Tx } from '../db/database.ts'
import type { Caller, Change, Context, Origin } from './context.ts'

export interface AuditEntry {
  /**
   * Who did it, and in whose log it stands (null: no company's). The session is null for what is done with a mailed link, the login too
   * where a patient did it.
   */
  caller: { companyId: number | null; loginId: number | null; sessionId: string | null; from?: Origin } | null
  /** Where it was asked for, where the caller does not know: a sign-in. Never a patient's. */
  from?: Origin
  /** The call or event, such as 'session.login'. */
  action: string
  object: string | null
  /** What the object is called now; it may be renamed later. */
  name?: string | null
  /** Facts about the act; never patient details or secrets. */
  detail: Readonly<Record<string, unknown>>
  /** The same act stands in another company's log: whoever reads all logs sees it once. */
  copy?: true
}

/** Longest object an audit row names in full; of more ids the row keeps the first and how many there were. */
const OBJECT_LENGTH = 200

/** Adds one row to the audit log, in the transaction of the act it records. The database seals it as the transaction commits. */
export async function recordAudit(db: Database | Tx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({ ...rowOf(entry), ...(entry.copy ? { copy: true } : {}) })
    .execute()
}

/** The log of one company that an act on several concerns: which of its things. */
interface CopyOf {
  companyId: number
  ids: readonly string[]
  /** What the thing is called there, where it goes from one company to another: then what changed, which tells of the other, is left out. */
  alone?: string
}

/** Copies that wait for the row they repeat, by the transaction of the call. */
const held = new WeakMap<Tx, ((copies: Copies) => void) | null>()

interface Copies {
  caller: Pick<Caller, 'loginId' | 'sessionId' | 'from'>
  action: string
  logs: readonly CopyOf[]
}

/**
 * Holds back what `recordInLogs` writes in this transaction until the call has ended, so that each company's row can tell what changed.
 * @returns `write`: writes them, with the name and the changes of the call
 */
export function holdCopies(tx: Tx) {
  const waiting: Copies[] = []
  held.set(tx, (copies) => waiting.push(copies))
  return {
    async write(name: string | null, changes: readonly Change[]): Promise<void> {
      held.delete(tx)
      for (const copies of waiting) await insertCopies(tx, copies, name, changes)
    },
  }
}

/** The same act in the logs of several companies. */
export async function recordInLogs(
  tx: Tx,
  caller: Pick<Caller, 'loginId' | 'sessionId' | 'from'>,
  action: string,
  logs: readonly CopyOf[],
): Promise<void> {
  const hold = held.get(tx)
  if (hold) hold({ caller, action, logs })
  else await insertCopies(tx, { caller, action, logs }, null, [])
}

async function insertCopies(tx: Tx, { caller, action, logs }: Copies, name: string | null, changes: readonly Change[]) {
  const { loginId, sessionId, from } = caller
  const rows = logs.map(({ companyId, ids, alone }) => {
    const own = changes.filter(({ object }) => alone === undefined && (object === null || ids.includes(object)))
    const detail = { ids, ...(own.length === 0 ? {} : { changes: own }) }
    const log = { companyId, loginId, sessionId, from }
    const entry = { caller: log, action, object: ids[0] ?? null, name: alone ?? name, detail }
    return { ...rowOf(entry), copy: true }
  })
  // A statement takes 65,535 values.
  for (let start = 0; start < rows.length; start += 5_000) {
    await tx
      .insertInto('audit')
      .values(rows.slice(start, start + 5_000))
      .execute()
  }
}

function rowOf({ caller, from = caller?.from, action, object, name, detail }: AuditEntry) {
  const long = object !== null && object.length > OBJECT_LENGTH
  const more = long ? { objects: object.split(',').length } : {}
  return {
    company_id: caller?.companyId ?? null,
    login_id: caller?.loginId ?? null,
    session_id: caller?.sessionId ?? null,
    network: from?.network ?? null,
    agent: from?.agent ?? null,
    action,
    object: long ? `${object.slice(0, OBJECT_LENGTH)}…` : object,
    object_name: name?.slice(0, OBJECT_LENGTH) ?? null,
    detail: JSON.stringify({ ...detail, ...more }),
  }
}

/** What the thing is called that a write was about: as it was found, as it was made, or as it was asked for; null of several. */
export function objectName({ changes, about }: Pick<Context, 'changes' | 'about'>, result: unknown, input: unknown) {
  return changes.length > 1 ? null : (about.name ?? nameOf(result) ?? nameOf(input))
}

function nameOf(row: unknown): string | null {
  const { name, title, company_name, username } = (row ?? {}) as Record<string, unknown>
  const found = [name, title, company_name, username].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof found === 'string' ? found : null
}

/**
 * Notes what a write found in a record and what it left, for the audit row of the call: the fields that differ. Never give it a patient's
 * details, a text of a message or a secret.
 * @param object the uuid of the record, where the call is about several; otherwise null
 */
export function noteChange<T extends object>(
  context: Pick<Context, 'changes' | 'about'>,
  object: string | null,
  before: T,
  after: Partial<T>,
): void {
  const fields = Object.keys(after) as (keyof T & string)[]
  const differing = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  if (differing.length === 0) return
  const only = (row: Partial<T>) => Object.fromEntries(differing.map((field) => [field, row[field] ?? null]))
  context.about.name ??= nameOf(before)
  context.changes.push({ object, before: only(before), after: only(after) })
}

/** Notes how much a call touched or showed, such as how many messages were read, for its audit row: numbers only. */
export function noteCounts(context: Pick<Context, 'counts'>, counts: Readonly<Record<string, number>>): void {
  Object.assign(context.counts, counts)
}

/** What the row of a call tells beyond who, what and which: that an edit did not say which version it started from. */
export function detailOf(call: Call, input: unknown): AuditEntry['detail'] {
  const { version } = { ...(input as { version?: unknown }) }
  return takesVersion(call) && version == null ? { version: 'no version given' } : {}
}

/** Whether a call takes the version an editor started from. */
export const takesVersion = (call: Call): boolean => call.input instanceof z.ZodObject && 'version' in call.input.shape
