import { MOST_DOCUMENT_BYTES } from '@pillar/domain/trial/ethics'
import { TRIAL_TEXT_LIMIT } from '@pillar/domain/trial/recruiter'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput } from '../wire/dates.ts'
import { clinicalTrial, TrialEthics } from './trial-admin.ts'

const HEADING_LIMIT = 200

/** The six texts of a consent form. */
const texts = {
  form_title: z.string(),
  intro: z.string(),
  purpose_heading: z.string(),
  purpose: z.string(),
  criteria_heading: z.string(),
  criteria: z.string(),
}

/** One version of a trial's consent form. Versions never change. */
export const TrialConsentForm = z.object({
  ...texts,
  version: z.number(),
  created_at: z.iso.datetime(),
  /** The author; null if unknown. */
  created_by: z.string().nullable(),
})
export type TrialConsentForm = z.output<typeof TrialConsentForm>

const trial_id = z.uuid()
const heading = z.string().max(HEADING_LIMIT).default('')
const text = z.string().max(TRIAL_TEXT_LIMIT).default('')
const fields = {
  form_title: heading,
  intro: text,
  purpose_heading: heading,
  purpose: text,
  criteria_heading: heading,
  criteria: text,
}
const TRIAL = '01980000-0000-7000-8000-000000000007'
const WRITTEN = {
  form_title: 'Would you like to hear about a heart failure study?',
  intro: 'If you say yes, Meridian Trials will call you.\nYou can change your mind at any time.',
  purpose_heading: 'What the study is about',
  purpose: 'It compares two ways of caring for people with heart failure at home.',
  criteria_heading: 'Who can take part',
  criteria: '- Aged 65 or over\n- Taking a medicine for heart failure',
}

const current = read({
  path: '/api/clinical-trial/admin/{trial_id}/consent-form',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The newest version of a trial’s consent form; 404 when it has none.',
  example: { trial_id: TRIAL },
  input: z.object({ trial_id }),
  output: z.object({ data: TrialConsentForm }),
})

const versions = read({
  path: '/api/clinical-trial/admin/{trial_id}/consent-form/versions',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Every version of a trial’s consent form, newest first.',
  example: { trial_id: TRIAL },
  input: z.object({ trial_id }),
  output: z.object({ versions: z.array(TrialConsentForm) }),
})

const { search, info } = clinicalTrial
const stale = () => [current, versions, search, info]

/** Consent forms of clinical trials in the support console. */
export const trialConsentForm = {
  current,
  versions,
  create: write({
    path: '/api/clinical-trial/admin/{trial_id}/consent-form/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Writes the first version of a trial’s consent form.',
    example: { trial_id: TRIAL, ...WRITTEN },
    input: z.object({ trial_id, ...fields }),
    output: z.object({ data: TrialConsentForm }),
  }),
  edit: write({
    path: '/api/clinical-trial/admin/{trial_id}/consent-form/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Writes a new version. Patients keep the version they agreed to.',
    example: { trial_id: TRIAL, ...WRITTEN, version: 1 },
    input: z.object({ trial_id, ...fields, version: z.number().int().nullish() }),
    output: z.object({ data: TrialConsentForm }),
  }),
}

/** Room for the largest document in base64, and the other fields. */
const DOCUMENT_TEXT = Math.ceil(MOST_DOCUMENT_BYTES / 3) * 4 + 4
const day = dayInput.nullish()

/** Ethics approvals of clinical trials in the support console. */
export const trialEthics = {
  record: write({
    path: '/api/clinical-trial/admin/{trial_id}/ethics-approval/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    mostBytes: DOCUMENT_TEXT + 65_536,
    refreshes: () => [search, info],
    about:
      'Records an ethics approval with its document, a PDF of at most 5 MB. The newest applies; earlier ones are kept.',
    example: {
      trial_id: TRIAL,
      number: '2026/0417',
      approving_body: 'Harbour Human Research Ethics Committee',
      approved_on: '2026-08-03',
      filename: 'approval.pdf',
      document: 'JVBERi0xLjcK',
    },
    input: z.object({
      trial_id,
      number: z.string().max(100).default(''),
      approving_body: z.string().max(200).default(''),
      approved_on: day,
      expires_on: day,
      filename: z.string().max(200).default(''),
      /** The PDF in base64. */
      document: z.string().max(DOCUMENT_TEXT, 'Please attach a PDF of at most 5 MB.').nullish(),
    }),
    output: TrialEthics,
  }),
  document: read({
    path: '/api/clinical-trial/admin/{trial_id}/ethics-approval/document',
    needs: 'sr_login',
    reach: 'platform',
    answer: 'pdf',
    about: 'The document of a trial’s newest ethics approval, as an attachment.',
    example: { trial_id: TRIAL },
    input: z.object({ trial_id }),
    output: z.object({ filename: z.string(), base64: z.string() }),
  }),
}
