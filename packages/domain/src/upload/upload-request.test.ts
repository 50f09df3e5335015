import { expect, test } from 'vitest'
import { problemSentence } from '../text/sentence.ts'
import { isRemovable, overrideReasonProblems, removalProblem, requestProblems } from './upload-request.ts'
import { UPLOAD_STATES } from './upload-state.ts'

test('an upload can be removed while it waits to be loaded, in any letter case', () => {
  expect(UPLOAD_STATES.filter(isRemovable)).toEqual(['RECEIVED', 'OVERRIDE'])
  expect(['received', 'Override', 'processing'].map(isRemovable)).toEqual([true, true, false])
  expect(UPLOAD_STATES.filter((state) => removalProblem(state) === null)).toEqual(['RECEIVED', 'OVERRIDE'])
  expect(removalProblem('PROCESSING')).toContain('being loaded')
  expect(removalProblem('COMPLETED')).toBe('This upload was loaded already, so it cannot be removed.')
  expect(removalProblem('ERROR')).toBe('Only an upload that waits to be loaded can be removed.')
})

test('a request names its data source, and its times are in order', () => {
  const [early, late] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z']
  const wrong = (draft: object) => problemSentence(requestProblems({ data_source: 'z', from: '', to: '', ...draft }))
  expect(wrong({})).toBe('')
  expect(wrong({ from: early, to: late })).toBe('')
  expect(wrong({ from: late })).toBe('')
  expect(wrong({ data_source: '', from: early, to: early })).toBe(
    'Please select a data source and enter a To time that is after the From time.',
  )
})

test('forcing an upload needs a reason', () => {
  for (const reason of [' ', '...', '\u200b\u200b\u200b'])
    expect(problemSentence(overrideReasonProblems({ reason }))).toBe('Please enter a reason.')
  expect(overrideReasonProblems({ reason: 'Ticket 81' })).toEqual([])
})
