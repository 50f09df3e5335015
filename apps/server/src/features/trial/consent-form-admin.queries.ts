import { Refusal } from '@pillar/contract'
import type { TrialConsentText } from '@pillar/domain/trial/consent-form'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { refuseTaken } from '../../db/taken.ts'

export interface ConsentFormRow extends TrialConsentText {
  version: number
  created_at: Date
  created_by: string | null
}

/** Every version of a trial's consent form, newest first. */
export async function consentFormVersions(tx: Tx, trialId: number): Promise<ConsentFormRow[]> {
  const { rows } = await sql<ConsentFormRow>`
    select f.form_title, f.intro, f.purpose_heading, f.purpose, f.criteria_heading, f.criteria, f.version, f.created_at,
      nullif(trim(o.first_name || ' ' || o.last_name), '') as created_by
    from trial_consent_form f left join login o on o.id = f.created_by
    where f.trial_id = ${trialId} order by f.version desc`.execute(tx)
  return rows
}

/** Writes a version. @throws Refusal conflict if another person has just written the same one */
export async function insertConsentForm(
  tx: Tx,
  trialId: number,
  version: number,
  text: TrialConsentText,
  by: { loginId: number; now: Date },
): Promise<void> {
  const { form_title, intro, purpose_heading, purpose, criteria_heading, criteria } = text
  const six = { form_title, intro, purpose_heading, purpose, criteria_heading, criteria }
  await refuseTaken({ trial_consent_form_trial_id_version_key: TAKEN }, () =>
    tx
      .insertInto('trial_consent_form')
      .values({ ...six, trial_id: trialId, version, created_by: by.loginId, created_at: by.now })
      .execute(),
  )
}

const TAKEN =
  'Somebody else has saved this consent form since you opened it. Please open it again before you make your changes.'

/** @throws Refusal not_found with the words that switch a client to its create mode */
export function refuseMissing(): never {
  throw new Refusal('not_found', 'No consent form found for this clinical trial.')
}
