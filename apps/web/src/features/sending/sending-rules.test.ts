import type { SendingRules } from '@pillar/contract/sending'
import { describe, expect, it } from 'vitest'
import { capText, changesText, clockOf, draftOf, minutesOf, rulesOf, rulesProblems } from './sending-rules.ts'

const RULES: SendingRules = {
  cap_messages: 2,
  cap_hours: 168,
  week: [[540, 1200], [540, 1200], [540, 1200], [540, 1200], [540, 1440], [540, 1020], null],
  holidays_quiet: true,
  holdout_percent: 0,
}

describe('the form of the sending rules', () => {
  it('gives back the rules it was made from, midnight at the end of a day included', () => {
    expect(rulesOf(draftOf(RULES))).toEqual(RULES)
    expect(rulesOf(draftOf({ ...RULES, cap_hours: 36 }))).toEqual({ ...RULES, cap_hours: 36 })
    expect(draftOf(RULES)).toMatchObject({ span: 7, unit: 'days' })
    expect(draftOf({ ...RULES, cap_hours: 36 })).toMatchObject({ span: 36, unit: 'hours' })
  })
  it('reads and writes clocks', () => {
    expect(clockOf(1440)).toBe('00:00')
    expect(clockOf(65)).toBe('01:05')
    expect(minutesOf('01:05')).toBe(65)
    expect(minutesOf('25:00')).toBeNull()
    expect(minutesOf('')).toBeNull()
  })
})

describe('what keeps the rules from being saved', () => {
  const draft = draftOf(RULES)
  it('is nothing for rules as they stand', () => {
    expect(rulesProblems(draft)).toEqual({ fields: [], sentence: '' })
  })
  it('is said in one sentence, with the fields it is about', () => {
    const week = draft.week.map((day, index) => (index === 1 ? { on: true, from: '17:00', to: '09:00' } : day))
    expect(rulesProblems({ ...draft, messages: '', week, holdout: 51 })).toEqual({
      fields: ['messages', 'day1', 'holdout'],
      sentence:
        'Please let the cap be 1 to 100 messages, let the sending hours of Tuesday end after they begin, and keep back 0 to 50 percent.',
    })
  })
  it('is an emptied time, and a week without any day', () => {
    const empty = draft.week.map((day, index) => (index === 0 ? { ...day, from: '' } : day))
    expect(rulesProblems({ ...draft, week: empty }).fields).toEqual(['day0'])
    const none = draft.week.map((day) => ({ ...day, on: false }))
    expect(rulesProblems({ ...draft, week: none }).sentence).toBe(
      'Please leave at least one day on which messages may be sent.',
    )
  })
  it('counts days and hours with the limit of each', () => {
    expect(rulesProblems({ ...draft, span: 32 }).fields).toEqual(['span'])
    expect(rulesProblems({ ...draft, span: 32, unit: 'hours' }).fields).toEqual([])
  })
})

it('says what saving changes, and nothing for nothing', () => {
  expect(changesText(RULES, RULES)).toEqual([])
  const after: SendingRules = { ...RULES, cap_messages: 1, cap_hours: 36, holdout_percent: 10, holidays_quiet: false }
  expect(changesText(RULES, after)).toEqual([
    'At most 1 message to one person in 36 hours; it was 2 messages to one person in 7 days.',
    'Messages are also sent on public holidays.',
    '10% of each new cohort is kept back to measure against.',
  ])
  expect(changesText(RULES, { ...RULES, week: [null, ...RULES.week.slice(1)] as SendingRules['week'] })).toEqual([
    'Other sending hours on Monday.',
  ])
  expect(capText({ cap_messages: 1, cap_hours: 24 })).toBe('1 message to one person in 1 day')
})
