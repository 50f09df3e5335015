import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import {
  activationDays,
  type CampaignDraft,
  campaignDatesProblem,
  campaignProblem,
  campaignProblems,
  communicationType,
  companyTemplateProblem,
  orSaved,
  recommendedCampaignProblem,
  supportCampaignProblems,
  type TemplateDraft,
  templateProblem,
  togglesOf,
  unreadDates,
} from './campaign-rule.ts'

const template: TemplateDraft = {
  name: 'Repeat due',
  body: 'Hi {First Name}, {Pharmacy Name} here.',
  sms_template: true,
  email_template: false,
}
const campaign: CampaignDraft = {
  name: 'Statins',
  goal_type: 'revenue',
  measure_by: 'value',
  goal: 5000,
  pharmacies: 2,
  templates: 1,
  filters: 1,
}
const empty: CampaignDraft = {
  name: ' ',
  goal_type: null,
  measure_by: null,
  goal: null,
  pharmacies: 0,
  templates: 0,
  filters: 0,
}

describe('templates', () => {
  test('an empty template gets one sentence, word for word', () => {
    expect(templateProblem({ name: '', body: ' ', sms_template: false, email_template: false })).toBe(
      'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
    )
  })

  test('the message must name the pharmacy and use only known fields', () => {
    expect(templateProblem(template)).toBe('')
    expect(templateProblem({ ...template, body: 'Hello' })).toBe('Please include {Pharmacy Name} in the message body.')
    expect(templateProblem({ ...template, body: '{Pharmacy Name} {Frist Name}' })).toBe(
      'Please replace {Frist Name} with a field from the list.',
    )
    const subject = 'For {Nobody}'
    expect(templateProblem({ ...template, subject })).toBe('')
    expect(templateProblem({ ...template, subject, email_template: true })).toContain('{Nobody}')
  })

  test('only what clinical trials send may name one: a campaign would send a hole', () => {
    const named = { ...template, body: 'Join {Trial Name} of {trial_provider} at {Pharmacy Name}' }
    const replace = 'Please replace {Trial Name} and {Trial Provider} with a field from the list.'
    expect(templateProblem(named)).toBe(replace)
    expect(templateProblem(named, 'trial')).toBe('')
    const subject = { ...template, email_template: true, subject: '{Trial Name}' }
    expect(templateProblem(subject)).toBe('Please replace {Trial Name} in the subject with a field from the list.')
    expect(templateProblem(subject, 'trial')).toBe('')
    expect(templateProblem({ ...template, body: '{Pharmacy Name} {Consent ID}' })).toBe('')
  })

  test('a text over the limit is refused, an email of any length is not', () => {
    const long = (letters: number) => ({ ...template, body: `${'x'.repeat(letters)}{Pharmacy Name}` })
    expect(templateProblem(long(1600 - 40 - 21))).toBe('')
    expect(templateProblem(long(1600 - 40 - 20))).toBe(
      'Please shorten the message body to 1,600 characters or turn SMS off.',
    )
    expect(templateProblem({ ...long(5000), sms_template: false, email_template: true })).toBe('')
  })

  test('the communication type follows the toggles', () => {
    expect([communicationType(true, true), communicationType(false, false)]).toEqual(['both', 'both'])
    expect([communicationType(true, false), communicationType(false, true)]).toEqual(['sms', 'email'])
    expect((['sms', 'email', 'both', null] as const).map(togglesOf)).toEqual([
      { sms_template: true, email_template: false },
      { sms_template: false, email_template: true },
      { sms_template: true, email_template: true },
      { sms_template: false, email_template: false },
    ])
  })
})

test('a template for specific companies names at least one', () => {
  expect(companyTemplateProblem(template, 'specific', 0)).toBe('Please select at least one company.')
  expect(companyTemplateProblem(template, 'specific', 1)).toBe('')
  expect(companyTemplateProblem(template, 'all', 0)).toBe('')
})

