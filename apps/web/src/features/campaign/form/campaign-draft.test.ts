import { campaign as calls } from '@pillar/contract/campaign/campaign'
import { campaignProblem, recommendedCampaignProblem } from '@pillar/domain/campaign/campaign-rule'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { problemSentence } from '@pillar/domain/text/sentence'
import { day } from '@pillar/domain/time/day'
import { expect, test } from 'vitest'
import { NO_FILTERS } from '../../cohort/cohort-draft.ts'
import {
  type CampaignDraft,
  draftOfCampaign,
  draftOfCopy,
  draftOfRecommendation,
  draftProblems,
  draftWithLatest,
  EMPTY_DRAFT,
  parseGoal,
  wireOf,
  withGoalType,
} from './campaign-draft.ts'

const ID = '0198c2a0-0000-7000-8000-000000000001'
const OTHER = '0198c2a0-0000-7000-8000-000000000002'
const context = { today: day('2026-11-21') }
const said = (...given: Parameters<typeof draftProblems>) => problemSentence(draftProblems(...given))

const full: CampaignDraft = {
  name: '  Statins  ',
  locations: [ID],
  goal_type: 'revenue',
  measure_by: 'target',
  goal: '$40,000',
  note: '  ',
  start_date: '2026-11-21',
  end_date: '',
  templates: [
    {
      template_id: null,
      template_recommendation_id: OTHER,
      template_name: 'Repeat',
      sms_template: true,
      email_template: false,
      active: true,
    },
  ],
  filters: { ...NO_FILTERS, age: ['65+'] },
  no_holdout: true,
}

test('the draft is sent as the contract wants: trimmed, empty as null, templates as pairs of ids', () => {
  const sent = calls.create.input.parse(wireOf(full))
  expect(sent).toMatchObject({
    name: 'Statins',
    note: null,
    start_date: '2026-11-21',
    end_date: null,
    goal: 40000,
    locations: [ID],
    templates: [{ template_id: null, template_recommendation_id: OTHER }],
    active: false,
    no_holdout: true,
  })
  expect(sent.filters.age).toEqual(['65+'])
})

test('a saved campaign opened and sent again is unchanged', () => {
  const saved = {
    campaign_id: ID,
    name: 'Asthma',
    active: false,
    demo: false,
    goal_type: 'adherence' as const,
    measure_by: 'percentage' as const,
    goal: 3.5,
    note: 'Why',
    description: null,
    start_date: '2026-11-01',
    end_date: '2026-12-01',
    ended_early: false,
    days_left: 10,
    templates: [{ template_id: OTHER, template_name: 'T', sms_template: true, email_template: true, active: false }],
    locations: [{ location_id: ID, location_name: 'Here' }],
    pharmacies: [ID],
    filters: { ...NO_FILTERS, molecules: ['C10AA05'] },
    no_holdout: true,
    campaign_recommendation_id: null,
    template_recommendations: [],
    author: null,
    version: 3,
    current_goal_value: null,
    made_goal: false,
    goal_place: { started: false, start: null, now: null, goal: null, measured_to: null, pace: null },
    run_state: null,
    next_at: null,
    progress: null,
  }
  const draft = draftOfCampaign(saved)
  expect(wireOf(draft)).toMatchObject({
    name: 'Asthma',
    note: 'Why',
    goal: 3.5,
    start_date: '2026-11-01',
    end_date: '2026-12-01',
    locations: [ID],
    templates: [{ template_id: OTHER, template_recommendation_id: null }],
    filters: saved.filters,
    no_holdout: true,
  })
  // Its start is in the past and stays; only a newly set one must not be.
  expect(said(draft, { ...context, savedStart: '2026-11-01' })).toBe('')
  expect(said({ ...draft, start_date: '2026-11-02' }, { ...context, savedStart: '2026-11-01' })).toBe(
    'Please select a start date from today on.',
  )
  // A copy is a separate campaign: it keeps only dates that are still ahead.
  const copy = draftOfCopy(saved, context.today)
  expect(copy).toEqual({ ...draft, name: 'Asthma (copy)', start_date: '', end_date: '2026-12-01' })
  expect(said(copy, context)).toBe('')
  expect(draftOfCopy({ ...saved, end_date: '2026-11-20' }, context.today).end_date).toBe('')
  expect(draftOfCopy({ ...saved, name: 'n'.repeat(200) }, context.today).name).toHaveLength(200)
  // An end set by deactivating was not chosen for it.
  expect(draftOfCopy({ ...saved, end_date: '2026-11-21', ended_early: true }, context.today).end_date).toBe('')
})

