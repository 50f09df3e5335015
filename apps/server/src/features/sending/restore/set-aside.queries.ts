import { sql } from 'kysely'
import { type Database, SEALS, type Tx } from '../../../db/database.ts'
import { standing } from '../rule/cancelled.queries.ts'

/** The time from the moment to which the database was restored until that was recorded. */
export interface RestoreGap {
  since: Date
  until: Date
  /** It was recorded before. */
  known: boolean
}

/** More messages and patients than any lost span can have had. */
const SKIPPED_IDS = 10_000_000

/**
 * Records that the database was restored to its state at `since`; until now messages may have been sent that it does not know about. The
 * first record for a moment stays, and messages and patients written after it get no id that the lost database may have given to another:
 * links in what it sent name a message by its id and would lead to somebody else. Until `endGap` no worker starts.
 */
export function noteGap(system: Database, since: Date): Promise<RestoreGap> {
  return system.transaction().execute(async (tx) => {
    const made = await sql`
      insert into restore_gap (since, until) values (${since}, clock_timestamp()) on conflict do nothing`.execute(tx)
    const { rows } = await sql<{ until: Date }>`
      update restore_gap set done_at = null where since = ${since} returning until`.execute(tx)
    const known = Number(made.numAffectedRows ?? 0) === 0
    if (!known)
      await sql`
        select setval(ids, nextval(ids) + ${sql.lit(SKIPPED_IDS)})
        from unnest(array['message', 'patient']) as numbered, lateral (select pg_get_serial_sequence(numbered, 'id')::regclass as ids) s`.execute(
        tx,
      )
    return { since, until: rows[0]!.until, known }
  })
}

/** Everything that may have been sent in a gap has been set aside. */
export async function endGap(system: Database, { since }: RestoreGap): Promise<void> {
  await sql`update restore_gap set done_at = clock_timestamp() where since = ${since}`.execute(system)
}

/** The moment of a restore whose messages have been set aside only in part; null for none. */
export async function openGap(system: Database): Promise<Date | null> {
  const { rows } = await sql<{
    since: Date
  }>`select since from restore_gap where done_at is null order by since limit 1`.execute(system)
  return rows[0]?.since ?? null
}

/** Now, by the database's clock. */
export async function databaseNow(system: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(system)
  return rows[0]!.now
}

/** Until when messages may have been sent that a restored database does not know about; null if none was restored. */
export async function restoredUntilOf(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`select max(until) as until from restore_gap`.execute(tx)
  return rows[0]?.until ?? null
}

/** How many connections of processes with these names are open to this database, and whether names can be told apart at all. */
export async function connectionsNamed(
  system: Database | Tx,
  names: readonly string[],
): Promise<{ open: number; named: boolean }> {
  const { rows } = await sql<{ open: number; own: string }>`
    select count(*)::int as open, current_setting('application_name') as own from pg_stat_activity
    where datname = current_database() and application_name = any(${[...names]}::text[])`.execute(system)
  return { open: rows[0]!.open, named: rows[0]!.own.endsWith(SEALS) }
}

/** A pharmacy with waiting or claimed messages that were due by then. */
export interface DuePlace {
  locationId: number
  companyId: number
  pharmacy: string
  company: string
}

/** What may have been sent since the restored moment: messages due by then and, if hours were changed, any of a run that had begun. */
const maySince = (until: Date, hoursChanged: boolean) =>
  sql<boolean>`(m.planned_at <= ${until} or (${hoursChanged} and r.starts_at <= ${until}))`

/** Pharmacies with waiting or claimed messages that may have been sent by `until`; cancelled ones do not wait. */
export async function placesDueBy(system: Database, until: Date, hoursChanged = false): Promise<DuePlace[]> {
  const { rows } = await sql<DuePlace>`
    select distinct b.location_id as "locationId", b.company_id as "companyId", l.name as pharmacy, c.name as company
    from message m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id join message_run r on r.id = m.run_id
      join location l on l.id = b.location_id join company c on c.id = b.company_id
    where ${standing().state} in ('queued', 'sending') and ${maySince(until, hoursChanged)} order by 2, 1`.execute(
    system,
  )
  return rows
}

