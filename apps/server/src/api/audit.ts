import type { Call } from '@pillar/contract'
import { z } from 'zod'
import type { Database, Tx } from '../db/database.ts'
import type { Caller } from './context.ts'

export interface AuditEntry {
  /** Who did it; the session is null for what is done with a mailed link, the login too where a patient did it. */
  caller: (Pick<Caller, 'companyId'> & { loginId: number | null; sessionId: string | null }) | null
  /** The call or event, such as 'session.login'. */
  action: string
  object: string | null
  /** Facts about the act; never patient details or secrets. */
  detail: Record<string, string | number | boolean | null>
}

/** Adds one row to the audit log, in the transaction of the act it records. */
export async function recordAudit(db: Database | Tx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      company_id: entry.caller?.companyId ?? null,
      login_id: entry.caller?.loginId ?? null,
      session_id: entry.caller?.sessionId ?? null,
      action: entry.action,
      object: entry.object,
      detail: JSON.stringify(entry.detail),
    })
    .execute()
}

/** What the row of a call tells beyond who, what and which: that an edit did not say which version it started from. */
export function detailOf(call: Call, input: unknown): AuditEntry['detail'] {
  const { version } = { ...(input as { version?: unknown }) }
  return takesVersion(call) && version == null ? { version: 'no version given' } : {}
}

/** Whether a call takes the version an editor started from. */
export const takesVersion = (call: Call): boolean => call.input instanceof z.ZodObject && 'version' in call.input.shape
