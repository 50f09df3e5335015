import type { Filters } from '@pillar/contract/campaign/cohort'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn } from '@pillar/domain/time/zone'
import { afterParticipantEvent, type ParticipantEvent, type ParticipantState } from '@pillar/domain/trial/participant'
import { type RebateEntry, type RebateTerms, rebateOf } from '@pillar/domain/trial/rebate'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { filterIds, matches, type Question, recipients } from '../cohort/selection.queries.ts'
import { eraseReferral, type ParticipantKey, publishStanding } from './referral.queries.ts'

export type { ParticipantKey } from './referral.queries.ts'

/** A pharmacy whose patients are counted. */
export interface CountedPlace {
  id: number
  country: Country
  timeZone: string
}

/** A trial with the criteria its count uses; `md5` distinguishes one set of criteria from another. */
export interface CountedTrial {
  id: number
  md5: string
  filters: Filters
}

/**
 * Counts eligible patients for a trial at a pharmacy: everyone who matches and was not a participant becomes one, except deceased and
 * facility patients and test patients. A person who matched once stays counted, unless the criteria themselves have changed and nobody has
 * written to them.
 */
export async function countEligible(tx: Tx, place: CountedPlace, trial: CountedTrial, now: Date): Promise<void> {
  const locations = [{ id: place.id, today: dayIn(place.timeZone, now) }]
  const nothing = { sms: null, email: null, seed: 0n, campaignId: null, limits: [], waiting: [], elsewhere: [] }
  const question: Question = { locations, country: place.country, filters: trial.filters, now, ...nothing }
  const matching = matches(question, await filterIds(tx, trial.filters))
  const here = sql`f.location_id = ${place.id} and f.barred = 0 and ${matching}`
  await sql`
    delete from trial_participant p using trial_location l
    where p.location_id = ${place.id} and p.trial_id = ${trial.id} and p.state = 'eligible' and p.invited_at is null
      and l.location_id = ${place.id} and l.trial_id = ${trial.id} and l.filters_md5 <> ${trial.md5}`.execute(tx)
  await sql`
    insert into trial_participant (location_id, trial_id, patient_id, uuid, state, eligible_at)
    select f.location_id, ${trial.id}::bigint, f.patient_id, gen_random_uuid(), 'eligible', ${now}::timestamptz
    from ${recipients(question)} where ${here}
    on conflict (location_id, trial_id, patient_id) do nothing`.execute(tx)
  await recountFunnel(tx, place.id, trial.id)
  await sql`
    update trial_location set filters_md5 = ${trial.md5}, counted_at = ${now}
    where location_id = ${place.id} and trial_id = ${trial.id}`.execute(tx)
}

/** Recounts how far participants got at a pharmacy and what is owed for them, from their own rows. */
export async function recountFunnel(tx: Tx, locationId: number, trialId: number): Promise<void> {
  // Locked before anything is counted: of two concurrent counts the second includes what the first has changed.
  await sql`
    insert into trial_location (location_id, trial_id) values (${locationId}, ${trialId})
    on conflict (location_id, trial_id) do update set counted_at = trial_location.counted_at`.execute(tx)
  await sql`
    insert into trial_location (location_id, trial_id, total_eligible, total_contacted, total_referred, total_enrolled,
      total_unenrolled, total_optout, rebate_cents, sr_rebate_cents)
    select ${locationId}::bigint, ${trialId}::bigint, p.eligible, p.contacted, p.referred, p.enrolled, p.unenrolled, p.optout, r.cents, r.sr_cents
    from (
      select count(*) as eligible, count(contacted_at) as contacted, count(referred_at) as referred,
        count(enrolled_at) as enrolled, count(enrolled_at) filter (where state <> 'enrolled') as unenrolled, count(opted_out_at) as optout
      from trial_participant where location_id = ${locationId} and trial_id = ${trialId}) p
    cross join (
      select coalesce(sum(cents), 0)::bigint as cents, coalesce(sum(sr_cents), 0)::bigint as sr_cents
      from trial_rebate where location_id = ${locationId} and trial_id = ${trialId}) r
    on conflict (location_id, trial_id) do update set total_eligible = excluded.total_eligible,
      total_contacted = excluded.total_contacted, total_referred = excluded.total_referred,
      total_enrolled = excluded.total_enrolled, total_unenrolled = excluded.total_unenrolled, total_optout = excluded.total_optout,
      rebate_cents = excluded.rebate_cents, sr_rebate_cents = excluded.sr_rebate_cents`.execute(tx)
}

interface ParticipantRow {
  state: ParticipantState
  contacted_at: Date | null
  referred_at: Date | null
  enrolled_at: Date | null
  opted_out_at: Date | null
}

/**
 * Moves a participant by an event, with its row in the log, its rebate and the counts of the pharmacy, all in this transaction.
 * @param by the login that switched it, null for the patient or a gateway; `consentFormId` is what a patient agreed to
 * @returns the new state; null if nothing changed
 */
