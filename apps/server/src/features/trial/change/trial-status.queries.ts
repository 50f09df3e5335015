import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../../db/database.ts'
import { cancelUnsent } from '../../run/cancel/skip.queries.ts'
import { lockRun } from '../../run/run-state.queries.ts'

/** The work that follows an activation or deactivation. */
export interface OpenChange {
  id: number
  trial_id: number
  trial_uuid: string
  trial: string
  recruiter: string
  recruiter_phone: string
  recruiter_email: string
  active: boolean
  /** Who changed it. */
  login_id: number | null
  notify_pharmacies: boolean
  cancel_messages: boolean
  start_day: string | null
  end_day: string | null
  at: Date
  /** How many letters were queued; null until then. */
  letters: number | null
}

/** A change of status that has not been carried out; undefined if it has. */
export async function openChange(system: Database, id: number): Promise<OpenChange | undefined> {
  const { rows } = await sql<OpenChange>`
    select s.id, s.trial_id, t.uuid as trial_uuid, t.name as trial, s.login_id, r.name as recruiter, r.phone as recruiter_phone, r.email as recruiter_email,
      s.active, s.at, s.notify_pharmacies, s.cancel_messages, s.letters, t.start_day::text as start_day, t.end_day::text as end_day
    from trial_status_change s join trial t on t.id = s.trial_id join recruiter_provider r on r.id = t.recruiter_id
    where s.id = ${id} and s.done_at is null`.execute(system)
  return rows[0]
}

/**
 * A trial whose invitations are to be cancelled: those written before its status changed. Later ones belong to the trial after it was
 * activated again.
 */
type Cancelled = Pick<OpenChange, 'trial_id' | 'at'>

const runsOf = ({ trial_id, at }: Cancelled) => sql`
  message_run r where r.trial_id = ${trial_id} and r.context = 'trial' and r.state in (${sql.join(LIVE_RUN_STATES)}) and r.created_at <= ${at}`

/** Companies with live runs of a trial to cancel, and all their pharmacies. */
export async function companiesInviting(
  system: Database,
  change: Cancelled,
): Promise<{ companyId: number; locationIds: number[] }[]> {
  const { rows } = await sql<{ companyId: number; locationIds: number[] }>`
    select r.company_id as "companyId", array(select l.id from location l where l.company_id = r.company_id order by l.id) as "locationIds"
    from ${runsOf(change)}
    group by r.company_id order by r.company_id`.execute(system)
  return rows
}

/** Ends these runs of a company for good: queued invitations are cancelled, those in progress are recorded as usual. @returns how many */
export async function cancelInvitations(tx: Tx, change: Cancelled, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`select r.id from ${runsOf(change)} order by r.id`.execute(tx)
  let cancelled = 0
  for (const { id } of rows) {
    await lockRun(tx, id)
    const ended = await tx
      .updateTable('message_run')
      .set({ state: 'done', ended_at: now })
      .where('id', '=', id)
      .where('state', 'in', LIVE_RUN_STATES)
      .executeTakeFirst()
    if (Number(ended.numUpdatedRows) > 0) cancelled += await cancelUnsent(tx, { runId: id }, now)
  }
  return cancelled
}

/** A person to notify, and the pharmacies concerned. */
export interface TrialContact {
  email: string
  first_name: string
  /** The country of their own company. */
  country: Country
  pharmacies: string[]
}

/** The contacts of every pharmacy where a trial has eligible patients: its owner and the logins linked to it. */
export async function trialContacts(tx: Tx, trialId: number): Promise<TrialContact[]> {
  // Owners and links by their keys, one after the other: a single OR would compare every pharmacy of the trial with every login.
  const { rows } = await sql<TrialContact>`
    with place as (
      select l.id, l.name, l.owner_login_id from trial_location x
        join location l on l.id = x.location_id and l.removed_at is null
        join company c on c.id = l.company_id and c.removed_at is null
      where x.trial_id = ${trialId} and x.total_eligible > 0
    )
    select o.email, o.first_name, own.country, array_agg(p.name order by lower(p.name), p.id) as pharmacies
    from (
        select id, name, owner_login_id as login_id from place
        union select p.id, p.name, k.login_id from place p join login_location k on k.location_id = p.id
      ) p
      join login o on o.id = p.login_id and o.disabled_at is null
      join company own on own.id = o.company_id
    group by o.id, o.email, o.first_name, own.country order by o.id`.execute(tx)
  return rows
}

/** Records that a change's letters are queued, and how many. @returns false if another process was faster */
export async function noteLetters(tx: Tx, id: number, letters: number): Promise<boolean> {
  const done = await tx
    .updateTable('trial_status_change')
    .set({ letters })
    .where('id', '=', id)
    .where('letters', 'is', null)
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}

/** Adds to the number of invitations a change has cancelled. */
export async function addCancelled(system: Database, id: number, more: number): Promise<void> {
  await sql`update trial_status_change set cancelled = coalesce(cancelled, 0) + ${more} where id = ${id}`.execute(
    system,
  )
}

/** Marks a change as carried out. */
export async function closeChange(system: Database, id: number, now: Date): Promise<void> {
  await sql`
    update trial_status_change set done_at = ${now}, cancelled = coalesce(cancelled, 0) where id = ${id} and done_at is null`.execute(
    system,
  )
}