test('a recommendation fills everything but pharmacies and dates, and is checked in the screen’s words', () => {
  const draft = draftOfRecommendation(
    {
      campaign_recommendation_id: ID,
      type: 'campaign',
      name: 'Flu',
      description: '',
      new: true,
      adopted: false,
      goal_type: 'scripts',
      measure_by: 'value',
      goal: 0,
      note: null,
      start_date: '2026-11-20',
      end_date: '2026-11-21',
      filters: NO_FILTERS,
      template_recommendations: [
        { template_recommendation_id: OTHER, template_name: 'Flu', sms_template: true, email_template: false },
      ],
      patients: null,
    },
    context.today,
  )
  expect([draft.start_date, draft.end_date]).toEqual(['', '2026-11-21'])
  expect(draft.templates).toEqual([
    {
      template_id: null,
      template_recommendation_id: OTHER,
      template_name: 'Flu',
      sms_template: true,
      email_template: false,
      active: true,
    },
  ])
  expect(said(draft, context)).toBe(
    'Please select at least one pharmacy, enter a goal greater than 0, and select at least one patient filter.',
  )
})

test('a version saved by somebody else is merged around the changes made here', () => {
  const mine = { ...full, note: 'Mine', goal: '5', locations: [ID] }
  const theirs = { ...full, name: 'Theirs', goal: '7', locations: [ID, OTHER] }
  const { draft, both } = draftWithLatest(mine, full, theirs)
  expect(draft).toEqual({ ...theirs, note: 'Mine', goal: '5' })
  expect(both).toEqual(['goal'])
  expect(draftWithLatest(mine, full, mine).both).toEqual([])
  expect(draftWithLatest(full, full, theirs)).toEqual({ draft: theirs, both: [] })
})

test('goals are read as people write them', () => {
  expect(['40000', '$40,000', '£1,250.50', '3.5 %', ' .5 ', '12.'].map(parseGoal)).toEqual([
    40000, 40000, 1250.5, 3.5, 0.5, 12,
  ])
  expect(['', 'abc', '1,2', '-5', '1e9', '4 000', '1.2.3'].map(parseGoal)).toEqual(Array(7).fill(null))
})

test('adherence and loyalty clear the measure value, and no other', () => {
  expect(withGoalType({ ...EMPTY_DRAFT, measure_by: 'value' }, 'loyalty').measure_by).toBe(null)
  expect(withGoalType({ ...EMPTY_DRAFT, measure_by: 'value' }, 'scripts').measure_by).toBe('value')
  expect(withGoalType({ ...EMPTY_DRAFT, measure_by: 'target' }, 'adherence').measure_by).toBe('target')
})

test('each wrong field is named, in the order of the form', () => {
  const wrong = draftProblems({ ...EMPTY_DRAFT, end_date: '2026-11-20' }, context)
  expect(wrong.map(({ field }) => field)).toEqual([
    'name',
    'locations',
    'goal_type',
    'measure_by',
    'goal',
    'templates',
    'filters',
    'end_date',
  ])
  expect(problemSentence(wrong)).toBe(
    'Please enter a campaign name, select at least one pharmacy, select a goal type, choose how to measure it, enter a goal, select at least one template, select at least one patient filter, and select an end date from today on.',
  )
  expect(draftProblems(full, context)).toEqual([])
})

test('the screen finds a problem exactly when the server does, in own and in recommended campaigns', () => {
  const parts: Partial<CampaignDraft>[] = [
    { name: ' ' },
    { locations: [] },
    { goal_type: null },
    { measure_by: null },
    { goal: '' },
    { goal: '0' },
    { templates: [] },
    { filters: NO_FILTERS },
    { goal_type: 'adherence', measure_by: 'value' },
    {},
  ]
  for (const part of parts) {
    const draft = { ...full, ...part }
    const { name, goal_type, measure_by } = draft
    const checked = {
      ...{ name, goal_type, measure_by, goal: parseGoal(draft.goal) },
      ...{ pharmacies: draft.locations.length, templates: draft.templates.length, filters: filtersSet(draft.filters) },
    }
    const wrong = draftProblems(draft, context).length > 0
    expect(wrong).toBe(campaignProblem(checked) !== '')
    expect(wrong).toBe(recommendedCampaignProblem(checked) !== '')
  }
})

test('a date that cannot be read keeps the draft from being sent', () => {
  expect(said({ ...full, start_date: '31/2/2026' }, context)).toBe('Please enter a start date.')
})
