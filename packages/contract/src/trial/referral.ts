import { z } from 'zod'
import { dateField } from '../campaign/cohort.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'

/** The most rows one file holds. */
export const REFERRAL_FILE_ROWS = 100_000

export const REFERRAL_SORTS = [
  'referral_date',
  'first_name',
  'last_name',
  'phone_number',
  'email',
  'postcode',
  'trial_name',
  'communication_type',
  'enrolled',
  'recruiter_contacted',
] as const

/** A patient who signed up for a trial of the recruiter, with the details the patient shared. */
export const Referral = z.object({
  consent_id: z.uuid(),
  /** The date by the pharmacy's clock: '22/11/2026'. */
  referral_date: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone_number: z.string(),
  email: z.string(),
  postcode: z.string(),
  trial_name: z.string(),
  /** How the invitation arrived: 'SMS' or 'Email'; empty if the patient came without one of ours. */
  communication_type: z.string(),
  enrolled: z.boolean(),
  /** The recruiter's own mark; null until set. */
  recruiter_contacted: z.boolean().nullable(),
  /** Dollars owed for this referral: to the pharmacy, and to the platform. */
  rebate: z.number(),
  sr_rebate: z.number(),
  version: z.number(),
})
export type Referral = z.output<typeof Referral>

const days = {
  /** First and last referral day; left out: the year up to today. */
  start_date: dateField,
  end_date: dateField,
}
const asked = { ...days, sort_order: z.enum(['asc', 'desc']).default('desc') }
const ID = '01980000-0000-7000-8000-000000000009'
const EXAMPLE = { start_date: '2025-11-22', end_date: '2026-11-22' }

const list = read({
  path: '/api/clinical-trial-pharmacy-referral-list',
  needs: 'clinical_trials_login',
  scratch: true,
  about:
    'Patients who signed up for the trials of the caller’s recruiter at any pharmacy and have not withdrawn. `search_term` is part of a name, phone number, email, postcode or trial.',
  example: { ...EXAMPLE, page: 1, sort_field: 'referral_date', sort_order: 'desc', search_term: '' },
  input: listInput(REFERRAL_SORTS, asked),
  output: listOf(Referral, 'referrals'),
})

const Bar = z.object({
  /** First day of the week, or of the month for a long range. */
  from: z.iso.date(),
  /** Signed up and not called yet; called; enrolled. Each referral counts in one of them. */
  waiting: z.number(),
  contacted: z.number(),
  enrolled: z.number(),
  withdrawn: z.number(),
})

const summary = read({
  path: '/api/clinical-trial-pharmacy-referral-list/summary',
  needs: 'clinical_trials_login',
  about:
    'Totals of the referrals in a date range: the rows of the list, and the number of patients who have withdrawn.',
  example: EXAMPLE,
  input: z.object({ ...days, search_term: searchField }),
  output: z.object({
    recruiter_provider_name: z.string().nullable(),
    /** Why the caller sees nobody, as a sentence; empty for a recruiter. */
    sees_nobody: z.string(),
    /** The number of rows in the list. */
    total_referred: z.number(),
    total_contacted: z.number(),
    total_enrolled: z.number(),
    /** Referrals the patient withdrew, which are not in the list. */
    total_withdrawn: z.number(),
    /** Dollars owed for the rows of the list: to pharmacies, and to the platform. */
    rebate: z.number(),
    sr_rebate: z.number(),
    /** Dollars owed for referrals withdrawn later. */
    withdrawn_rebate: z.number(),
    withdrawn_sr_rebate: z.number(),
    step: z.enum(['week', 'month']),
    bars: z.array(Bar),
  }),
})

const history = read({
  path: '/api/clinical-trial-pharmacy-referral-list/{consent_id}/history',
  needs: 'clinical_trials_login',
  scratch: true,
  about: 'The history of a referral: who switched what, and when; newest first.',
  example: { consent_id: ID },
  input: z.object({ consent_id: z.uuid() }),
  output: z.object({
    events: z.array(
      z.object({
        at: z.iso.datetime(),
        event: z.enum([
          'contacted',
          'referred',
          'enrolled',
          'unenrolled',
          'opted_out',
          'withdrawn',
          'recruiter_contacted',
          'recruiter_not_contacted',
        ]),
        /** Who changed it; null for the patient. */
        by: z.string().nullable(),
      }),
    ),
    rebates: z.array(
      z.object({
        at: z.iso.datetime(),
        kind: z.enum(['refer', 'enroll']),
        /** In dollars; a reversal is negative. */
        rebate: z.number(),
        sr_rebate: z.number(),
      }),
    ),
  }),
})

/** The Referrals dashboard of a recruiter. */
export const referral = {
  list,
  summary,
  history,
  export: read({
    path: '/api/clinical-trial-pharmacy-referral-list/export',
    needs: 'clinical_trials_login',
    answer: 'csv',
    scratch: true,
    heavy: true,
    about: 'The rows that the list finds, up to 100,000, as a file.',
    example: EXAMPLE,
    input: listInput(REFERRAL_SORTS, asked),
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
  edit: write({
    path: '/api/clinical-trial-pharmacy-referral-list/{consent_id}/edit',
    tellsOnce: true,
    needs: 'clinical_trials_login',
    refreshes: () => [list, summary, history],
    about:
      'Sets both switches of a referral. With `version`, it never overwrites a change somebody else made meanwhile.',
    example: { consent_id: ID, enrolled: true, recruiter_contacted: true },
    input: z.object({
      consent_id: z.uuid(),
      enrolled: z.boolean(),
      recruiter_contacted: z.boolean().nullable(),
      version: z.number().int().nullish(),
    }),
    output: Referral,
  }),
}
