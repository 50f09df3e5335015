import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { isWritten } from '../../db/field/written.ts'
import { withNestedLoops } from '../../db/scope.ts'
import { deceasedElsewhere } from '../person/death.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'

type Choice = 'unknown' | 'in' | 'out'

/** An enrolment's follow-up under consideration, with everything that is checked again before it is queued. */
export interface DueFollowUp {
  enrolment_id: number
  follow_up_id: number
  sequence_id: number
  patient_id: number
  /** ISO. */
  event_day: string
  follow_up_order: number
  days_after: number
  /** The first supply that reached the goal, ISO. */
  goal_day: string | null
  active: boolean
  start_day: string | null
  end_day: string | null
  preferred: 'sms' | 'email'
  budget_cents: number | null
  marketing_consent: boolean
  health_outreach_consent: boolean
  text: CampaignText
  first_name: string | null
  last_name: string | null
  sms_to: string | null
  email_to: string | null
  /** A gateway says that it does not exist. */
  sms_gone: boolean
  email_gone: boolean
  mobile_written: boolean
  email_written: boolean
  deceased: boolean
  /** Another pharmacy of the company records the death. */
  deceased_elsewhere: boolean
  facility: boolean
  fake: boolean
  /** The dispensing system reports an opt-out that is not in the log yet. */
  sms_imported_out: boolean
  email_imported_out: boolean
  sms_health_outreach: Choice
  sms_marketing: Choice
  email_health_outreach: Choice
  email_marketing: Choice
  sms_health_outreach_entry: number | null
  sms_marketing_entry: number | null
  email_health_outreach_entry: number | null
  email_marketing_entry: number | null
}

/** Pharmacies with follow-ups due, longest waiting first. */
export async function locationsWithDueFollowUps(
  system: Database,
  now: Date,
): Promise<{ locationId: number; companyId: number }[]> {
  const { rows } = await sql<{ locationId: number; companyId: number }>`
    select e.location_id as "locationId", l.company_id as "companyId"
    from (select location_id, min(next_at) as since from enrolment where next_at <= ${now} group by 1) e
    join location l on l.id = e.location_id where l.removed_at is null order by e.since limit 1000`.execute(system)
  return rows
}

/** Reopens runs of sequences that were ended while messages were being added: whoever ends a run cannot see uncommitted messages. */
export async function reopenRuns(system: Database): Promise<void> {
  await sql`
    update message_run r set state = 'sending', ended_at = null
    from message_batch b
    where b.run_id = r.id and b.context = 'sequence' and b.next_at is not null and b.stopped_at is null and r.state = 'done'
      and exists (select from message m where m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued')`.execute(
    system,
  )
}

/** Undecided follow-ups of these enrolments, including those of later days. Goals must have been recorded before. */
export async function dueFollowUps(
  tx: Tx,
  locationId: number,
  enrolmentIds: readonly number[],
): Promise<DueFollowUp[]> {
  const { rows } = await sql<Omit<DueFollowUp, 'deceased_elsewhere'>>`
    select e.id as enrolment_id, u.id as follow_up_id, e.sequence_id, e.patient_id, e.event_day, u.follow_up_order, u.days_after,
      e.goal_day,
      q.active and q.removed_at is null and t.active and t.removed_at is null as active, q.start_day, q.end_day,
      q.preferred_communication_method as preferred, q.budget_cents, q.marketing_consent, q.health_outreach_consent,
      jsonb_build_object('id', t.id, 'uuid', t.uuid, 'name', t.name, 'body', t.body, 'subject', t.subject, 'sms_template', t.sms_template,
        'email_template', t.email_template, 'message_kind', t.message_kind) as text,
      p.first_name, p.last_name, p.sms_to, p.email_to,
      p.sms_gone_at is not null as sms_gone, p.email_gone_at is not null as email_gone,
      ${isWritten('p', 'mobile')} as mobile_written, ${isWritten('p', 'email')} as email_written,
      p.deceased_on is not null as deceased, p.facility, p.fake,
      p.sms_opt_out and not coalesce(c.imported_sms_opt_out, false) as sms_imported_out,
      p.email_opt_out and not coalesce(c.imported_email_opt_out, false) as email_imported_out,
      coalesce(c.sms_health_outreach, 'unknown') as sms_health_outreach, coalesce(c.sms_marketing, 'unknown') as sms_marketing,
      coalesce(c.email_health_outreach, 'unknown') as email_health_outreach, coalesce(c.email_marketing, 'unknown') as email_marketing,
      c.sms_health_outreach_entry, c.sms_marketing_entry, c.email_health_outreach_entry, c.email_marketing_entry
    from enrolment e
    join sequence q on q.location_id = e.location_id and q.id = e.sequence_id
    join follow_up u on u.location_id = e.location_id and u.sequence_id = e.sequence_id and u.removed_at is null
    join template t on t.id = u.template_id
    join patient p on p.location_id = e.location_id and p.id = e.patient_id
    left join consent c on c.location_id = e.location_id and c.patient_id = e.patient_id
    where e.location_id = ${locationId} and e.id = any(${[...enrolmentIds]}::bigint[])
      and not exists (select from follow_up_message f
      where f.location_id = e.location_id and f.enrolment_id = e.id and f.follow_up_id = u.id)
    order by e.event_day, e.id, u.follow_up_order, u.id`.execute(tx)
  const patients = [...new Set(rows.map((row) => row.patient_id))]
  const died = await withNestedLoops(tx, () => deceasedElsewhere(tx, locationId, patients))
  return rows.map((row) => ({ ...row, deceased_elsewhere: died.has(row.patient_id) }))
}

/** Up to `limit` enrolments whose turn has come, by id; longest waiting first. */
export async function dueEnrolments(tx: Tx, locationId: number, now: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from enrolment e where e.location_id = ${locationId} and e.next_at <= ${now}
    order by e.next_at, e.id limit ${limit}`.execute(tx)
  return rows.map((row) => row.id)
}
