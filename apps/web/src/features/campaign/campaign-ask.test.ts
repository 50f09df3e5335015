import { day } from '@pillar/domain/time/day'
import { expect, it } from 'vitest'
import { NO_FILTERS } from '../cohort/cohort-draft.ts'
import { askOf, askOfDraft, daysOf } from './campaign-ask.ts'
import { draftOfStart } from './form/campaign-draft.ts'

const campaign = {
  ...{ campaign_id: 'c', filters: NO_FILTERS, pharmacies: ['p'], templates: [], no_holdout: true },
  ...{ start_date: '2026-11-20', end_date: '2026-12-31', ended_early: false },
} as unknown as Parameters<typeof askOf>[0]
const today = day('2026-11-28')
const asked = (more: Partial<typeof campaign> = {}) =>
  askOf({ ...campaign, ...more }, daysOf({ ...campaign, ...more }, today))

it('people are counted as the campaign would run from today on: with its holdout, and without an end set by deactivating it', () => {
  expect(asked()).toMatchObject({ start_date: '2026-11-28', end_date: '2026-12-31', no_holdout: true })
  expect(asked({ ended_early: true, no_holdout: false })).toMatchObject({ end_date: null, no_holdout: false })
})

it('a form counts what is in it, without those its campaign has reached, and takes a date being typed for none', () => {
  const draft = {
    ...draftOfStart({ kind: 'new' }, today),
    ...{ locations: ['p'], start_date: '2026-12-01', end_date: '2026-12-3', no_holdout: true },
  }
  expect(askOfDraft(draft, 'c')).toEqual({
    ...{ filters: draft.filters, pharmacies: ['p'], templates: [], campaign_id: 'c' },
    ...{ start_date: '2026-12-01', end_date: null, no_holdout: true },
  })
})
