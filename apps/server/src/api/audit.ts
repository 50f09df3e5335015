import type { Call } from '@pillar/contract'
import { z } from 'zod'
import type { Database, Tx } from '../db/database.ts'
import type { Caller, Change, Context, Origin } from './context.ts'

export interface AuditEntry {
  /**
   * Who did it, and whose log the row goes into (null: no company's). The session is null for acts done through a mailed link; the login is
   * null too where a patient acted.
   */
  caller: { companyId: number | null; loginId: number | null; sessionId: string | null; from?: Origin } | null
  /** Origin of the request where the caller does not carry one, as at a sign-in. Never a patient's. */
  from?: Origin
  /** The call or event, such as 'session.login'. */
  action: string
  object: string | null
  /** The object's name at the time; it may be renamed later. */
  name?: string | null
  /** Facts about the act; never patient details or secrets. */
  detail: Readonly<Record<string, unknown>>
  /** The same act is also in another company's log, so a reader of all logs sees it once. */
  copy?: true
}

/** Longest object an audit row names in full. For more ids, the row keeps the first and their count. */
const OBJECT_LENGTH = 200

/** Adds one row to the audit log, in the transaction of the act it records. The database seals it as the transaction commits. */
export async function recordAudit(db: Database | Tx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({ ...rowOf(entry), ...(entry.copy ? { copy: true } : {}) })
    .execute()
}

/** One company's share of an act that concerns several: which of its objects are affected. */
interface CopyOf {
  companyId: number
  ids: readonly string[]
  /**
   * The object's name in this company, for an object that moves from one company to another. The list of changes is then left out, because
   * it would reveal the other company.
   */
  alone?: string
}

/** Copies waiting for the row they repeat, keyed by the call's transaction. */
const held = new WeakMap<Tx, ((copies: Copies) => void) | null>()

interface Copies {
  caller: Pick<Caller, 'loginId' | 'sessionId' | 'from'>
  action: string
  logs: readonly CopyOf[]
}

/**
 * Holds back what `recordInLogs` writes in this transaction until the call has ended, so that each company's row can say what changed.
 * @returns `write`: inserts the copies, with the name and the changes of the call
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

/** Records the same act in the logs of several companies. */
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
  // PostgreSQL accepts at most 65,535 values in a statement.
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

/** The name of the object a write concerned: as found, as created, or as requested; null for several objects. */
export function objectName({ changes, about }: Pick<Context, 'changes' | 'about'>, result: unknown, input: unknown) {
  return changes.length > 1 ? null : (about.name ?? nameOf(result) ?? nameOf(input))
}

function nameOf(row: unknown): string | null {
  const { name, title, company_name, username } = (row ?? {}) as Record<string, unknown>
  const found = [name, title, company_name, username].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof found === 'string' ? found : null
}

/**
 * Notes the fields a write changed in a record, before and after, for the call's audit row. Never pass a patient's details, a message text
 * or a secret.
 * @param object the record's uuid if the call covers several records; otherwise null
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

/** Notes how much a call touched or showed, such as the number of messages read, for its audit row. Numbers only. */
export function noteCounts(context: Pick<Context, 'counts'>, counts: Readonly<Record<string, number>>): void {
  Object.assign(context.counts, counts)
}

/** What a call's audit row says beyond who, what and which object: that an edit did not name the version it started from. */
export function detailOf(call: Call, input: unknown): AuditEntry['detail'] {
  const { version } = { ...(input as { version?: unknown }) }
  return takesVersion(call) && version == null ? { version: 'no version given' } : {}
}

/** Whether a call accepts the version an editor started from. */
export const takesVersion = (call: Call): boolean => call.input instanceof z.ZodObject && 'version' in call.input.shape
