import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Database, Tx } from '../../../db/database.ts'

/** Colleagues who may see Financials, by name. */
export async function listReaders(tx: Tx) {
  const { rows } = await sql<{ login_id: number; uuid: string; name: string; username: string; stopped: boolean }>`
    select r.login_id, r.uuid, r.name, r.username, s.login_id is not null as stopped
    from report_reader r left join report_mail_stop s on s.login_id = r.login_id
    order by lower(r.name), r.login_id`.execute(tx)
  return rows
}

/** The company's monthly reports with their recipients, except people who may no longer see Financials. */
export async function listMails(tx: Tx) {
  const { rows } = await sql<{
    uuid: string
    login_id: number
    reader_id: string
    reader_name: string
    pharmacy_id: string | null
    pharmacy_name: string | null
    added_by: string | null
    last_month: string | null
  }>`
    select m.uuid, m.login_id, r.uuid as reader_id, r.name as reader_name, l.uuid as pharmacy_id, l.name as pharmacy_name,
           n.name as added_by,
           (select max(s.month) from report_mail_sent s
            where s.login_id = m.login_id and s.location_id = coalesce(m.location_id, 0)) as last_month
    from report_mail m
    join report_reader r on r.login_id = m.login_id
    left join location l on l.id = m.location_id
    left join login_name n on n.login_id = m.added_by
    where m.location_id is null or l.removed_at is null
    order by lower(r.name), m.location_id nulls first`.execute(tx)
  return rows
}

/** The business day on which the company's reports are sent, if it has chosen one. */
export async function mailRule(tx: Tx) {
  const { rows } = await sql<{ business_day: number; version: number }>`
    select business_day, version from report_mail_rule where company_id = scope_company_id()`.execute(tx)
  return rows[0]
}

/** The same. Of two people who choose a day at once, also for the first time, the second waits. */
export async function lockMailRule(tx: Tx) {
  await sql`select pg_advisory_xact_lock(hashtextextended('report day' || scope_company_id(), 0))`.execute(tx)
  return mailRule(tx)
}

/** Saves the day. @returns its new version */
export async function saveRule(tx: Tx, rule: { companyId: number; businessDay: number; setBy: number; now: Date }) {
  const { rows } = await sql<{ version: number }>`
    insert into report_mail_rule (company_id, business_day, set_by, set_at)
    values (${rule.companyId}, ${rule.businessDay}, ${rule.setBy}, ${rule.now})
    on conflict (company_id) do update set business_day = excluded.business_day, set_by = excluded.set_by, set_at = excluded.set_at,
      version = report_mail_rule.version + 1
    returning version`.execute(tx)
  return rows[0]!.version
}

interface NewMail {
  companyId: number
  loginId: number
  /** Null for the whole company. */
  locationId: number | null
  addedBy: number
  now: Date
}

/** Adds a monthly report. @returns its id, also if it existed already */
export async function insertReportMail(tx: Tx, made: NewMail): Promise<string> {
  const { rows } = await sql<{ uuid: string }>`
    insert into report_mail (uuid, company_id, login_id, location_id, added_by, added_at)
    values (${uuidv7()}, ${made.companyId}, ${made.loginId}, ${made.locationId}, ${made.addedBy}, ${made.now})
    on conflict (company_id, login_id, coalesce(location_id, 0)) do nothing returning uuid`.execute(tx)
  if (rows[0]) return rows[0].uuid
  const { rows: old } = await sql<{ uuid: string }>`
    select uuid from report_mail where login_id = ${made.loginId} and coalesce(location_id, 0) = ${made.locationId ?? 0}`.execute(
    tx,
  )
  return old[0]!.uuid
}

/** Ends a monthly report. @returns its recipient; undefined if no report has that id */
export async function deleteReportMail(tx: Tx, uuid: string) {
  return tx.deleteFrom('report_mail').where('uuid', '=', uuid).returning('login_id').executeTakeFirst()
}

/** Opts a person out: their reports end, and nobody can add others. */
export async function stopMails(tx: Tx, who: { companyId: number; loginId: number; now: Date }): Promise<void> {
  await tx.deleteFrom('report_mail').where('login_id', '=', who.loginId).execute()
  await tx
    .insertInto('report_mail_stop')
    .values({ login_id: who.loginId, company_id: who.companyId, stopped_at: who.now })
    .onConflict((conflict) => conflict.column('login_id').doNothing())
    .execute()
}

/** Allows the person to be signed up again. */
export async function resumeMails(tx: Tx, loginId: number): Promise<void> {
  await tx.deleteFrom('report_mail_stop').where('login_id', '=', loginId).execute()
}

/** A company with monthly reports, and the identity its jobs act with. */
export interface MailCompany {
  id: number
  uuid: string
  country: Country
  /** Null for the default. */
  business_day: number | null
  location_ids: number[]
}

/** The companies for which anybody gets a monthly report. */
export async function companiesWithMails(system: Database): Promise<MailCompany[]> {
  const { rows } = await sql<MailCompany>`
    select c.id, c.uuid, c.country, r.business_day,
           array(select l.id from location l where l.company_id = c.id and l.removed_at is null order by l.id) as location_ids
    from company c left join report_mail_rule r on r.company_id = c.id
    where c.removed_at is null and exists (select 1 from report_mail m where m.company_id = c.id) order by c.id`.execute(
    system,
  )
  return rows.map((row) => ({ ...row, location_ids: row.location_ids.map(Number) }))
}

/** An unsent email of a month, to a person who may still see Financials and wants it. */
export interface OwedMail {
  login_id: number
  location_id: number | null
  location_uuid: string | null
  email: string
  first_name: string
}

/** The emails of a company's month that are still owed: all, or only the given one. */
export async function owedMails(
  db: Database | Tx,
  companyId: number,
  month: string,
  one?: Pick<OwedMail, 'login_id' | 'location_id'>,
): Promise<OwedMail[]> {
  const which = one
    ? sql`and m.login_id = ${one.login_id} and coalesce(m.location_id, 0) = ${one.location_id ?? 0}`
    : sql``
  const { rows } = await sql<OwedMail>`
    select m.login_id, m.location_id, l.uuid as location_uuid, g.email, g.first_name
    from report_mail m
    join login g on g.id = m.login_id and g.company_id = m.company_id
    left join location l on l.id = m.location_id and l.company_id = m.company_id and l.removed_at is null
    where m.company_id = ${companyId} ${which} and (m.location_id is null or l.id is not null)
      and g.data_analytics and g.disabled_at is null and g.removed_at is null
      and not exists (select 1 from report_mail_stop s where s.login_id = m.login_id)
      and not exists (select 1 from report_mail_sent s
        where s.login_id = m.login_id and s.location_id = coalesce(m.location_id, 0) and s.month = ${month})
    order by m.location_id nulls first, m.login_id`.execute(db)
  return rows
}

/** Records that an email is being sent. @returns false if it was sent before; then no other may follow */
export async function claimMonth(
  tx: Tx,
  sent: { companyId: number; loginId: number; locationId: number | null; month: string; late: number; now: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('report_mail_sent')
    .values({
      company_id: sent.companyId,
      login_id: sent.loginId,
      location_id: sent.locationId ?? 0,
      month: sent.month,
      late: sent.late,
      sent_at: sent.now,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'login_id', 'location_id', 'month']).doNothing())
    .returning('login_id')
    .executeTakeFirst()
  return row !== undefined
}
