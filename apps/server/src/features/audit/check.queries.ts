import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Verdict } from './verify.ts'

/** Requests a verification. @param by the login that requests it; null for the nightly one @returns its uuid */
export async function addCheck(tx: Database | Tx, by: number | null, now: Date): Promise<string> {
  const uuid = uuidv7()
  await tx.insertInto('audit_check').values({ uuid, asked_by: by, asked_at: now }).execute()
  return uuid
}

/** Records the result of a verification. */
export async function endCheck(
  system: Database,
  uuid: string,
  { faults, ...verdict }: Verdict,
  now: Date,
): Promise<void> {
  await system
    .updateTable('audit_check')
    .set({ ...verdict, faults: JSON.stringify(faults), failure: null, ended_at: now })
    .where('uuid', '=', uuid)
    .execute()
}

/** Records why a verification could not be done. */
export async function failCheck(system: Database, uuid: string, failure: string, now: Date): Promise<void> {
  await system.updateTable('audit_check').set({ failure, ended_at: now }).where('uuid', '=', uuid).execute()
}

export interface EndedCheck {
  ended_at: string
  chains: number
  rows: number
  anchors: number
  faults: Verdict['faults']
  failure: string | null
}

const iso = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The last verification that ended, and since when another has been running or waiting; one that a worker lost does not count. */
export async function checkStatus(
  tx: Tx,
  now: Date,
): Promise<{ last: EndedCheck | null; running_since: string | null }> {
  const last = await sql<EndedCheck>`
    select ${iso('ended_at')} as ended_at, coalesce(chains, 0) as chains, coalesce(rows, 0) as rows, coalesce(anchors, 0) as anchors, faults, failure
    from audit_check where ended_at is not null order by ended_at desc, id desc limit 1`.execute(tx)
  const running = await sql<{ since: string }>`
    select ${iso('asked_at')} as since from audit_check
    where ended_at is null and asked_at > ${now}::timestamptz - interval '1 hour' order by id desc limit 1`.execute(tx)
  return { last: last.rows[0] ?? null, running_since: running.rows[0]?.since ?? null }
}