export async function moveParticipant(
  tx: Tx,
  { locationId, trialId, patientId }: ParticipantKey,
  event: ParticipantEvent,
  by: { loginId: number | null; now: Date; consentFormId?: number },
): Promise<ParticipantState | null> {
  const at = sql`location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId}`
  const { rows } = await sql<ParticipantRow>`
    select state, contacted_at, referred_at, enrolled_at, opted_out_at from trial_participant where ${at} for update`.execute(
    tx,
  )
  const state = rows[0] ? afterParticipantEvent(rows[0].state, event) : null
  if (state === null) return null
  const reached = {
    contacted: event === 'contacted' || event === 'referred',
    referred: event === 'referred',
    enrolled: event === 'enrolled',
    opted_out: event === 'opted_out',
  }
  const time = (step: keyof typeof reached) =>
    sql`${sql.ref(`${step}_at`)} = ${reached[step] ? sql`coalesce(${sql.ref(`${step}_at`)}, ${by.now})` : sql.ref(`${step}_at`)}`
  await sql`
    update trial_participant set state = ${state}, ${time('contacted')}, ${time('referred')}, ${time('enrolled')}, ${time('opted_out')},
      consent_form_id = coalesce(${by.consentFormId ?? null}::bigint, consent_form_id)
    where ${at}`.execute(tx)
  await sql`
    insert into trial_event (location_id, trial_id, patient_id, event, at, login_id)
    values (${locationId}, ${trialId}, ${patientId}, ${event}, ${by.now}, ${by.loginId})`.execute(tx)
  await postRebate(tx, { locationId, trialId, patientId }, event, by.now)
  await publishStanding(tx, { locationId, trialId, patientId })
  await recountFunnel(tx, locationId, trialId)
  return state
}

/**
 * Withdraws a signed-up patient from a trial: the recruiter no longer sees them. A patient who has joined the study stays in its count.
 * @returns false if nobody had signed up, or they withdrew before
 */
export async function withdrawParticipant(tx: Tx, who: ParticipantKey, now: Date): Promise<boolean> {
  await moveParticipant(tx, who, 'opted_out', { loginId: null, now })
  return eraseReferral(tx, who, now)
}

/** Withdraws a patient of a pharmacy from every trial they have signed up for and not left yet. */
export async function withdrawFromAll(tx: Tx, locationId: number, patientId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ trial_id: number }>`
    select trial_id from trial_referral
    where location_id = ${locationId} and patient_id = ${patientId} and withdrawn_at is null order by trial_id`.execute(
    tx,
  )
  for (const { trial_id } of rows) await withdrawParticipant(tx, { locationId, trialId: trial_id, patientId }, now)
}

async function postRebate(tx: Tx, who: ParticipantKey, event: ParticipantEvent, now: Date): Promise<void> {
  const { locationId, trialId, patientId } = who
  const terms = await sql<RebateTerms>`
    select rebate_type, refer_rebate_cents, enroll_rebate_cents, sr_refer_rebate_cents, sr_enroll_rebate_cents
    from trial where id = ${trialId}`.execute(tx)
  const ledger = await sql<RebateEntry>`
    select kind, cents, sr_cents from trial_rebate
    where location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId} order by id`.execute(tx)
  const entry = terms.rows[0] ? rebateOf(event, terms.rows[0], ledger.rows) : null
  if (entry === null) return
  const place = ledger.rows.filter((one) => one.kind === entry.kind).length + 1
  await sql`
    insert into trial_rebate (location_id, trial_id, patient_id, kind, entry, cents, sr_cents, at)
    values (${locationId}, ${trialId}, ${patientId}, ${entry.kind}, ${place}, ${entry.cents}, ${entry.sr_cents}, ${now})`.execute(
    tx,
  )
}

/** A recruiter's own switch: whether they have spoken to the patient. @returns false if it was so already, or nobody was referred */
export async function switchRecruiterContacted(
  tx: Tx,
  { locationId, trialId, patientId }: ParticipantKey,
  contacted: boolean,
  by: { loginId: number; now: Date },
): Promise<boolean> {
  const done = await sql`
    update trial_participant set recruiter_contacted = ${contacted}
    where location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId} and referred_at is not null
      and recruiter_contacted is distinct from ${contacted}`.execute(tx)
  if (Number(done.numAffectedRows ?? 0) === 0) return false
  await sql`
    insert into trial_event (location_id, trial_id, patient_id, event, at, login_id)
    values (${locationId}, ${trialId}, ${patientId}, ${contacted ? 'recruiter_contacted' : 'recruiter_not_contacted'}, ${by.now}, ${by.loginId})`.execute(
    tx,
  )
  await publishStanding(tx, { locationId, trialId, patientId })
  return true
}
