import type { Problem } from '../text/sentence.ts'

/** The longest name of a saved view. */
export const VIEW_NAME_LENGTH = 100
/** The most views one person can save. */
export const MOST_VIEWS = 50

/** What is wrong with the name of a saved view, as part of a sentence. */
export function viewProblems(name: string): Problem<'name'>[] {
  if (name.trim() === '') return [{ field: 'name', words: 'enter a name' }]
  return name.trim().length > VIEW_NAME_LENGTH ? [{ field: 'name', words: 'enter a shorter name' }] : []
}

/**
 * Whether a person may change or remove a view: its maker, and for a shared one any colleague once its maker can no longer sign in.
 */
export function mayChangeView(view: {
  readonly mine: boolean
  readonly shared: boolean
  readonly makerGone: boolean
}): boolean {
  return view.mine || (view.shared && view.makerGone)
}
