import { type Problem, problemSentence } from '../text/sentence.ts'
import { followUpWords } from './sequence.ts'

export const SEQUENCE_TITLE_LIMIT = 200
export const SEQUENCE_DESCRIPTION_LIMIT = 2_000
/** The most follow-ups in one sequence. */
export const MOST_FOLLOW_UPS = 20
/** A follow-up without a chosen day comes this many days after the one before it; the first comes on the day of the event. */
export const FOLLOW_UP_GAP_DAYS = 7

/** A follow-up as entered; its order is its position in the list. */
export interface FollowUpDraft {
  /** Uuid; empty when none is chosen. */
  readonly template_id: string
  readonly days_after: number
}

export interface RecommendedSequenceDraft {
  readonly title: string
  readonly sequence_event_id: string
  readonly follow_ups: readonly FollowUpDraft[]
}

export interface PharmacySequenceDraft extends RecommendedSequenceDraft {
  /** ISO; null for none. */
  readonly start_date: string | null
  readonly end_date: string | null
  /** Dollars; null for no limit. */
  readonly budget: number | null
}

type Found<T> = Problem<keyof T & string>[]

/** What is missing or wrong before a recommended sequence can be saved, field by field. */
export function recommendedSequenceProblems(draft: RecommendedSequenceDraft): Found<RecommendedSequenceDraft> {
  const problems: Found<RecommendedSequenceDraft> = []
  if (draft.title.trim() === '') problems.push({ field: 'title', words: 'enter a title' })
  if (draft.sequence_event_id === '') problems.push({ field: 'sequence_event_id', words: 'select a sequence event' })
  const placed = draft.follow_ups.map(({ days_after }, index) => ({ follow_up_order: index + 1, days_after }))
  for (const words of followUpWords(placed)) problems.push({ field: 'follow_ups', words })
  if (draft.follow_ups.some(({ template_id }) => template_id === ''))
    problems.push({ field: 'follow_ups', words: 'select a template for each follow-up' })
  return problems
}

/** The same as one sentence; empty when nothing is missing. */
export function recommendedSequenceProblem(draft: RecommendedSequenceDraft): string {
  return problemSentence(recommendedSequenceProblems(draft))
}

/** What is missing or wrong before a pharmacy's sequence can be saved, field by field. */
export function pharmacySequenceProblems(draft: PharmacySequenceDraft): Found<PharmacySequenceDraft> {
  const problems: Found<PharmacySequenceDraft> = [...recommendedSequenceProblems(draft)]
  const { start_date, end_date, budget } = draft
  if (start_date && end_date && end_date < start_date)
    problems.push({ field: 'end_date', words: 'enter an end date on or after the start date' })
  if (budget !== null && !(budget >= 0 && budget <= MOST_BUDGET))
    problems.push({ field: 'budget', words: 'enter an amount of money as the budget, or none' })
  return problems
}

/** The same as one sentence; empty when nothing is missing. */
export function pharmacySequenceProblem(draft: PharmacySequenceDraft): string {
  return problemSentence(pharmacySequenceProblems(draft))
}

const MOST_BUDGET = 1_000_000

/**
 * The days of follow-ups that are given only by their templates, in order: a template that had a day keeps it, any other comes 7 days after the
 * one before. Days never decrease.
 * @param known days by template
 */
export function daysFor(templates: readonly string[], known: ReadonlyMap<string, number>): number[] {
  const days: number[] = []
  for (const template of templates) {
    const last = days.at(-1)
    const next = last === undefined ? 0 : last + FOLLOW_UP_GAP_DAYS
    days.push(Math.max(known.get(template) ?? next, last ?? 0))
  }
  return days
}

/**
 * What was done to the follow-ups of a form, read out because it happens away from the focus.
 * @param position from 1, the follow-up's own: after adding or moving it, before removing it
 * @param days its days after the event; NaN until entered
 * @param count how many there are now
 */
export function followUpActWords(
  act: 'added' | 'moved' | 'removed',
  { position, days, count }: { position: number; days: number; count: number },
): string {
  if (act === 'removed') return `Follow-up ${position} removed, ${count === 0 ? 'none' : count} left`
  const at = Number.isNaN(days) ? '' : `, day ${days}`
  return act === 'added' ? `Follow-up ${position} added${at}` : `Moved up: it is follow-up ${position} now${at}`
}