describe('campaigns', () => {
  test('an empty campaign gets one sentence, word for word', () => {
    expect(campaignProblem(empty)).toBe(
      'Please enter a campaign name, select at least one pharmacy, select a goal type, select a measure by, enter a goal, select at least one template, and select at least one patient filter.',
    )
    expect(recommendedCampaignProblem(empty)).toBe(
      'Please enter a campaign name, select a goal type, select a measurement type, enter a goal amount, select atleast one pharmacy, select atleast one template, and select atleast one patient cohort.',
    )
    for (const problem of [campaignProblem, recommendedCampaignProblem])
      expect(problem({ ...campaign, pharmacies: 1 })).toBe('')
    expect(supportCampaignProblems({ ...campaign, pharmacies: 1, company: true })).toEqual([])
  })

  test('a goal is above 0', () => {
    expect(campaignProblem({ ...campaign, goal: 0 })).toBe('Please enter a goal.')
    expect(campaignProblem({ ...campaign, goal: Number.NaN })).toBe('Please enter a goal.')
    for (const goal of [0, -1])
      expect(recommendedCampaignProblem({ ...campaign, goal })).toBe('Please enter a goal amount greater than 0.')
    expect(campaignProblems({ ...campaign, goal: 0 })).toEqual([
      { field: 'goal', words: 'enter a goal greater than 0' },
    ])
  })

  test('a goal that two decimals would turn into 0 is not above 0', () => {
    expect(campaignProblem({ ...campaign, goal: 0.004 })).toBe('Please enter a goal.')
    expect(recommendedCampaignProblem({ ...campaign, goal: 0.004 })).toBe('Please enter a goal amount greater than 0.')
    expect(campaignProblems({ ...campaign, goal: 0.004 })).toEqual([
      { field: 'goal', words: 'enter a goal greater than 0' },
    ])
    expect(campaignProblem({ ...campaign, goal: 0.01 })).toBe('')
  })

  test('a goal for a share is at most 100%, of a percent as of points: nobody could make more', () => {
    for (const goal_type of ['adherence', 'loyalty'] as const)
      for (const measure_by of ['target', 'percentage'] as const) {
        const share = { ...campaign, goal_type, measure_by }
        expect(campaignProblem({ ...share, goal: 100 })).toBe('')
        expect(campaignProblem({ ...share, goal: 100.5 })).toBe('Please enter a goal of at most 100%.')
        expect(campaignProblems({ ...share, goal: 800 })).toEqual([
          { field: 'goal', words: 'enter a goal of at most 100%' },
        ])
        expect(recommendedCampaignProblem({ ...share, goal: 800 })).toBe('Please enter a goal amount of at most 100%.')
      }
    expect(campaignProblem({ ...campaign, goal_type: 'scripts', measure_by: 'percentage', goal: 800 })).toBe('')
  })

  test('value does not measure adherence', () => {
    expect(campaignProblem({ ...campaign, goal_type: 'adherence' })).toBe('Please select a measure by.')
    expect(recommendedCampaignProblem({ ...campaign, goal_type: 'loyalty' })).toBe('Please select a measurement type.')
  })

  test('the start is today or later, and the end is not before the start', () => {
    const today = day('2026-11-20')
    expect(campaignDatesProblem(today, today, today)).toBe('')
    expect(campaignDatesProblem(today, null, today)).toBe('')
    expect(campaignDatesProblem(today - 1, today - 1, today)).toBe(
      'Please select a start date from today on and select an end date from today on.',
    )
    expect(campaignDatesProblem(today - 9, today, today, true)).toBe('')
    expect(campaignDatesProblem(today + 5, today + 4, today)).toBe(
      'Please select an end date on or after the start date.',
    )
  })

  test('text that is not a date is refused, and not read as a missing one', () => {
    expect(unreadDates({ start_date: '', end_date: '2026-12-31' })).toEqual([])
    expect(unreadDates({ start_date: '31/2/2026', end_date: 'Christmas' }).map(({ field }) => field)).toEqual([
      'start_date',
      'end_date',
    ])
  })

  test('activating uses the dates sent, else saved dates that are still ahead, else today with no end', () => {
    const today = day('2026-11-20')
    const [soon, late] = [day('2026-12-01'), day('2026-12-31')]
    const none = { start: null, end: undefined }
    const saved = (start: number | null, end: number | null, endedEarly = false) => ({ start, end, endedEarly })
    expect(activationDays(none, saved(null, null), today)).toEqual({ start: today, end: null })
    expect(activationDays(none, saved(soon, late), today)).toEqual({ start: soon, end: late })
    expect(activationDays(none, saved(today - 30, late), today)).toEqual({ start: today, end: late })
    expect(activationDays(none, saved(today - 30, today - 1), today)).toEqual({ start: today, end: null })
    expect(activationDays(none, saved(today, today), today)).toEqual({ start: today, end: today })
    expect(activationDays(none, saved(today, today, true), today)).toEqual({ start: today, end: null })
    expect(activationDays({ start: today, end: null }, saved(soon, late), today)).toEqual({ start: today, end: null })
    expect(activationDays({ start: soon, end: soon }, saved(null, late), today)).toEqual({ start: soon, end: soon })
  })
})

test('null empties a field of a single campaign, and leaves those of several as they are', () => {
  const edited = (several: boolean) => [null, undefined, 'new', ''].map((given) => orSaved(given, 'saved', several))
  expect(edited(false)).toEqual([null, 'saved', 'new', ''])
  expect(edited(true)).toEqual(['saved', 'saved', 'new', ''])
})
