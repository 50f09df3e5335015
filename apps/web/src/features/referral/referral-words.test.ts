import { expect, test } from 'vitest'
import { RefusedError } from '../../shared/refused.ts'
import { notSavedWords } from './referral-words.ts'

test('a refused switch was put back; one without an answer may have been saved', () => {
  const refused = new RefusedError(409, 'Somebody else has changed this referral meanwhile.')
  expect(notSavedWords('Enrolled of Ann Hill', refused)).toBe(
    'Enrolled of Ann Hill was put back. Somebody else has changed this referral meanwhile.',
  )
  const unanswered = notSavedWords('Enrolled of Ann Hill', new RefusedError(0, 'No answer.'))
  expect(unanswered).toContain('It is not known whether Enrolled of Ann Hill was saved')
  expect(unanswered).not.toContain('put back')
})
