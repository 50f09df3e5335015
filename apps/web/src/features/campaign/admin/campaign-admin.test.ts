import { expect, it } from 'vitest'
import { changesOf, emptyOf } from './campaign-admin.ts'

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
