import { describe, expect, it } from 'vitest'
import { problemSentence } from '../text/sentence.ts'
import type { DayHours } from '../time/quiet-hours.ts'
import { type SendingRulesDraft, sendingRulesProblems } from './sending-rules.ts'

const OPEN: DayHours = [540, 1200]
const RULES: SendingRulesDraft = {
  cap_messages: 2,
  cap_hours: 168,
  week: [OPEN, OPEN, OPEN, OPEN, [0, 1440], OPEN, null],
  holdout_percent: 0,
}
const fields = (change: Partial<SendingRulesDraft>) =>
  sendingRulesProblems({ ...RULES, ...change }).map(({ field }) => field)
const withDay = (index: number, hours: DayHours) => ({
  week: RULES.week.map((day, at) => (at === index ? hours : day)),
})

describe('problems of sending rules', () => {
  it('do not exist for valid rules', () => {
    expect(sendingRulesProblems(RULES)).toEqual([])
    expect(fields({ cap_messages: 1, cap_hours: 1, holdout_percent: 50 })).toEqual([])
    expect(fields({ cap_messages: 100, cap_hours: 744 })).toEqual([])
  })
  it('are exceeded limits and missing numbers', () => {
    expect(fields({ cap_messages: 0, cap_hours: 0, holdout_percent: -1 })).toEqual([
      'cap_messages',
      'cap_hours',
      'holdout_percent',
    ])
    expect(fields({ cap_messages: 101, cap_hours: 745, holdout_percent: 51 })).toHaveLength(3)
    expect(fields({ cap_messages: 1.5, cap_hours: Number.NaN })).toEqual(['cap_messages', 'cap_hours'])
  })
  it('are hours that end no later than they begin, or are missing', () => {
    expect(fields(withDay(1, [1020, 540]))).toEqual(['day1'])
    expect(fields(withDay(1, [540, 540]))).toEqual(['day1'])
    expect(fields(withDay(6, [Number.NaN, 540]))).toEqual(['day6'])
    expect(fields(withDay(6, [540, 1441]))).toEqual(['day6'])
  })
  it('are a week without sending', () => {
    const week = RULES.week.map(() => null)
    expect(problemSentence(sendingRulesProblems({ ...RULES, week }))).toBe(
      'Please leave at least one day of the week on which messages may be sent.',
    )
  })
  it('are reported field by field', () => {
    const draft = { ...RULES, cap_messages: 0, cap_hours: 745, ...withDay(0, [1020, 540]), holdout_percent: 51 }
    expect(problemSentence(sendingRulesProblems(draft))).toBe(
      'Please set the frequency limit to 1 to 100 messages, set the time of the frequency limit to 1 hour to 31 days, let the sending hours of Monday end after they begin, and keep back 0 to 50 percent.',
    )
  })
})
