import { RECRUITER_TYPE_VALUES, TRIAL_TEXT_LIMIT } from '@pillar/domain/trial/recruiter'
import { MOST_REBATE, REBATE_TYPE_VALUES, TRIAL_NAME_LIMIT } from '@pillar/domain/trial/trial'
import { z } from 'zod'
import { dateField, Filters } from '../campaign/cohort.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'

const Partner = z.object({
  recruiter_provider_id: z.uuid(),
  name: z.string(),
  recruiter_or_provider: z.enum(RECRUITER_TYPE_VALUES),
})

const totals = {
  /** Patients who ever reached each step. At a pharmacy that has left, only those who had been contacted count as eligible. */
  total_eligible: z.number(),
  total_contacted: z.number(),
  total_referred: z.number(),
  total_enrolled: z.number(),
  /** Enrolled patients whose enrolment was reversed; only the others are paid for. */
  total_unenrolled: z.number(),
  total_optout: z.number(),
  /** Dollars owed to pharmacies and to the platform, net of reversals. */
  rebate: z.number(),
  sr_rebate: z.number(),
}

/** A trial at one pharmacy: counts only, no patients. */
export const TrialLocation = z.object({
  location_id: z.uuid(),
  location_name: z.string(),
  company_name: z.string(),
  /** Whether the pharmacy or its company has been removed: what was reached there stays counted, and nobody there is invited any more. */
  left: z.boolean(),
  ...totals,
  /** When its patients were last counted; null before the first count. */
  counted_at: z.iso.datetime().nullable(),
})
export type TrialLocation = z.output<typeof TrialLocation>

/** The newest ethics approval; a separate call returns its document. */
export const TrialEthics = z.object({
  number: z.string(),
  approving_body: z.string(),
  approved_on: z.iso.date(),
  expires_on: z.iso.date().nullable(),
  filename: z.string(),
  recorded_at: z.iso.datetime(),
})
export type TrialEthics = z.output<typeof TrialEthics>

export const ClinicalTrial = z.object({
  trial_id: z.uuid(),
  name: z.string(),
  note: z.string(),
  eligibility_criteria: z.string(),
  /** Who is counted: the criteria as cohort filters. */
  filters: Filters,
  recruiter: Partner,
  provider: Partner,
  refer_rebate: z.number(),
  enroll_rebate: z.number(),
  sr_refer_rebate: z.number(),
  sr_enroll_rebate: z.number(),
  rebate_type: z.enum(REBATE_TYPE_VALUES),
  /** First and last day, by each pharmacy's own clock. */
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  active: z.boolean(),
  templates: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Sums over all pharmacies; `location-info` lists them. */
  totals: z.object({ locations: z.number(), ...totals }),
  ethics: TrialEthics.nullable(),
  /** The newest version of its consent form; null if it has none. */
  consent_form_version: z.number().nullable(),
  /** The number of invitations waiting to be sent. */
  queued_messages: z.number(),
  /** Names of companies with queued invitations that a deactivation has yet to cancel. */
  not_cancelled: z.array(z.string()),
  /** Why it cannot be activated yet, as a sentence; empty when it can. */
  not_ready: z.string(),
  version: z.number(),
})
export type ClinicalTrial = z.output<typeof ClinicalTrial>

