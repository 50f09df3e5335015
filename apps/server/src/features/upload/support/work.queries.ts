import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

export interface Work {
  assigned_to: number | null
  note: string
  snoozed_until: Date | null
  /** The state during which the pharmacy is snoozed (`stateKey`). */
  snoozed_state: string | null
}

const NOTHING: Work & { version: number } = {
  assigned_to: null,
  note: '',
  snoozed_until: null,
  snoozed_state: null,
  version: 0,
}

/** Advisory lock namespace for support's notes on a pharmacy's uploads. */
const WORK_SPACE = 7304

/** What support has written about a pharmacy's uploads, locked until the transaction ends; version 0 if nothing. */
export async function lockWork(tx: Tx, locationId: number): Promise<Work & { version: number }> {
  // A row that does not exist cannot be locked.
  await sql`select pg_advisory_xact_lock(${sql.lit(WORK_SPACE)}, ${locationId}::int)`.execute(tx)
  const { rows } = await sql<Work & { version: number }>`
    select assigned_to, note, snoozed_until, snoozed_state, version from upload_work where location_id = ${locationId}`.execute(
    tx,
  )
  return rows[0] ?? NOTHING
}

/** Writes it and increments its version. @returns the new version */
export async function saveWork(
  tx: Tx,
  locationId: number,
  work: Work,
  by: { loginId: number; at: Date },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into upload_work (location_id, assigned_to, note, snoozed_until, snoozed_state, updated_at, updated_by)
    values (${locationId}, ${work.assigned_to}, ${work.note}, ${work.snoozed_until}, ${work.snoozed_state}, ${by.at}, ${by.loginId})
    on conflict (location_id) do update set assigned_to = excluded.assigned_to, note = excluded.note,
      snoozed_until = excluded.snoozed_until, snoozed_state = excluded.snoozed_state, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by, version = upload_work.version + 1
    returning version`.execute(tx)
  return rows[0]?.version ?? 1
}

export interface SupportPerson {
  id: number
  uuid: string
  name: string
}

/** Everybody who can be assigned work: support people who can sign in, by name. */
export async function listSupportPeople(tx: Tx): Promise<SupportPerson[]> {
  const { rows } = await sql<SupportPerson>`
    select id, uuid, trim(first_name || ' ' || last_name) as name from login
    where sr_login and disabled_at is null order by lower(first_name || ' ' || last_name), id`.execute(tx)
  return rows
}