/** How many messages of runs that have begun wait for a time after `until`: until then they were not due unless hours were changed. */
export async function plannedAfter(system: Database, until: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
      join message_run r on r.id = m.run_id
    where ${standing().state} = 'queued' and m.planned_at > ${until} and r.starts_at <= ${until}`.execute(system)
  return rows[0]!.n
}

/** A message that was set aside, with what the frequency limit needs to know about its recipient. */
export interface SetAside {
  id: number
  run_id: number
  /** It was waiting, so nothing counts it towards the frequency limit yet. */
  waited: boolean
  /** Answers to a STOP and tests do not count towards it. */
  free: boolean
  planned_at: Date
  contact: string | null
  sms_to: string | null
  email_to: string | null
}

/**
 * Waiting or claimed messages of a pharmacy that may have been sent by `until` become `unknown`, as though handed over at the earliest
 * possible time, and are looked up like those of a worker that died.
 */
export async function setAsideAt(
  tx: Tx,
  { locationId, companyId }: DuePlace,
  { since, until, hoursChanged }: RestoreGap & { hoursChanged: boolean },
  gateways: Record<'sms' | 'email', string>,
  reason: string,
): Promise<SetAside[]> {
  const { rows } = await sql<SetAside>`
    with due as (
      select m.id, m.state = 'queued' as waited, b.message_kind = 'confirmation' or r.test as free, p.sms_to, p.email_to
      from message m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
        join message_run r on r.id = m.run_id
        left join patient p on p.location_id = m.location_id and p.id = m.patient_id
      where m.location_id = ${locationId} and b.company_id = ${companyId} and ${standing().state} in ('queued', 'sending')
        and ${maySince(until, hoursChanged)}
      order by m.id for update of m)
    update message m set state = 'unknown', reason = ${reason}, lease_until = clock_timestamp() + interval '15 seconds',
      attempts = case when due.waited then m.attempts + 1 else m.attempts end,
      planned_at = case when not due.waited then m.planned_at when m.planned_at > ${until} then ${since}
        else greatest(m.planned_at, ${since}::timestamptz) end,
      gateway = case when not due.waited then m.gateway when m.channel = 'sms' then ${gateways.sms} else ${gateways.email} end
    from due where m.location_id = ${locationId} and m.id = due.id
    returning m.id, m.run_id, due.waited, due.free, m.planned_at, m.contact, due.sms_to, due.email_to`.execute(tx)
  return rows
}

/** What each run is for, in words such as 'the campaign "Repeats"'. */
export async function runNames(tx: Tx, runIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select r.id, coalesce('the campaign "' || c.name || '"', case r.context when 'sequence' then 'follow-ups of sequences'
      when 'trial' then 'a clinical trial' else 'single messages and answers' end) as name
    from message_run r left join campaign c on c.id = r.campaign_id
    where r.id = any(${[...runIds]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Runs that were to begin by `until` and have no messages: these may have been written and sent since. */
export async function unwrittenRuns(system: Database, until: Date): Promise<{ id: number; companyId: number }[]> {
  const { rows } = await sql<{ id: number; companyId: number }>`
    select r.id, r.company_id as "companyId" from message_run r
    where r.state in ('preparing', 'stopped') and r.starts_at <= ${until}
      and not exists (select from message_batch b where b.run_id = r.id) order by r.id`.execute(system)
  return rows
}

/** Ends a run as failed, with a note that says why. @returns its campaign, or null if it has ended meanwhile */
export async function failRun(
  tx: Tx,
  runId: number,
  note: string,
  at: Date,
): Promise<{ uuid: string | null; name: string | null } | null> {
  const { rows } = await sql<{ campaign_id: number | null }>`
    update message_run set state = 'failed', note = ${note}, ended_at = ${at}
    where id = ${runId} and state in ('preparing', 'stopped') returning campaign_id`.execute(tx)
  if (!rows[0]) return null
  const { rows: found } = await sql<{ uuid: string; name: string }>`
    select uuid, name from campaign where id = ${rows[0].campaign_id}`.execute(tx)
  return found[0] ?? { uuid: null, name: null }
}
