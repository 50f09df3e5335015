import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import { consentFormLayout, consentFormProblem, sameConsentText } from './consent-form.ts'
import { type EthicsDraft, ethicsProblem, isPdf, MOST_DOCUMENT_BYTES } from './ethics.ts'
import { activationProblem, statusDays, type TrialDraft, trialProblem } from './trial.ts'

const TRIAL: TrialDraft = {
  name: 'Heart failure at home',
  eligibility_criteria: 'Aged 65 or over',
  recruiter_id: 'r',
  provider_id: 'p',
  refer_rebate: 20,
  enroll_rebate: 0,
  sr_refer_rebate: 5.5,
  sr_enroll_rebate: 25,
  rebate_type: 'refer',
  template_ids: ['t'],
  start_date: null,
  end_date: null,
}

describe('a clinical trial', () => {
  test('names everything missing in one sentence, including the product’s name', () => {
    expect(trialProblem(TRIAL, 'Pillar')).toBe('')
    const nothing = {
      ...{ name: ' ', eligibility_criteria: ' ', recruiter_id: null, provider_id: null, refer_rebate: null },
      ...{ enroll_rebate: null, sr_refer_rebate: null, sr_enroll_rebate: null, rebate_type: '' as const },
      ...{ template_ids: [], start_date: null, end_date: null },
    }
    expect(trialProblem(nothing, 'Pillar')).toBe(
      'Please enter a trial name, enter eligibility criteria, enter a recruiter, enter a provider, enter a referral rebate, enter an enrolment rebate, enter a Pillar AI referral rebate, enter a Pillar AI enrolment rebate, select a rebate type, and select atleast one template.',
    )
  })

  test('accepts no negative rebate and no end before its start', () => {
    expect(trialProblem({ ...TRIAL, refer_rebate: -1 }, 'x')).toBe('Please enter a referral rebate from 0 to 100,000.')
    expect(trialProblem({ ...TRIAL, refer_rebate: 100_000, enroll_rebate: 0 }, 'x')).toBe('')
    expect(trialProblem({ ...TRIAL, enroll_rebate: Number.NaN }, 'x')).not.toBe('')
    const dates = { start_date: '2026-08-03', end_date: '2026-08-02' }
    expect(trialProblem({ ...TRIAL, ...dates }, 'x')).toBe('Please enter an end date on or after the start date.')
    expect(trialProblem({ ...TRIAL, ...dates, end_date: '2026-08-03' }, 'x')).toBe('')
  })

  test('is activated only with a consent form and an ethics approval that has not expired', () => {
    const today = day('2026-11-22')
    const why = (consentForm: boolean, expires: string | null | undefined) =>
      activationProblem({
        ...{ consentForm, today, country: 'AU' },
        ethics: expires === undefined ? null : { expires: expires === null ? null : day(expires) },
      })
    expect(why(true, null)).toBe('')
    expect(why(true, '2026-11-22')).toBe('')
    expect(why(false, undefined)).toBe(
      'Before this trial can be activated, please record its ethics approval and create its consent form.',
    )
    expect(why(false, null)).toBe('Before this trial can be activated, please create its consent form.')
    expect(why(true, '2026-11-21')).toBe(
      'Before this trial can be activated, please record a new ethics approval (the last one expired on 21 Nov 2026).',
    )
  })

  test('starts today without an end, and ends at the end of today', () => {
    const today = day('2026-11-22')
    const none = { start: null, end: null }
    expect(statusDays(true, none, today)).toEqual({ start_day: today, end_day: null })
    expect(statusDays(false, none, today)).toEqual({ end_day: today })
    expect(statusDays(true, { start: today + 3, end: today + 9 }, today)).toEqual({
      start_day: today + 3,
      end_day: today + 9,
    })
    expect(statusDays(false, { start: null, end: today + 1 }, today)).toEqual({ end_day: today + 1 })
    expect(statusDays(false, none, today, today - 3)).toEqual({ end_day: today })
    expect(statusDays(false, none, today, today + 3)).toEqual({ end_day: today + 3 })
  })
})

