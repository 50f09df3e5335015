import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { copyConsent } from '../cohort/fact/fact-consent.queries.ts'
import { skipOptedOut } from '../run/cancel/skip.queries.ts'
import { lockConsent } from './consent-log.queries.ts'

/**
 * Patients whose opt-out in the dispensing system has changed. Both sides hold only rows with a flag, and a full join can only be hashed or
 * merged, so it stays fast before the planner has statistics of the upload's rows.
 */
const moved = (locationId: number) => sql`
  select coalesce(p.id, c.patient_id) as id, coalesce(p.sms_opt_out, false) as sms_opt_out,
    coalesce(p.email_opt_out, false) as email_opt_out,
    coalesce(p.sms_opt_out, false) and not coalesce(c.sms, false) as sms_new,
    coalesce(p.email_opt_out, false) and not coalesce(c.email, false) as email_new
  from (select id, sms_opt_out, email_opt_out from patient
        where location_id = ${locationId} and (sms_opt_out or email_opt_out)) p
    full join (select patient_id, imported_sms_opt_out as sms, imported_email_opt_out as email from consent
        where location_id = ${locationId} and (imported_sms_opt_out or imported_email_opt_out)) c on c.patient_id = p.id
  where coalesce(p.sms_opt_out, false) <> coalesce(c.sms, false)
    or coalesce(p.email_opt_out, false) <> coalesce(c.email, false)`

/**
 * Imports an upload's opt-outs at the end of its own transaction. A newly set flag becomes an entry of the log, closes both kinds of its
 * channel and skips what is queued on it; a cleared flag is stored and opens nothing. The set-based equivalent of the domain's `consentOf`.
 * @returns how many entries were added
 */
export async function importOptOuts(tx: Tx, locationId: number, now: Date): Promise<number> {
  const any = await sql`select exists (${moved(locationId)}) as found`.execute(tx)
  if (!(any.rows[0] as { found: boolean }).found) return 0
  await lockConsent(tx, locationId)
  const { rows } = await sql<{ patient_id: number; entries: number }>`
    with moved as (${moved(locationId)}),
    entry as (
      insert into consent_entry (location_id, uuid, patient_id, at, type, channel, source)
      select ${locationId}, gen_random_uuid(), m.id, ${now}, 'import_opt_out', v.channel, 'upload'
      from moved m cross join lateral (values ('sms', m.sms_new), ('email', m.email_new)) v(channel, new)
      where v.new
      returning id, patient_id, channel
    ),
    closed as (
      select patient_id, max(id) filter (where channel = 'sms') as sms, max(id) filter (where channel = 'email') as email,
        count(*) as entries
      from entry group by patient_id
    ),
    written as (
      insert into consent as c (location_id, patient_id, sms_health_outreach, sms_marketing, email_health_outreach, email_marketing,
        sms_health_outreach_entry, sms_marketing_entry, email_health_outreach_entry, email_marketing_entry,
        imported_sms_opt_out, imported_email_opt_out, updated_at)
      select ${locationId}, m.id, s.choice, s.choice, e.choice, e.choice, x.sms, x.sms, x.email, x.email,
        m.sms_opt_out, m.email_opt_out, ${now}
      from moved m left join closed x on x.patient_id = m.id
        cross join lateral (select case when x.sms is null then 'unknown' else 'out' end as choice) s
        cross join lateral (select case when x.email is null then 'unknown' else 'out' end as choice) e
      on conflict (location_id, patient_id) do update set
        ${closing('sms_health_outreach')}, ${closing('sms_marketing')},
        ${closing('email_health_outreach')}, ${closing('email_marketing')},
        imported_sms_opt_out = excluded.imported_sms_opt_out,
        imported_email_opt_out = excluded.imported_email_opt_out,
        updated_at = excluded.updated_at
    )
    select m.id as patient_id, coalesce(x.entries, 0) as entries from moved m left join closed x on x.patient_id = m.id`.execute(
    tx,
  )
  await copyConsent(
    tx,
    locationId,
    rows.map((row) => row.patient_id),
  )
  const closed = rows.filter((row) => row.entries > 0)
  if (closed.length === 0) return 0
  await skipOptedOut(
    tx,
    locationId,
    closed.map((row) => row.patient_id),
    now,
  )
  return rows.reduce((sum, row) => sum + row.entries, 0)
}

type Cell = 'sms_health_outreach' | 'sms_marketing' | 'email_health_outreach' | 'email_marketing'

/** If there is a new entry, the existing row's choice becomes 'out'; otherwise it stays as it is. */
const closing = (cell: Cell) => sql`
  ${sql.raw(cell)} = case when ${sql.ref(`excluded.${cell}_entry`)} is null then ${sql.ref(`c.${cell}`)} else 'out' end,
  ${sql.raw(`${cell}_entry`)} = coalesce(${sql.ref(`excluded.${cell}_entry`)}, ${sql.ref(`c.${cell}_entry`)})`
