import type { SendingRules } from '@pillar/contract/message/sending'
import { NO_RATE } from '@pillar/domain/message/sending-rules'
import { describe, expect, it } from 'vitest'
import {
  ALL_DAY,
  capText,
  changesText,
  gatewayText,
  nothingChanged,
  problemsOf,
  queuedWords,
  rulesOf,
  valuesOf,
} from './sending-rules.ts'

const RULES: SendingRules & { version: number } = {
  cap_messages: 2,
  cap_hours: 168,
  week: [[540, 1200], [540, 1200], [540, 1200], [540, 1200], [0, 1440], [540, 1020], null],
  holidays_quiet: true,
  holdout_percent: 0,
  approval: false,
  version: 3,
}

it('how fast texts leave is a number only if one is set', () => {
  const rules = { sms_gateway: 'http', simulated: false, rate_per_minute: 1200 }
  expect(gatewayText('AU', rules)).toBe('Texts leave through http, up to 1,200 a minute.')
  expect(gatewayText('AU', { ...rules, rate_per_minute: NO_RATE })).toBe(
    'Texts leave through http, as fast as the gateway takes them.',
  )
})

describe('the form of the sending rules', () => {
  it('gives back the rules it was made from, including midnight as the end of a day', () => {
    for (const approval of [true, false])
      expect(rulesOf(valuesOf({ ...RULES, approval }))).toEqual({ ...RULES, approval })
    expect(rulesOf(valuesOf({ ...RULES, cap_hours: 36 }))).toEqual({ ...RULES, cap_hours: 36 })
    expect(valuesOf(RULES)).toMatchObject({ span: 7, unit: 'days', day0: '09:00–20:00', day4: ALL_DAY, day6: '' })
    expect(valuesOf({ ...RULES, cap_hours: 36 })).toMatchObject({ span: 36, unit: 'hours' })
    expect(rulesOf({ ...valuesOf(RULES), day6: '22:05–00:00' }).week[6]).toEqual([1325, 1440])
  })
})

describe('problems that keep the rules from being saved', () => {
  const values = valuesOf(RULES)
  const wrong = (change: Partial<typeof values>) => problemsOf({ ...values, ...change }).map(({ field }) => field)
  it('are none for unchanged rules, which have nothing to save', () => {
    expect(wrong({})).toEqual([])
    expect(nothingChanged(RULES, values)).toBe('Nothing has been changed.')
    expect(nothingChanged(RULES, { ...values, span: 168, unit: 'hours' })).toBe('Nothing has been changed.')
    expect(nothingChanged(RULES, { ...values, span: 8 })).toBe('')
    expect(nothingChanged(RULES, { ...values, span: '' })).toBe('')
  })
  it('appear beside their fields', () => {
    expect(wrong({ cap_messages: '', day1: '17:00–09:00', holdout_percent: 51 })).toEqual([
      'cap_messages',
      'day1',
      'holdout_percent',
    ])
    // An empty share is not 0%.
    expect(wrong({ holdout_percent: '' })).toEqual(['holdout_percent'])
    expect(wrong({ day0: '–20:00' })).toEqual(['day0'])
    expect(wrong({ day0: '09:00–25:00' })).toEqual(['day0'])
  })
  it('count days and hours towards the right limit', () => {
    expect(wrong({ span: 32 })).toEqual(['span'])
    expect(wrong({ span: 32, unit: 'hours' })).toEqual([])
  })
})

it('says what saving changes, and nothing if nothing does', () => {
  expect(changesText(RULES, RULES)).toEqual([])
  const after: SendingRules = { ...RULES, cap_messages: 1, cap_hours: 36, holdout_percent: 10, holidays_quiet: false }
  expect(changesText(RULES, after)).toEqual([
    'At most 1 message to one person in 36 hours; it was 2 messages to one person in 7 days.',
    'Messages are also sent on public holidays.',
    '10% of each new cohort is kept back to measure against.',
  ])
  expect(changesText(RULES, { ...RULES, approval: true })).toEqual([
    'Campaigns are sent only once a second person has approved them. Only support can switch this off again.',
  ])
  expect(changesText({ ...RULES, approval: true }, RULES)).toEqual([
    'Campaigns are sent without approval by a second person.',
  ])
  expect(changesText(RULES, { ...RULES, week: [null, ...RULES.week.slice(1)] as SendingRules['week'] })).toEqual([
    'Sending hours change on Monday.',
  ])
  const queued = 'Frequency limit and sending hours also apply to messages that are queued but not yet sent.'
  expect(queuedWords(RULES, after)).toBe(queued)
  expect(queuedWords(RULES, { ...RULES, holidays_quiet: false })).toBe(queued)
  expect(queuedWords(RULES, { ...RULES, holdout_percent: 10 })).toBe('')
  // A change of approval does not affect queued messages.
  expect(queuedWords(RULES, { ...RULES, approval: true })).toBe('Messages already queued go out without an approval.')
  const approved = { ...RULES, approval: true }
  expect(queuedWords(approved, { ...approved, holdout_percent: 10 })).toBe('')
  expect(queuedWords(RULES, { ...after, approval: true })).toBe(
    `${queued} Messages already queued go out without an approval.`,
  )
  expect(capText({ cap_messages: 1, cap_hours: 24 })).toBe('1 message to one person in 1 day')
})
