import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** Raise it when the same records give other facts: those of an earlier version are then built again with the next upload. */
const RULES = 1

/**
 * During an upload, before its time is recorded: facts that were true until now remain true, except those of patients of whom it changed a
 * supply, or the day on which a prescription ended.
 */
export async function keepFacts(tx: Tx, locationId: number, changed: readonly number[]): Promise<void> {
  const kept = await sql`
    update fact_base b set upload_at = now() from location l
    where b.location_id = ${locationId} and l.id = b.location_id and b.upload_at = l.last_upload_at`.execute(tx)
  if (!kept.numAffectedRows) return
  await sql`
    insert into fact_stale (location_id, patient_id) select ${locationId}::bigint, id from unnest(${[...changed]}::bigint[]) as p(id)
    on conflict do nothing`.execute(tx)
}

/** What a pharmacy's facts are built from, apart from its patients and their supplies. */
export interface Grounds {
  locationId: number
  /** Last day of the pharmacy's data, ISO. */
  dataTo: string
  /** A query for its drugs: `drug_id`, and what facts depend on. */
  drugs: RawBuilder<unknown>
}

interface Found {
  /** Whether the data end on another day by now. */
  moved: boolean | null
  kept: boolean | null
  at: string | null
  shops: string
  last: number
  now: string
}

/**
 * Whose facts have to be built again: an upload changed something of theirs, or a day has passed that changes them. Null for everybody.
 * From then on they count as built, so the caller builds them in the same transaction, and calls this before it takes other locks. Nobody
 * if an upload has moved the last day of data meanwhile: without its new supplies, its patients would count as built.
 */
export async function takeStale(tx: Tx, { locationId, dataTo, drugs }: Grounds): Promise<number[] | null> {
  // An upload under way holds this row. Waiting for it later, with locks that it needs, would be a deadlock.
  await sql`select from fact_base where location_id = ${locationId} for update`.execute(tx)
  const { rows } = await sql<Found>`
    with d as (${drugs}), one as (select drug_id, md5(d::text) as text from d),
      l as (
        select last_upload_at, data_to, array(select unnest(company_location_ids()) order by 1) as shops from location where id = ${locationId}
      ),
      b as (select * from fact_base where location_id = ${locationId})
    select l.data_to <> ${dataTo}::date as moved, l.last_upload_at::text as at, l.shops::text as shops,
      coalesce((select max(drug_id) from one), 0) as last,
      coalesce((select md5(string_agg(text, '' order by drug_id)) from one), '') as now,
      b.upload_at = l.last_upload_at and b.data_to <= ${dataTo}::date and b.rules = ${sql.lit(RULES)} and b.shops = l.shops
        and b.drugs = coalesce((select md5(string_agg(text, '' order by drug_id)) from one where drug_id <= b.drugs_to), '') as kept
    from l left join b on true`.execute(tx)
  const { moved = null, kept = null, at = null, shops = '{}', last = 0, now = '' } = rows[0] ?? {}
  if (moved) return []
  const stale = await sql<{ id: number }>`
    with gone as (delete from fact_stale where location_id = ${locationId} returning patient_id)
    select patient_id as id from gone
    union select patient_id from patient_fact where location_id = ${locationId} and (true_until >= ${dataTo}::date) is not true`.execute(
    tx,
  )
  if (at !== null)
    await sql`
      insert into fact_base (location_id, upload_at, data_to, shops, rules, drugs_to, drugs)
      values (${locationId}, ${at}::timestamptz, ${dataTo}::date, ${shops}::bigint[], ${sql.lit(RULES)}, ${last}, ${now})
      on conflict (location_id) do update set upload_at = excluded.upload_at, data_to = excluded.data_to, shops = excluded.shops,
        rules = excluded.rules, drugs_to = excluded.drugs_to, drugs = excluded.drugs`.execute(tx)
  return kept ? stale.rows.map(({ id }) => Number(id)) : null
}
