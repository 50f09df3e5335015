import type { Problem } from '../text/sentence.ts'
import type { Day } from '../time/day.ts'

/**
 * What is wrong with the days of a message history, both included. A missing day is null; `latest` is the last day it may begin. At most one
 * problem: the first in the order of the form.
 */
export function historyDaysProblems(from: Day | null, to: Day | null, latest: Day): Problem<'from' | 'to'>[] {
  if (from === null) return [{ field: 'from', words: 'choose a start date' }]
  if (to === null) return [{ field: 'to', words: 'choose an end date' }]
  if (from > to) return [{ field: 'from', words: 'choose a start that is not after the end' }]
  return from > latest ? [{ field: 'from', words: 'choose a start that is not in the future' }] : []
}
