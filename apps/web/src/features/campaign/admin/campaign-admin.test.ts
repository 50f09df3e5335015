import { expect, it } from 'vitest'
import { changesOf, emptyOf } from './campaign-admin.ts'

const before = { ...emptyOf('2026-11-27'), name: 'Winter', start_date: '', holdout: '' as const, company_id: 'a' }

it('of several campaigns a changed share to keep back at random is sent, and nothing else', () => {
  expect(changesOf({ ...before, holdout: 'none' }, before, true)).toEqual({ no_holdout: true })
  expect(changesOf({ ...before, holdout: 'company' }, before, true)).toEqual({ no_holdout: false })
  expect(changesOf(before, before, true)).toEqual({})
})

it('of several campaigns a changed goal and start are sent as the call takes them', () => {
  expect(changesOf({ ...before, goal: '1,200', start_date: '2026-12-01' }, before, true)).toEqual({
    ...{ goal: 1200, start_date: '2026-12-01T00:00:00' },
  })
})

it('of one campaign everything is sent, but dates only where they were changed', () => {
  const sent = changesOf({ ...before, holdout: 'none' }, before, false)
  expect(sent).toMatchObject({ name: 'Winter', no_holdout: true })
  expect(sent).not.toHaveProperty('start_date')
})
