import { type SignUpField, sharedDetails } from '@pillar/domain/trial/agreement'
import type { ParticipantState } from '@pillar/domain/trial/participant'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Keys } from '../../../db/field/key-ring.ts'
import { openWritten, type StoredWritten, writtenOf } from '../../../db/field/written.ts'
import { deceasedElsewhere } from '../../person/death.queries.ts'
import type { OpenLink } from '../link/trial-link.queries.ts'

/** The content of a trial's page: the newest version of its consent form, and who runs the trial. */
export interface TrialPage {
  trial: string
  form_id: number
  version: number
  form_title: string
  intro: string
  purpose_heading: string
  purpose: string
  criteria_heading: string
  criteria: string
  recruiter_id: number
  recruiter: string
  recruiter_phone: string
  website: string
  privacy_policy_url: string
  provider: string
}

/** The page of a trial; undefined if it has no consent form. */
export async function readTrialPage(tx: Tx, trialId: number): Promise<TrialPage | undefined> {
  const { rows } = await sql<TrialPage>`
    select t.name as trial, f.id as form_id, f.version, f.form_title, f.intro, f.purpose_heading, f.purpose, f.criteria_heading,
      f.criteria, t.recruiter_id, r.name as recruiter, r.phone as recruiter_phone, r.website, r.privacy_policy_url, p.name as provider
    from trial t join recruiter_provider r on r.id = t.recruiter_id join recruiter_provider p on p.id = t.provider_id
      join trial_consent_form f on f.trial_id = t.id
    where t.id = ${trialId} order by f.version desc limit 1`.execute(tx)
  return rows[0]
}

/** The patient details a recruiter needs. */
type KnownDetails = Record<SignUpField, string | null>

/**
 * The details a recruiter needs, as the pharmacy knows them; undefined if it does not know the patient, or a pharmacy of the company records
 * them as deceased.
 */
export async function knownDetails(
  tx: Tx,
  keys: Keys,
  locationId: number,
  patientId: number,
): Promise<KnownDetails | undefined> {
  const { rows } = await sql<Omit<KnownDetails, 'phone_number' | 'email'> & StoredWritten>`
    select p.first_name, p.last_name, p.postcode, ${writtenOf('p')} from patient p
    where p.location_id = ${locationId} and p.id = ${patientId} and p.deceased_on is null`.execute(tx)
  if (!rows[0] || (await deceasedElsewhere(tx, locationId, [patientId])).size > 0) return undefined
  const { mobile, ...known } = await openWritten(keys, rows[0])
  return sharedDetails({ ...known, phone_number: mobile })
}

/** How far a patient got in a trial, and whether they have withdrawn; undefined for a patient who was never eligible. */
export async function standingOf(tx: Tx, { locationId, trialId }: OpenLink, patientId: number) {
  const { rows } = await sql<{ state: ParticipantState; withdrawn: boolean }>`
    select p.state, coalesce(r.withdrawn_at is not null, false) as withdrawn
    from trial_participant p left join trial_referral r using (location_id, trial_id, patient_id)
    where p.location_id = ${locationId} and p.trial_id = ${trialId} and p.patient_id = ${patientId}`.execute(tx)
  return rows[0]
}
