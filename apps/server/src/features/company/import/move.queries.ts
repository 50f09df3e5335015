import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import { storedContacts } from '../../../db/field/contact.ts'
import type { Keys } from '../../../db/field/key-ring.ts'
import { withoutNestedLoops } from '../../../db/scope.ts'
import { refuseTaken } from '../../../db/taken.ts'
import { lockRun } from '../../run/run-state.queries.ts'
import { lockBatches } from '../../sending/rule/lock-batches.queries.ts'
import { FEATURE_FLAGS } from '../company-admin.queries.ts'
import type { ImportedPlace } from './location-import.queries.ts'

/** A run with messages at a pharmacy, and whether it also has messages at others of the company. */
export interface PlaceRun {
  id: number
  shared: boolean
}

/** Runs with messages at the pharmacy. Senders working on one of them finish first, and none begins until the transaction ends. */
export async function holdRuns(tx: Tx, locationId: number): Promise<PlaceRun[]> {
  const { rows } = await sql<PlaceRun>`
    select r.id, exists (select from message_batch o where o.run_id = r.id and o.location_id <> ${locationId}) as shared
    from message_run r where r.id in (select run_id from message_batch where location_id = ${locationId}) order by r.id`.execute(
    tx,
  )
  for (const { id } of rows) await lockRun(tx, id)
  return rows
}

/**
 * Cancels everything queued at the pharmacy: its batches are marked, so no sender takes them. Up to `MOST_MOVED` messages are skipped here;
 * of more, `splitRuns` skips those it moves anyway, and `skipCancelled` the rest in portions. Runs as a tenant of its company.
 * @returns how many messages
 */
export async function cancelQueued(tx: Tx, locationId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ batch: number; n: number }>`
    select batch_id as batch, count(*)::int as n from message where location_id = ${locationId} and state = 'queued'
    group by 1`.execute(tx)
  const queued = rows.reduce((sum, { n }) => sum + n, 0)
  const few = queued <= MOST_MOVED
  const ids = rows.map(({ batch }) => batch)
  const batches = sql`b.location_id = ${locationId} and (b.next_at is not null or b.id = any(${ids}::bigint[]))`
  await lockBatches(tx, batches)
  await sql`
    update message_batch b set stopped_at = coalesce(b.stopped_at, ${now}),
      next_at = ${few ? sql`null` : sql`coalesce(b.next_at, ${now})`}
    where ${batches}`.execute(tx)
  if (few)
    await sql`
      update message set state = 'skipped', reason = 'stopped', cents = 0, settled_at = ${now}
      where location_id = ${locationId} and state = 'queued'`.execute(tx)
  await sql`update enrolment set next_at = null where location_id = ${locationId} and next_at is not null`.execute(tx)
  return queued
}

/** Recent messages to the pharmacy's patients, so that the new company's frequency limit knows them. Runs as a tenant of the old company. */
export async function recentContacts(tx: Tx, locationId: number, now: Date) {
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<{ contact: string; sent: Date[] }>`
    select k.contact, array_agg(m.sent_at order by m.sent_at) as sent
    from message m join patient p on p.location_id = m.location_id and p.id = m.patient_id
    cross join lateral (select distinct c as contact from unnest(array[m.contact, p.sms_to, p.email_to]) c where c is not null) k
    where m.location_id = ${locationId} and m.sent_at > ${now}::timestamptz - interval '32 days'
    group by k.contact`.execute(tx),
  )
  return rows
}

/** Adds them to the new company. Runs as its tenant. */
export async function addRecentContacts(
  tx: Tx,
  keys: Keys,
  companyId: number,
  recent: readonly { contact: string; sent: Date[] }[],
): Promise<void> {
  const stored = await storedContacts(
    tx,
    keys,
    recent.map(({ contact }) => contact),
  )
  const sends = recent.flatMap(({ contact, sent }) => sent.map((at) => ({ contact: stored.get(contact), at })))
  await sql`
    insert into contact_history as h (company_id, contact, sent)
    select ${companyId}, contact, array_agg(distinct at order by at)
    from unnest(${sends.map(({ contact }) => contact)}::text[], ${sends.map(({ at }) => at)}::timestamptz[]) as s(contact, at)
    group by contact
    on conflict (company_id, contact) do update
      set sent = array(select distinct s from unnest(h.sent || excluded.sent) s order by s)`.execute(tx)
}

/** Runs with messages at this pharmacy only become the new company's, and are ended. */
export async function moveRuns(tx: Tx, runs: readonly PlaceRun[], toId: number, now: Date): Promise<void> {
  const own = runs.filter(({ shared }) => !shared).map(({ id }) => id)
  await sql`
    update message_run set company_id = ${toId},
      ended_at = case when state in ('done', 'failed') then ended_at else ${now} end,
      state = case when state = 'failed' then state else 'done' end
    where id = any(${own}::bigint[])`.execute(tx)
}

/** The fields needed to copy a run to another company. */
export async function readRuns(tx: Tx, runs: readonly PlaceRun[]) {
  const shared = runs.filter((run) => run.shared).map(({ id }) => id)
  if (shared.length === 0) return []
  return tx.selectFrom('message_run').selectAll().where('id', 'in', shared).orderBy('id').execute()
}

