import { describe, expect, it } from 'vitest'
import { ACTION_KINDS, actionKind, actionsOf, actionWords, shownAction } from './action-words.ts'
import { changedFields, fieldLabel, fieldValue } from './change-words.ts'

describe('an act in words', () => {
  it.each([
    ['company.edit', {}, 'edited a company'],
    ['user.disable', {}, 'disabled a user'],
    ['templateAdmin.create', {}, 'created a template'],
    ['templateAdmin.deactivate', {}, 'deactivated a template'],
    ['templateRecommendation.remove', {}, 'withdrew a recommended template'],
    ['runAdmin.read', { messages: 3 }, 'looked at 3 messages'],
    ['runAdmin.read', { messages: 1 }, 'looked at 1 message'],
    ['runAdmin.read', {}, 'looked at messages'],
    [
      'campaign.activate',
      { changes: [{ before: { active: false }, after: { active: true } }] },
      'activated a campaign',
    ],
    ['template.activate', { changes: [{ after: { active: false } }] }, 'deactivated a template'],
    ['campaign.activate', {}, 'activated or deactivated a campaign'],
    ['inbound.replies', { rows: 1234 }, 'looked at 1,234 replies'],
  ])('%s %o is %s', (action, counts, words) => {
    expect(actionWords(action, counts)).toBe(words)
  })

  it('is null without any wording, and the screen then names the call', () => {
    expect(actionWords('company.frobnicate')).toBe(null)
    expect(shownAction('company.frobnicate')).toBe('did "company.frobnicate"')
  })

  it('has one kind for each action, and is a change by default', () => {
    const all = (['look', 'sign-in', 'patient', 'platform'] as const).flatMap(actionsOf)
    expect(ACTION_KINDS).toHaveLength(5)
    expect(new Set(all).size).toBe(all.length)
    const some = ['session.login', 'session.second-factor-failed', 'runAdmin.read', 'company.edit']
    expect(some.map(actionKind)).toEqual(['sign-in', 'sign-in', 'look', 'change'])
  })
})

describe('a change in words', () => {
  it('names each field in plain words', () => {
    expect(['first_name', 'sixty_day_signup', 'location_id', 'numTemplates', 'sms_reply'].map(fieldLabel)).toEqual([
      ...['First name', '60 Day Signup', 'Location ID', 'Num templates', 'SMS reply'],
    ])
  })
  it('shows empty values as a dash', () => {
    const values = [null, '', [], true, false, 0, ['a', 'b'], [{ name: 'Flu' }], { days: 3, on: true }]
    expect(values.map(fieldValue)).toEqual(['–', '–', '–', 'Yes', 'No', '0', 'a, b', 'Flu', 'Days: 3; On: Yes'])
  })
  it('leaves counters of versions out', () => {
    expect(changedFields({ name: 'A', version: 1 }, { name: 'B', version: 2 })).toEqual([
      { label: 'Name', before: 'A', after: 'B' },
    ])
  })
})
