import { describe, expect, it } from 'vitest'
import { daysFor, followUpActWords, pharmacySequenceProblem, recommendedSequenceProblem } from './sequence-draft.ts'

const good = {
  title: 'Starting a new medicine',
  sequence_event_id: 'e',
  follow_ups: [
    { template_id: 'a', days_after: 3 },
    { template_id: 'b', days_after: 3 },
  ],
}

describe('a recommended sequence', () => {
  it('names everything that is missing in one sentence', () => {
    expect(recommendedSequenceProblem(good)).toBe('')
    expect(recommendedSequenceProblem({ title: ' ', sequence_event_id: '', follow_ups: [] })).toBe(
      'Please enter a title, select a sequence event, and add at least one follow-up.',
    )
    const wrong = [
      { template_id: 'a', days_after: 5 },
      { template_id: '', days_after: 4 },
    ]
    expect(recommendedSequenceProblem({ ...good, follow_ups: wrong })).toBe(
      'Please let no follow-up come before the one above it and select a template for each follow-up.',
    )
    const half = [{ template_id: 'a', days_after: 1.5 }]
    expect(recommendedSequenceProblem({ ...good, follow_ups: half })).toBe('Please enter whole days after the event.')
  })
})

describe('a pharmacy’s sequence', () => {
  it('ends on or after the day it starts, and has no negative budget', () => {
    const draft = { ...good, start_date: '2026-11-02', end_date: '2026-11-02', budget: 0 }
    expect(pharmacySequenceProblem(draft)).toBe('')
    expect(pharmacySequenceProblem({ ...draft, end_date: '2026-11-01', budget: -1 })).toBe(
      'Please enter an end date on or after the start date and enter an amount of money as the budget, or none.',
    )
    expect(pharmacySequenceProblem({ ...draft, start_date: null, end_date: '2026-11-01', budget: null })).toBe('')
    expect(pharmacySequenceProblem({ ...draft, budget: Number.NaN })).not.toBe('')
    expect(pharmacySequenceProblem({ ...draft, budget: 1_000_000 })).toBe('')
    expect(pharmacySequenceProblem({ ...draft, budget: 1_000_000.01 })).not.toBe('')
  })
})

describe('days of follow-ups that are given only as templates', () => {
  it('are kept if known and never decrease', () => {
    expect(daysFor(['a', 'b', 'c'], new Map())).toEqual([0, 7, 14])
    const known = new Map([
      ['a', 3],
      ['b', 23],
    ])
    expect(daysFor(['a', 'b', 'c'], known)).toEqual([3, 23, 30])
    expect(daysFor(['b', 'a'], known)).toEqual([23, 23])
  })
})

describe('what is read out of a change of the follow-ups', () => {
  it('names the follow-up and differs from the one before it, or it would not be read again', () => {
    const words = (act: 'added' | 'moved' | 'removed', position: number, days: number, count: number) =>
      followUpActWords(act, { position, days, count })
    expect(words('added', 3, 14, 3)).toBe('Follow-up 3 added, day 14')
    expect(words('added', 1, Number.NaN, 1)).toBe('Follow-up 1 added')
    expect(words('moved', 1, 0, 3)).toBe('Moved up: it is follow-up 1 now, day 0')
    expect(words('removed', 1, 0, 1)).toBe('Follow-up 1 removed, 1 left')
    expect(words('removed', 1, 0, 0)).toBe('Follow-up 1 removed, none left')
  })
})
