import { contract } from '@pillar/contract'
import { fresh } from './people.ts'
import type { Support } from './support.ts'

const { recruiterProvider, clinicalTrial, trialConsentForm, trialEthics, templateAdmin } = contract

export const CONSENT_TEXT = {
  form_title: 'Would you like to hear about a heart failure study?',
  intro: 'If you say yes, we will call you.',
  purpose_heading: 'What the study is about',
  purpose: 'It compares two ways of care at home.',
  criteria_heading: 'Who can take part',
  criteria: '- Aged 65 or over',
}

/** The smallest file that has the first bytes of a PDF, in base64. */
export const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')

export const ETHICS = {
  number: '2026/0417',
  approving_body: 'Harbour Human Research Ethics Committee',
  approved_on: '2026-08-03',
  filename: 'approval.pdf',
  document: PDF,
}

/** Somebody who looks for patients, or runs trials. @returns its id */
export async function makePartner(support: Support, type: 'recruiter' | 'provider', name = fresh(type)) {
  const at = `https://${type}.example`
  const { body } = await support.ask(recruiterProvider.create, {
    ...{ name, description: 'Adults', recruiter_or_provider: type, logo_url: `${at}/logo.svg`, phone: '02 5550 0190' },
    ...{ email: `hello@${type}.example`, website: at, privacy_policy_url: `${at}/privacy` },
  })
  return String(body.id)
}

/** What a form of a new trial sends, with a recruiter, a provider and a template of its own. */
export async function trialDraft(support: Support) {
  const template = await support.ask(templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} is helping with a study.',
    communication_type: 'sms',
  })
  return {
    name: fresh('Heart failure at home'),
    eligibility_criteria: 'Aged 65 or over',
    recruiter_id: await makePartner(support, 'recruiter'),
    provider_id: await makePartner(support, 'provider'),
    ...{ refer_rebate: 20, enroll_rebate: 100, sr_refer_rebate: 5.5, sr_enroll_rebate: 25 },
    rebate_type: 'refer' as 'refer' | 'enroll',
    template_ids: [String(template.body.id)],
  }
}

/** A trial that lacks nothing but its activation. @returns its uuid */
export async function makeTrial(support: Support, more: object = {}): Promise<string> {
  const { body } = await support.ask(clinicalTrial.create, { ...(await trialDraft(support)), ...more })
  const trial_id = String(body.id)
  await support.ask(trialConsentForm.create, { ...CONSENT_TEXT, trial_id })
  await support.ask(trialEthics.record, { ...ETHICS, trial_id })
  return trial_id
}
