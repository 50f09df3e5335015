import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { joined, leavesJoined } from '../cohort/frequency-limit.queries.ts'
import { type Recipient, roomEach } from '../cohort/recipient.queries.ts'
import { baseReason, type Question, recipients, share } from '../cohort/selection.queries.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'

/** Advisory lock namespace for writing the invitations of a trial. */
const INVITE_SPACE = 7331

/** A trial about to invite. */
export interface InvitingTrial {
  id: number
  uuid: string
  name: string
  provider: string
}

/** A trial with the name of its provider; undefined if there is none. */
export async function invitingTrial(system: Database | Tx, id: number): Promise<InvitingTrial | undefined> {
  const { rows } = await sql<InvitingTrial>`
    select t.id, t.uuid, t.name, p.name as provider from trial t join recruiter_provider p on p.id = t.provider_id where t.id = ${id}`.execute(
    system,
  )
  return rows[0]
}

/** The texts of a trial: its templates that still exist. */
export async function textsOfTrial(staff: Database | Tx, trialId: number): Promise<CampaignText[]> {
  const { rows } = await sql<CampaignText>`
    select t.id, t.uuid, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind
    from trial_template k join template t on t.id = k.template_id
    where k.trial_id = ${trialId} and t.removed_at is null order by t.id`.execute(staff)
  return rows
}

/** Whether a pharmacy `x` has eligible patients of trial `t` who were counted by earlier criteria. */
const STALE = sql`(x.filters_md5 <> md5(t.filters::text)) is true`
/** How long an invitation waits for them to be counted by the present ones. After that, something is wrong at these pharmacies. */
const WAITS_HOURS = 1

/** The pharmacies whose patients have yet to be counted by a trial's present criteria, where some met earlier ones. */
export interface Uncounted {
  pharmacies: number
  /** Whether they may still be counted: invitations wait for it. Otherwise those pharmacies are left out. */
  waits: boolean
}

/** The pharmacies that are not counted by a trial's present criteria. */
export async function uncounted(db: Database | Tx, trialId: number, now: Date): Promise<Uncounted> {
  const { rows } = await sql<{ pharmacies: number; waits: boolean }>`
    select count(*)::int as pharmacies,
      coalesce(bool_or(t.updated_at > ${now}::timestamptz - make_interval(hours => ${sql.lit(WAITS_HOURS)})), false) as waits
    from trial_location x join trial t on t.id = x.trial_id join location l on l.id = x.location_id join company c on c.id = l.company_id
    where x.trial_id = ${trialId} and x.total_eligible > 0 and ${STALE} and l.removed_at is null and c.removed_at is null`.execute(
    db,
  )
  return rows[0] ?? { pharmacies: 0, waits: false }
}

/** A company with eligible patients of a trial, and its pharmacies. */
export interface InvitingCompany {
  companyId: number
  country: 'AU' | 'GB' | 'US'
  locationIds: number[]
}

/** Where a trial has eligible patients by its present criteria who may be waiting. */
export async function companiesToInvite(system: Database, trialId: number): Promise<InvitingCompany[]> {
  const { rows } = await sql<InvitingCompany>`
    select l.company_id as "companyId", c.country, array_agg(l.id order by l.id) as "locationIds"
    from trial_location x join trial t on t.id = x.trial_id
      join location l on l.id = x.location_id and l.removed_at is null
      join company c on c.id = l.company_id and c.removed_at is null
    where x.trial_id = ${trialId} and x.total_eligible > 0 and not ${STALE} group by 1, 2 order by 1`.execute(system)
  return rows.map((row) => ({ ...row, locationIds: row.locationIds.map(Number) }))
}

/**
 * Eligible patients of one pharmacy who have not been sent an invitation, after `afterId` in order of id. An invitation held back or
 * cancelled before sending does not count; a failed one does. Needs `prepareSurroundings` and a scope narrowed to the pharmacy.
 */
export async function nextInvitees(
  tx: Tx,
  question: Question,
  trialId: number,
  afterId: number,
  limit: number,
): Promise<Recipient[]> {
  const leaves = leavesJoined(question)
  const { rows } = await sql<Recipient>`
    select p.id, p.first_name, p.last_name, p.sms_to, p.email_to, p.fake,
           ${baseReason(question, 'sms', leaves)} as sms, ${baseReason(question, 'email', leaves)} as email,
           ${share(question.sms?.marketing.length ?? 0, question.seed)} as sms_text,
           ${share(question.email?.marketing.length ?? 0, question.seed)} as email_text,
           ${roomEach(question)} as room,
           c.sms_health_outreach_entry, c.sms_marketing_entry, c.email_health_outreach_entry, c.email_marketing_entry
    from ${recipients(question)} ${joined}
    join trial_participant t on t.location_id = f.location_id and t.patient_id = f.patient_id and t.trial_id = ${trialId}
    join patient p on p.location_id = f.location_id and p.id = f.patient_id
    left join consent c on c.location_id = f.location_id and c.patient_id = f.patient_id
    where t.state = 'eligible' and f.patient_id > ${afterId}
      and (t.invited_at is null or exists (
        select from message m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id join message_run r on r.id = m.run_id
        where m.location_id = t.location_id and m.id = t.message_id and ${standing().state} = 'skipped'))
    order by f.patient_id limit ${limit}`.execute(tx)
  return rows
}

/** Held while writing invitations of a trial, so that two jobs at once never invite the same person. */
export async function lockInvitations(tx: Tx, trialId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(INVITE_SPACE)}, ${trialId}::int)`.execute(tx)
}

/** Adds the run of one company's invitations. @returns null if this invitation has already written it */
export async function insertInviteRun(
  tx: Tx,
  run: { uuid: string; companyId: number; trialId: number; loginId: number | null; now: Date; startsAt: Date },
): Promise<number | null> {
  const made = await tx
    .insertInto('message_run')
    .values({
      uuid: run.uuid,
      company_id: run.companyId,
      context: 'trial',
      trial_id: run.trialId,
      state: 'holding',
      created_by: run.loginId,
      created_at: run.now,
      starts_at: run.startsAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** Marks everybody whose invitation of this run is queued at a pharmacy. */
export async function markInvited(
  tx: Tx,
  locationId: number,
  runId: number,
  trialId: number,
  now: Date,
): Promise<void> {
  await withoutNestedLoops(tx, () =>
    sql`
    update trial_participant t set invited_at = ${now}, message_id = m.id
    from message m where m.location_id = ${locationId} and m.run_id = ${runId} and m.state = 'queued'
      and t.location_id = ${locationId} and t.trial_id = ${trialId} and t.patient_id = m.patient_id`.execute(tx),
  )
}