const trial_id = z.uuid()
const money = z.number().min(0).max(MOST_REBATE).nullish()
const fields = {
  name: z.string().max(TRIAL_NAME_LIMIT).default(''),
  note: z.string().max(TRIAL_TEXT_LIMIT).nullish(),
  eligibility_criteria: z.string().max(TRIAL_TEXT_LIMIT).default(''),
  /** Who is counted at each pharmacy. Left out: unchanged, and on create everybody is counted. */
  filters: Filters.nullish(),
  /** Null or left out: the refusal names it in one sentence with everything else missing. */
  recruiter_id: z.uuid().nullish(),
  provider_id: z.uuid().nullish(),
  /** In dollars. */
  refer_rebate: money,
  enroll_rebate: money,
  sr_refer_rebate: money,
  sr_enroll_rebate: money,
  rebate_type: z.enum(REBATE_TYPE_VALUES).nullish(),
  start_date: dateField,
  end_date: dateField,
  /** Sent by clients but ignored: a new trial is inactive, and only `edit-active-status` changes an edited one. */
  active: z.boolean().nullish(),
  /** Ids of global templates. */
  template_ids: z.array(z.uuid()).max(50).default([]),
}
const TRIAL = '01980000-0000-7000-8000-000000000007'
const ID = '01980000-0000-7000-8000-000000000006'
const WRITTEN = {
  name: 'Heart failure at home',
  eligibility_criteria: 'Aged 65 or over, with a medicine for heart failure',
  filters: { age: ['65+'] },
  recruiter_id: ID,
  provider_id: ID,
  refer_rebate: 20,
  enroll_rebate: 100,
  sr_refer_rebate: 5,
  sr_enroll_rebate: 25,
  rebate_type: 'refer' as const,
  start_date: null,
  end_date: null,
  template_ids: [ID],
}

const search = read({
  path: '/api/clinical-trial/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Clinical trials, searched by name.',
  example: { name: 'heart', page: 1 },
  input: listInput(['name', 'recruiter', 'active', 'start_date', 'end_date'], {
    name: searchField,
    active: z.boolean().nullish(),
  }),
  output: listOf(ClinicalTrial, 'clinical_trials'),
})

const info = read({
  path: '/api/clinical-trial/admin/{trial_id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One clinical trial.',
  example: { trial_id: TRIAL },
  input: z.object({ trial_id }),
  output: ClinicalTrial,
})

const locationInfo = read({
  path: '/api/clinical-trial/admin/{trial_id}/location-info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'How far patients got in a trial, pharmacy by pharmacy. Counts only.',
  example: { trial_id: TRIAL, page: 1 },
  input: listInput(['total_eligible', 'total_contacted', 'total_referred', 'total_enrolled', 'total_optout', 'name'], {
    trial_id,
    sort_order: z.enum(['asc', 'desc']).default('desc'),
  }),
  output: listOf(TrialLocation, 'locations'),
})

const stale = () => [search, info, locationInfo]

/** Clinical trials in the support console. */
export const clinicalTrial = {
  search,
  info,
  locationInfo,
  create: write({
    path: '/api/clinical-trial/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Adds a clinical trial, inactive. Its eligible patients are counted at every pharmacy soon after.',
    example: WRITTEN,
    input: z.object(fields),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/clinical-trial/admin/{trial_id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Changes a clinical trial. Rebates already posted keep their amounts.',
    example: { trial_id: TRIAL, ...WRITTEN, version: 1 },
    input: z.object({ trial_id, ...fields, version: z.number().int().nullish() }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
  editActiveStatus: write({
    path: '/api/clinical-trial/admin/{trial_id}/edit-active-status',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: ({ active }) => (active ? 'activate' : 'deactivate'),
    refreshes: stale,
    about: 'Activates a trial from today without an end date, or deactivates it at the end of today.',
    example: { trial_id: TRIAL, active: true, notify_pharmacies: true, cancel_messages: false },
    input: z.object({
      trial_id,
      active: z.boolean(),
      /** Whether to email the contacts of every pharmacy that has eligible patients. */
      notify_pharmacies: z.boolean().default(false),
      /** Whether to cancel invitations that are waiting to be sent. */
      cancel_messages: z.boolean().default(false),
      /** Left out: today when activating, unchanged when deactivating. */
      start_date: dateField,
      /** Left out: no end when activating, today when deactivating. */
      end_date: dateField,
    }),
    output: z.object({
      id: z.uuid(),
      active: z.boolean(),
      start_date: z.iso.date().nullable(),
      end_date: z.iso.date().nullable(),
    }),
  }),
}
