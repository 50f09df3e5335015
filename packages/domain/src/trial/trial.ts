import { listOf, type Problem, problemSentence } from '../text/sentence.ts'
import type { Day } from '../time/day.ts'
import { type Country, formatDate } from '../time/locale.ts'

/** What a rebate is paid for. */
export const REBATE_TYPES = { refer: 'Referrals', enroll: 'Enrolments' } as const
export type RebateType = keyof typeof REBATE_TYPES
export const REBATE_TYPE_VALUES = Object.keys(REBATE_TYPES) as [RebateType, ...RebateType[]]

export const TRIAL_NAME_LIMIT = 200
/** The largest rebate, in dollars. */
export const MOST_REBATE = 100_000

export interface TrialDraft {
  readonly name: string
  readonly eligibility_criteria: string
  readonly recruiter_id: string | null
  readonly provider_id: string | null
  /** In dollars; null until entered. */
  readonly refer_rebate: number | null
  readonly enroll_rebate: number | null
  readonly sr_refer_rebate: number | null
  readonly sr_enroll_rebate: number | null
  readonly rebate_type: RebateType | '' | null
  readonly template_ids: readonly string[]
  readonly start_date: string | null
  readonly end_date: string | null
}

type Field = keyof TrialDraft

/**
 * What is missing or wrong before a clinical trial can be saved, field by field, in the words of the specification.
 * @param product the product's name, used in two of the sentences
 */
export function trialProblems(draft: TrialDraft, product: string): Problem<Field>[] {
  const found: Problem<Field>[] = []
  const add = (field: Field, words: string) => found.push({ field, words })
  const rebate = (field: 'refer_rebate' | 'enroll_rebate' | 'sr_refer_rebate' | 'sr_enroll_rebate', what: string) => {
    const amount = draft[field]
    if (amount === null) add(field, `enter ${what}`)
    else if (!(amount >= 0 && amount <= MOST_REBATE)) add(field, `enter ${what} from 0 to 100,000`)
  }
  if (draft.name.trim() === '') add('name', 'enter a trial name')
  if (draft.eligibility_criteria.trim() === '') add('eligibility_criteria', 'enter eligibility criteria')
  if (!draft.recruiter_id) add('recruiter_id', 'enter a recruiter')
  if (!draft.provider_id) add('provider_id', 'enter a provider')
  rebate('refer_rebate', 'a referral rebate')
  rebate('enroll_rebate', 'an enrolment rebate')
  rebate('sr_refer_rebate', `a ${product} AI referral rebate`)
  rebate('sr_enroll_rebate', `a ${product} AI enrolment rebate`)
  if (!draft.rebate_type) add('rebate_type', 'select a rebate type')
  if (draft.template_ids.length === 0) add('template_ids', 'select atleast one template')
  const { start_date: start, end_date: end } = draft
  if (start && end && end < start) add('end_date', 'enter an end date on or after the start date')
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function trialProblem(draft: TrialDraft, product: string): string {
  return problemSentence(trialProblems(draft, product))
}

/** What an activation needs. */
export interface Readiness {
  readonly consentForm: boolean
  /** The newest ethics approval; null for none. `expires` is its last day, null if it has none. */
  readonly ethics: { readonly expires: Day | null } | null
  readonly today: Day
  /** The country whose date format the sentence uses. */
  readonly country: Country
}

/** Why a trial cannot be activated yet and what to do, as one sentence; empty when it can. */
export function activationProblem({ consentForm, ethics, today, country }: Readiness): string {
  const missing: string[] = []
  if (ethics === null) missing.push('record its ethics approval')
  else if (ethics.expires !== null && ethics.expires < today) {
    missing.push(`record a new ethics approval (the last one expired on ${formatDate(country, ethics.expires)})`)
  }
  if (!consentForm) missing.push('create its consent form')
  return missing.length === 0 ? '' : `Before this trial can be activated, please ${listOf(missing)}.`
}

/**
 * The days a status change sets: activation starts today without an end, deactivation ends today. Days given explicitly are kept.
 * @param starts the trial's first day: a trial that has not begun ends on that day
 */
export function statusDays(
  active: boolean,
  given: { start: Day | null; end: Day | null },
  today: Day,
  starts: Day | null = null,
): { start_day: Day; end_day: Day | null } | { end_day: Day } {
  return active
    ? { start_day: given.start ?? today, end_day: given.end }
    : { end_day: given.end ?? Math.max(today, starts ?? today) }
}
