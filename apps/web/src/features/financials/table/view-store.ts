import { useSyncExternalStore } from 'react'

/** Which rows are in view, counted from 1. Kept beside React's state: it changes with every scroll, and only the foot shows it. */
export interface View {
  readonly first: number
  readonly last: number
}

export interface ViewStore {
  readonly set: (first: number, last: number) => void
  readonly get: () => View
  readonly subscribe: (listener: () => void) => () => void
}

export function viewStore(): ViewStore {
  let view: View = { first: 0, last: 0 }
  const listeners = new Set<() => void>()
  return {
    set(first, last) {
      if (view.first === first && view.last === last) return
      view = { first, last }
      for (const listener of listeners) listener()
    },
    get: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useView(store: ViewStore): View {
  return useSyncExternalStore(store.subscribe, store.get)
}
