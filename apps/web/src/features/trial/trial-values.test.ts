import { Filters } from '@pillar/contract/campaign/cohort'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { expect, test } from 'vitest'
import { inputOf, problemsOf, valuesOf } from './trial-values.ts'

const TRIAL = {
  ...{ trial_id: 't', name: 'Heart failure at home', note: '', eligibility_criteria: 'Aged 65 or over', version: 3 },
  filters: Filters.parse({ age: ['65-74', '75+'], adherence: [1, 2], molecules: ['C03CA01'], double_dispensing: true }),
  recruiter: { recruiter_provider_id: 'r', name: 'Meridian Trials' },
  provider: { recruiter_provider_id: 'p', name: 'Harbour' },
  ...{ refer_rebate: 20, enroll_rebate: 0, sr_refer_rebate: 5.5, sr_enroll_rebate: 25, rebate_type: 'refer' },
  ...{ start_date: '2026-08-03', end_date: null, active: true, templates: [{ id: 'm', name: 'Invitation' }] },
} as unknown as ClinicalTrial

test('an unchanged form sends the trial unchanged', () => {
  const sent = inputOf(valuesOf(TRIAL), TRIAL)
  expect(sent).toMatchObject({
    ...{ name: TRIAL.name, recruiter_id: 'r', provider_id: 'p', refer_rebate: 20, enroll_rebate: 0, active: true },
    ...{ sr_refer_rebate: 5.5, sr_enroll_rebate: 25, rebate_type: 'refer' },
    ...{ start_date: '2026-08-03', end_date: null, template_ids: ['m'] },
  })
  expect(Filters.parse(sent.filters)).toEqual(TRIAL.filters)
  const ending = { ...TRIAL, end_date: '2027-03-31' }
  expect(inputOf(valuesOf(ending), ending).end_date).toBe('2027-03-31')
})

test('a form never activates a trial', () => {
  expect(inputOf(valuesOf(null), null).active).toBe(false)
  const paused = { ...TRIAL, active: false }
  expect(inputOf(valuesOf(paused), paused).active).toBe(false)
})

test('molecules are ATC codes in any spelling of a list', () => {
  const sent = inputOf({ ...valuesOf(null), molecules: ' c03ca01; C09AA05,\nb01af02 ' }, null)
  expect(sent.filters?.molecules).toEqual(['C03CA01', 'C09AA05', 'B01AF02'])
})

test('an empty form names everything missing, and zero is a valid amount', () => {
  const fields = problemsOf(valuesOf(null), 'Pillar').map(({ field }) => field)
  expect(fields).toEqual([
    ...['name', 'eligibility_criteria', 'recruiter_id', 'provider_id', 'refer_rebate', 'enroll_rebate'],
    ...['sr_refer_rebate', 'sr_enroll_rebate', 'rebate_type', 'template_ids'],
  ])
  expect(problemsOf(valuesOf(TRIAL), 'Pillar')).toEqual([])
})

test('an amount is read as its field holds it, with 12.50 as text until it is left', () => {
  const typed = { ...valuesOf(TRIAL), refer_rebate: '12.50', sr_refer_rebate: '7.', enroll_rebate: '' } as const
  expect(inputOf(typed, TRIAL)).toMatchObject({ refer_rebate: 12.5, sr_refer_rebate: 7, enroll_rebate: null })
  expect(problemsOf(typed, 'Pillar').map(({ field }) => field)).toEqual(['enroll_rebate'])
})