type Run = Awaited<ReturnType<typeof readRuns>>[number]

const skippedIfQueued = (now: Date) => sql`
  state = case state when 'queued' then 'skipped' else state end,
  reason = case state when 'queued' then 'stopped' else reason end,
  cents = case state when 'queued' then 0 else cents end,
  settled_at = case state when 'queued' then ${now} else settled_at end`

/**
 * For runs with messages at several pharmacies, this one's get their own run, ended, and what is left queued is skipped on the way. Runs as
 * a tenant of the new company.
 */
export async function splitRuns(
  tx: Tx,
  runs: readonly Run[],
  place: { id: number; toId: number },
  now: Date,
): Promise<void> {
  // The change of run rewrites each message and its entries in all indexes: 300,000 messages take 4 to 7 s.
  await sql`set local statement_timeout = '120s'`.execute(tx)
  for (const { id: was, ...run } of runs) {
    const ended = { state: 'done', ended_at: run.ended_at ?? now }
    const { id } = await tx
      .insertInto('message_run')
      .values({ ...run, uuid: uuidv7(), company_id: place.toId, ...ended })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      update message set run_id = ${id}, ${skippedIfQueued(now)} where location_id = ${place.id} and run_id = ${was}`.execute(
      tx,
    )
    await sql`update message_batch set run_id = ${id} where location_id = ${place.id} and run_id = ${was}`.execute(tx)
  }
  await sql`update message_batch set company_id = ${place.toId} where location_id = ${place.id}`.execute(tx)
  await sql`delete from recount_queue where location_id = ${place.id}`.execute(tx)
  await sql`delete from stat_recount_queue where location_id = ${place.id}`.execute(tx)
}

/**
 * Gives a pharmacy to the other company: the single statement by which it leaves the sight of one and enters the sight of the other,
 * together with rows that name a company. @throws Refusal conflict if the other company has one of that name
 */
export async function movePharmacy(tx: Tx, place: ImportedPlace, logins: readonly number[]): Promise<void> {
  const { id, toId } = place
  await sql`delete from campaign_location where location_id = ${id}`.execute(tx)
  await sql`delete from login_location where location_id = ${id} and login_id <> all(${[...logins]}::bigint[])`.execute(
    tx,
  )
  await sql`update login_location set company_id = ${toId} where location_id = ${id}`.execute(tx)
  await sql`update location_module set company_id = ${toId} where location_id = ${id}`.execute(tx)
  await moveLogins(tx, toId, logins)
  const taken = {
    location_name: `${place.to.name} already has a pharmacy called "${place.name}". Please rename one of them first.`,
  }
  await refuseTaken(taken, () =>
    sql`update location set company_id = ${toId}, version = version + 1,
        owner_login_id = case when owner_login_id = any(${[...logins]}::bigint[]) then owner_login_id end
      where id = ${id}`.execute(tx),
  )
  // They are no longer contacts of the company they leave: a removed pharmacy may be restored, and they would be emailed its patients'
  // names.
  await sql`
    update location set owner_login_id = null, version = version + 1
    where owner_login_id = any(${[...logins]}::bigint[]) and company_id <> ${toId}`.execute(tx)
}

/** Gives logins to the other company, with exactly the features that company has switched on. */
async function moveLogins(tx: Tx, toId: number, logins: readonly number[]): Promise<void> {
  const flags = (Object.keys(FEATURE_FLAGS) as (keyof typeof FEATURE_FLAGS)[]).map((feature) => {
    const flag = FEATURE_FLAGS[feature]
    return sql`${sql.ref(flag)} = c.${sql.ref(feature)} and (o.${sql.ref(flag)} or o.data_analytics)`
  })
  await sql`
    update login o set company_id = c.id, ${sql.join(flags)} from company c
    where c.id = ${toId} and o.id = any(${[...logins]}::bigint[])`.execute(tx)
}

/**
 * Removes what moved logins had of their own: unshared views, their default view, monthly reports and opt-outs from them. The new company
 * would not see these, and they would get in its way. Runs as a tenant of the previous company.
 */
export async function dropOwn(tx: Tx, logins: readonly number[]): Promise<void> {
  const theirs = sql`login_id = any(${[...logins]}::bigint[])`
  await sql`delete from saved_view_default where ${theirs}`.execute(tx)
  await sql`delete from saved_view where ${theirs} and not shared`.execute(tx)
  await sql`delete from report_mail where ${theirs}`.execute(tx)
  await sql`delete from report_mail_stop where ${theirs}`.execute(tx)
}

/** Ends the pharmacy's sequences: their templates stay with the previous company. */
export async function endSequences(tx: Tx, locationId: number, now: Date): Promise<void> {
  await sql`
    update sequence set active = false, removed_at = ${now}, updated_at = ${now}
    where location_id = ${locationId} and removed_at is null`.execute(tx)
}

/** Drops reports on the pharmacy that the previous company requested, and deletes files waiting for it. Runs as the system. */
export async function dropReports(tx: Tx, locationId: number, now: Date): Promise<void> {
  await sql`
    update report_request set state = 'failed', ended_at = ${now} where location_id = ${locationId} and state = 'waiting'`.execute(
    tx,
  )
  await sql`delete from report_file where location_id = ${locationId}`.execute(tx)
}
