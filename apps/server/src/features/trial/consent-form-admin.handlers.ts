import { type contract, Refusal } from '@pillar/contract'
import { oneLine, plainText } from '@pillar/domain/text/plain-text'
import { consentFormProblem, sameConsentText, type TrialConsentText } from '@pillar/domain/trial/consent-form'
import { noteChange } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import {
  type ConsentFormRow,
  consentFormVersions,
  insertConsentForm,
  refuseMissing,
} from './consent-form-admin.queries.ts'
import { lockTrial, trialId } from './trial-admin.queries.ts'

export const trialConsentFormHandlers: HandlersOf<typeof contract.trialConsentForm> = {
  async current({ trial_id }, context) {
    const tx = staffTx(context)
    const [newest] = await consentFormVersions(tx, await trialId(tx, trial_id))
    return { data: formOf(newest ?? refuseMissing()) }
  },

  async versions({ trial_id }, context) {
    const tx = staffTx(context)
    return { versions: (await consentFormVersions(tx, await trialId(tx, trial_id))).map(formOf) }
  },

  async create({ trial_id, ...draft }, context) {
    const tx = staffTx(context)
    const trial = await lockTrial(tx, trial_id)
    const [newest] = await consentFormVersions(tx, trial.id)
    if (newest) throw new Refusal('conflict', `"${trial.name}" has a consent form already. Please edit that one.`)
    return written(context, trial, 0, checked(draft))
  },

  async edit({ trial_id, version, ...draft }, context) {
    const tx = staffTx(context)
    const trial = await lockTrial(tx, trial_id)
    const newest = (await consentFormVersions(tx, trial.id))[0] ?? refuseMissing()
    refuseStale({ name: `the consent form of ${trial.name}`, version: newest.version }, version)
    const text = checked(draft)
    // No new version: the user pressed Update without a change.
    if (sameConsentText(newest, text)) return { data: formOf(newest) }
    return written(context, trial, newest.version, text)
  },
}

/** Writes the version after `last`. @returns the stored version */
async function written(context: Context, trial: { id: number }, last: number, text: TrialConsentText) {
  const tx = staffTx(context)
  const by = { loginId: callerOf(context).loginId, now: context.services.now() }
  await insertConsentForm(tx, trial.id, last + 1, text, by)
  noteChange(context, null, { consent_form_version: last || null }, { consent_form_version: last + 1 })
  const [newest] = await consentFormVersions(tx, trial.id)
  return { data: formOf(newest ?? refuseMissing()) }
}

/** @throws Refusal invalid with one sentence that names what is missing */
function checked(draft: TrialConsentText): TrialConsentText {
  const text = {
    form_title: oneLine(draft.form_title),
    intro: plainText(draft.intro).trim(),
    purpose_heading: oneLine(draft.purpose_heading),
    purpose: plainText(draft.purpose).trim(),
    criteria_heading: oneLine(draft.criteria_heading),
    criteria: plainText(draft.criteria).trim(),
  }
  const problem = consentFormProblem(text)
  if (problem !== '') throw new Refusal('invalid', problem)
  return text
}

const formOf = (row: ConsentFormRow) => ({ ...row, created_at: row.created_at.toISOString() })
