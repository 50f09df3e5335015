import { expect, it } from 'vitest'
import { recommendationNote, shownFirst } from './recommended.ts'

it('new recommendations come first, and name their kind', () => {
  const template = { type: 'template', sms_template: true, email_template: false } as never
  expect(
    shownFirst([
      { n: 1, new: false },
      { n: 2, new: true },
      { n: 3, new: true },
    ]).map(({ n }) => n),
  ).toEqual([2, 3, 1])
  expect(recommendationNote('AU', template)).toBe('SMS template')
  expect(recommendationNote('AU', { ...(template as object), email_template: true } as never)).toBe(
    'SMS and email template',
  )
  expect(
    recommendationNote('AU', { ...(template as object), sms_template: false, email_template: true } as never),
  ).toBe('Email template')
  expect(recommendationNote('AU', { type: 'campaign', patients: 1204 } as never)).toBe(
    'Campaign · 1,204 patients match',
  )
  expect(recommendationNote('AU', { type: 'campaign', patients: null } as never)).toBe('Campaign')
})