const FORM = {
  form_title: 'Would you like to hear about a study?',
  intro: 'First.\r\n\nSecond.',
  purpose_heading: 'What it is about',
  purpose: 'It compares two ways of care.',
  criteria_heading: 'Who can take part',
  criteria: '- Aged 65 or over\n-No pacemaker\n  • Lives at home\nNot - a dash in front',
}

describe('a consent form', () => {
  test('needs all six texts', () => {
    expect(consentFormProblem(FORM)).toBe('')
    const nothing = Object.fromEntries(Object.keys(FORM).map((field) => [field, ' '])) as unknown as typeof FORM
    expect(consentFormProblem(nothing)).toBe(
      'Please enter a form title, enter an intro, enter a purpose heading, enter a purpose, enter a criteria heading, and enter a criteria.',
    )
  })
  test('is laid out in paragraphs, and in criteria without their dashes', () => {
    const criteria = `${FORM.criteria}\r\n– Speaks English\r* Owns a phone\n-5 °C or less\n-`
    expect(consentFormLayout({ ...FORM, intro: 'First.\n\nSecond.', criteria })).toEqual({
      title: FORM.form_title,
      intro: ['First.', 'Second.'],
      purpose: { heading: 'What it is about', paragraphs: ['It compares two ways of care.'] },
      criteria: {
        heading: 'Who can take part',
        items: [
          ...['Aged 65 or over', 'No pacemaker', 'Lives at home', 'Not - a dash in front'],
          ...['Speaks English', 'Owns a phone', '-5 °C or less'],
        ],
      },
    })
  })
  test('is unchanged only if every text is', () => {
    expect(sameConsentText(FORM, { ...FORM })).toBe(true)
    for (const field of Object.keys(FORM)) expect(sameConsentText(FORM, { ...FORM, [field]: 'x' })).toBe(false)
  })
})

describe('an ethics approval', () => {
  const GOOD: EthicsDraft = {
    ...{ number: '2026/0417', approving_body: 'Harbour HREC', approved_on: '2026-08-03', expires_on: '' },
    document: { bytes: 1000, pdf: true },
  }
  const why = (more: Partial<EthicsDraft>) => ethicsProblem({ ...GOOD, ...more }, '2026-11-22')
  test('needs a number, a body, a date and a PDF', () => {
    expect(why({})).toBe('')
    expect(why({ number: ' ', approving_body: ' ', approved_on: '', document: null })).toBe(
      'Please enter an approval number, enter the approving body, enter the date of approval, and attach the approval as a PDF.',
    )
    expect(why({ document: { bytes: MOST_DOCUMENT_BYTES, pdf: true } })).toBe('')
    expect(why({ document: { bytes: MOST_DOCUMENT_BYTES + 1, pdf: true } })).toBe(
      'Please attach a PDF of at most 5 MB.',
    )
    expect(why({ document: { bytes: 9, pdf: false } })).toBe('Please attach a PDF, not another kind of file.')
  })
  test('must not be from the future or expired', () => {
    expect(why({ approved_on: '2026-11-22', expires_on: '2026-11-22' })).toBe('')
    expect(why({ approved_on: '2026-11-23' })).toBe('Please enter a date of approval that is not in the future.')
    expect(why({ expires_on: '2026-11-21' })).toBe('Please enter an expiry that is not in the past.')
    expect(why({ expires_on: '2026-08-02' })).toBe('Please enter an expiry on or after the date of approval.')
  })
  test('must begin with the first bytes of a PDF', () => {
    expect(isPdf(new TextEncoder().encode('%PDF-1.7'))).toBe(true)
    for (const text of ['', '%PDF', '<html>%PDF-', 'PK%PDF-']) expect(isPdf(new TextEncoder().encode(text))).toBe(false)
  })
})
