import type { AdminCampaign } from '@pillar/contract/campaign/campaign-admin'
import { expect, it } from 'vitest'
import { NO_FILTERS } from '../../cohort/cohort-draft.ts'
import { batchOf, type CampaignValues, changesOf, emptyOf, valuesOf, wireOf } from './campaign-admin.ts'
import { campaignForm } from './campaign-form.ts'

const before = { ...emptyOf('2026-11-27'), name: 'Winter', start_date: '', holdout: '' as const, company_id: 'a' }

it('for several campaigns only a changed holdout is sent', () => {
  expect(changesOf({ ...before, holdout: 'none' }, before, true)).toEqual({ no_holdout: true })
  expect(changesOf({ ...before, holdout: 'company' }, before, true)).toEqual({ no_holdout: false })
  expect(changesOf(before, before, true)).toEqual({})
})

it('for several campaigns a changed goal and start are sent in the call’s format', () => {
  expect(changesOf({ ...before, goal: '1,200', start_date: '2026-12-01' }, before, true)).toEqual({
    ...{ goal: 1200, start_date: '2026-12-01T00:00:00' },
  })
})

it('for one campaign everything is sent, but dates only if they were changed', () => {
  const sent = changesOf({ ...before, holdout: 'none' }, before, false)
  expect(sent).toMatchObject({ name: 'Winter', no_holdout: true })
  expect(sent).not.toHaveProperty('start_date')
})

const saved = {
  ...{ name: 'Winter', goal_type: 'revenue', measure_by: 'target', goal: 40_000, note: null, filters: NO_FILTERS },
  ...{ start_date: '2020-11-20', end_date: '2999-12-31', no_holdout: true, version: 3, company_id: 'a' },
  ...{ locations: [{ location_id: 'p' }], templates: [{ template_id: 't', template_name: 'Repeat' }] },
} as AdminCampaign

it('a campaign is sent as it was opened: with its holdout, to the end of its last day, and each template by its own id', () => {
  const values = valuesOf(saved)
  const templates = [...values.templates, { value: 'recommended:r', label: 'Flu' }]
  expect(wireOf({ ...values, templates, note: ' ' })).toMatchObject({
    ...{ no_holdout: true, note: null, end_date: '2999-12-31T23:59:59' },
    templates: [{ template_id: 't' }, { template_recommendation_id: 'r' }],
  })
})

it('several campaigns have no version together, even if each has the same', () => {
  const all = [valuesOf(saved), valuesOf({ ...saved, company_id: 'b' })]
  expect([batchOf(all.slice(1)).values.version, batchOf(all).values.version]).toEqual([3, null])
})

const form = (...rows: AdminCampaign[]) => {
  const edited = rows.length > 0 ? { rows, chosen: {}, clear() {} } : null
  const { initial, check } = campaignForm({ edited, country: 'AU', valuesOf, recommended: false })
  return { initial, fields: (values: CampaignValues) => check(values).map(({ field }) => field) }
}

it('what differs between campaigns may stay blank, but what is typed there is checked', () => {
  const { initial, fields } = form(saved, { ...saved, company_id: 'b', goal: 5 })
  const said = (changed: Partial<CampaignValues>) => fields({ ...initial, ...changed })
  expect([said({}), said({ goal: 'much' }), said({ end_date: '31/31' })]).toEqual([[], ['goal'], ['end_date']])
})

it('a start that has passed is refused in a new campaign, and may stay in saved ones', () => {
  const values = valuesOf(saved)
  expect([form(saved).fields(values), form().fields(values)]).toEqual([[], ['start_date']])
})
