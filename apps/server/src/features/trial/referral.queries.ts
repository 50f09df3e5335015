import type { SignUp } from '@pillar/domain/trial/agreement'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** One patient in one trial. */
export interface ParticipantKey {
  locationId: number
  trialId: number
  patientId: number
}

/** What a patient gives to a recruiter with the submission. */
export interface NewReferral {
  recruiterId: number
  trialName: string
  /** The invitation it answers; null if it was not one of ours. */
  messageId: number | null
  timeZone: string
  details: SignUp
  now: Date
}

/** Publishes a referral to its recruiter, with the participant's standing and what is owed. Call it after `moveParticipant`. */
export async function insertReferral(tx: Tx, who: ParticipantKey, one: NewReferral): Promise<void> {
  const { details } = one
  await sql`
    insert into trial_referral (location_id, trial_id, patient_id, consent_id, recruiter_id, referred_on, referred_at, first_name, last_name,
      phone_number, email, postcode, trial_name, channel)
    select p.location_id, p.trial_id, p.patient_id, p.uuid, ${one.recruiterId},
      (p.referred_at at time zone ${one.timeZone})::date, p.referred_at, ${details.first_name}, ${details.last_name},
      ${details.phone_number}, ${details.email}, ${details.postcode}, ${one.trialName},
      (select m.channel from message m where m.location_id = p.location_id and m.id = ${one.messageId})
    from trial_participant p
    where p.location_id = ${who.locationId} and p.trial_id = ${who.trialId} and p.patient_id = ${who.patientId}`.execute(
    tx,
  )
  await publishStanding(tx, who)
}

/** Copies a participant's standing and ledger to the recruiter's row, if there is one. */
export async function publishStanding(tx: Tx, { locationId, trialId, patientId }: ParticipantKey): Promise<void> {
  await sql`
    update trial_referral r set enrolled = p.state = 'enrolled', recruiter_contacted = p.recruiter_contacted, rebate_cents = b.cents,
      sr_rebate_cents = b.sr_cents, version = r.version + 1
    from trial_participant p
    cross join (
      select coalesce(sum(cents), 0)::bigint as cents, coalesce(sum(sr_cents), 0)::bigint as sr_cents from trial_rebate
      where location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId}) b
    where r.location_id = ${locationId} and r.trial_id = ${trialId} and r.patient_id = ${patientId}
      and p.location_id = ${locationId} and p.trial_id = ${trialId} and p.patient_id = ${patientId}`.execute(tx)
}

/**
 * Takes back a referral from its recruiter: the details are erased there, what is owed stays on record.
 * @returns false if there was none, or it was taken back before
 */
export async function eraseReferral(tx: Tx, who: ParticipantKey, now: Date): Promise<boolean> {
  const { locationId, trialId, patientId } = who
  const done = await sql`
    update trial_referral set withdrawn_at = ${now}, first_name = null, last_name = null, phone_number = null, email = null, postcode = null,
      version = version + 1
    where location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId} and withdrawn_at is null`.execute(
    tx,
  )
  if (Number(done.numAffectedRows ?? 0) === 0) return false
  await sql`
    insert into trial_event (location_id, trial_id, patient_id, event, at, login_id)
    values (${locationId}, ${trialId}, ${patientId}, 'withdrawn', ${now}, null)`.execute(tx)
  return true
}
