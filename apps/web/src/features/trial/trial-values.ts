import type { AskOf, contract } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import type { Problem } from '@pillar/domain/text/sentence'
import { formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { type RebateType, trialProblems } from '@pillar/domain/trial/trial'
import { type Amount, amountOf } from '../../shared/amount.ts'
import { todayOf } from '../../shared/today.ts'

/** Today by the company's calendar, as '2026-11-22'. */
export const todayText = (country: Country) => formatDay(todayOf(country))

/** Filters whose options are lists of words. */
const LISTS = ['patient_type', 'age', 'patient_sex', 'polypharmacy', 'drug_type', 'distance_from_store'] as const
const LEVELS = ['adherence', 'loyalty'] as const

export interface TrialValues extends Record<string, unknown> {
  name: string
  note: string
  eligibility_criteria: string
  recruiter_id: string
  provider_id: string
  refer_rebate: Amount
  enroll_rebate: Amount
  sr_refer_rebate: Amount
  sr_enroll_rebate: Amount
  rebate_type: RebateType | ''
  start_date: string
  end_date: string
  template_ids: string[]
  adherence: string[]
  loyalty: string[]
  patient_type: string[]
  age: string[]
  patient_sex: string[]
  polypharmacy: string[]
  drug_type: string[]
  distance_from_store: string[]
  /** ATC codes, separated by commas. */
  molecules: string
  /** Names of recruiter, provider and templates, by id. */
  names: Record<string, string>
  version: number
}

/** The initial values of a trial's form; null for a new one. */
export function valuesOf(trial: ClinicalTrial | null): TrialValues {
  const filters = trial?.filters ?? Filters.parse({})
  return {
    name: trial?.name ?? '',
    note: trial?.note ?? '',
    eligibility_criteria: trial?.eligibility_criteria ?? '',
    recruiter_id: trial?.recruiter.recruiter_provider_id ?? '',
    provider_id: trial?.provider.recruiter_provider_id ?? '',
    refer_rebate: trial?.refer_rebate ?? '',
    enroll_rebate: trial?.enroll_rebate ?? '',
    sr_refer_rebate: trial?.sr_refer_rebate ?? '',
    sr_enroll_rebate: trial?.sr_enroll_rebate ?? '',
    rebate_type: trial?.rebate_type ?? '',
    start_date: trial?.start_date ?? '',
    end_date: trial?.end_date ?? '',
    template_ids: trial?.templates.map(({ id }) => id) ?? [],
    adherence: filters.adherence.map(String),
    loyalty: filters.loyalty.map(String),
    patient_type: filters.patient_type,
    age: filters.age,
    patient_sex: filters.patient_sex,
    polypharmacy: filters.polypharmacy,
    drug_type: filters.drug_type,
    distance_from_store: filters.distance_from_store,
    molecules: filters.molecules.join(', '),
    names: namesOf(trial),
    version: trial?.version ?? 0,
  }
}

const namesOf = (trial: ClinicalTrial | null) =>
  Object.fromEntries(
    trial
      ? [
          ...[trial.recruiter, trial.provider].map((one) => [one.recruiter_provider_id, one.name]),
          ...trial.templates.map(({ id, name }) => [id, name]),
        ]
      : [],
  )

/** The form's values in the format of the calls; filters the form does not show stay unchanged. */
export function inputOf(values: TrialValues, trial: ClinicalTrial | null): AskOf<typeof contract.clinicalTrial.create> {
  const filters = {
    ...Filters.parse(trial?.filters ?? {}),
    ...Object.fromEntries(LISTS.map((name) => [name, values[name]])),
    ...Object.fromEntries(LEVELS.map((name) => [name, values[name].map(Number)])),
    molecules: values.molecules
      .split(/[\s,;]+/)
      .filter((code) => code !== '')
      .map((code) => code.toUpperCase()),
  }
  return {
    name: values.name,
    note: values.note,
    eligibility_criteria: values.eligibility_criteria,
    filters,
    recruiter_id: values.recruiter_id || null,
    provider_id: values.provider_id || null,
    refer_rebate: amountOf(values.refer_rebate),
    enroll_rebate: amountOf(values.enroll_rebate),
    sr_refer_rebate: amountOf(values.sr_refer_rebate),
    sr_enroll_rebate: amountOf(values.sr_enroll_rebate),
    rebate_type: values.rebate_type || null,
    start_date: values.start_date || null,
    end_date: values.end_date || null,
    active: trial?.active ?? false,
    template_ids: values.template_ids,
  }
}

/** What is missing in the form, by the domain's rules. */
export function problemsOf(values: TrialValues, product: string): Problem<keyof TrialValues & string>[] {
  const { refer_rebate, enroll_rebate, sr_refer_rebate, sr_enroll_rebate, ...rest } = values
  return trialProblems(
    {
      ...rest,
      refer_rebate: amountOf(refer_rebate),
      enroll_rebate: amountOf(enroll_rebate),
      sr_refer_rebate: amountOf(sr_refer_rebate),
      sr_enroll_rebate: amountOf(sr_enroll_rebate),
    },
    product,
  )
}
