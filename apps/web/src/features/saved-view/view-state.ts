import type { SavedView } from '@pillar/contract/saved-view'

export type ViewState = SavedView['state']

/** The part of an address that is saved: everything that is set. */
export function keptState(search: Readonly<Record<string, unknown>>): ViewState {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as ViewState
}

/** Whether two addresses show the same, whatever the order of their parts. */
export function sameState(a: ViewState, b: ViewState): boolean {
  const text = (state: ViewState) => JSON.stringify(Object.entries(state).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}
