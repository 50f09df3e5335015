import type { Database, Tx } from '../db/database.ts'
import type { Caller } from './context.ts'

export interface AuditEntry {
  /**
   * Who did it, and in whose log it stands (null: no company's). The session is null for what is done with a mailed link, the login too
   * where a patient did it.
   */
  caller: { companyId: number | null; loginId: number | null; sessionId: string | null } | null
  /** The call or event, such as 'session.login'. */
  action: string
  object: string | null
  /** Facts about the act; never patient details or secrets. */
  detail: Record<string, string | number | boolean | null | readonly string[]>
}

/** Longest object an audit row names in full; of more ids the row keeps the first and how many there were. */
const OBJECT_LENGTH = 200

/** Adds one row to the audit log, in the transaction of the act it records. */
export async function recordAudit(db: Database | Tx, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(rowOf(entry)).execute()
}

/** The same act in the logs of several companies. */
export async function recordInLogs(
  tx: Tx,
  caller: Pick<Caller, 'loginId' | 'sessionId'>,
  action: string,
  logs: readonly { companyId: number; ids: readonly string[] }[],
): Promise<void> {
  const { loginId, sessionId } = caller
  const rows = logs.map(({ companyId, ids }) =>
    rowOf({ caller: { companyId, loginId, sessionId }, action, object: ids[0] ?? null, detail: { ids } }),
  )
  // A statement takes 65,535 values.
  for (let start = 0; start < rows.length; start += 5_000) {
    await tx
      .insertInto('audit')
      .values(rows.slice(start, start + 5_000))
      .execute()
  }
}

function rowOf({ caller, action, object, detail }: AuditEntry) {
  const long = object !== null && object.length > OBJECT_LENGTH
  const more = long ? { objects: object.split(',').length } : {}
  return {
    company_id: caller?.companyId ?? null,
    login_id: caller?.loginId ?? null,
    session_id: caller?.sessionId ?? null,
    action,
    object: long ? `${object.slice(0, OBJECT_LENGTH)}…` : object,
    detail: JSON.stringify({ ...detail, ...more }),
  }
}
