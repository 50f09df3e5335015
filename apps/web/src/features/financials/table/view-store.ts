import { useSyncExternalStore } from 'react'
import { signal } from '../../../shared/signal.ts'

/** Which rows are in view, counted from 1. Kept outside React's state: it changes with every scroll, and only the foot shows it. */
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
  const { subscribe, announce } = signal()
  return {
    set(first, last) {
      if (view.first === first && view.last === last) return
      view = { first, last }
      announce()
    },
    get: () => view,
    subscribe,
  }
}

export function useView(store: ViewStore): View {
  return useSyncExternalStore(store.subscribe, store.get)
}
