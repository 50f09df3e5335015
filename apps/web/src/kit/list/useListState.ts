import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * What the URL says after a change: set fields replace, emptied ones (undefined, null, '', []) disappear, and any
 * change but one of the page itself goes back to the first page.
 */
export function nextSearch(current: Readonly<object>, change: Readonly<object>): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...current, ...change }
  if (!('page' in change)) delete merged.page
  for (const [field, value] of Object.entries(merged)) {
    const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (empty || (field === 'page' && value === 1)) delete merged[field]
  }
  return merged
}

interface ListState<S extends object> {
  state: S
  /** Changes some fields and keeps the rest. `replace` leaves no step for Back, for typing. */
  change: (change: Partial<S>, how?: 'push' | 'replace') => void
  /** Takes every field off except those named. */
  reset: (keep?: readonly (keyof S & string)[]) => void
}

/**
 * Page, sort, search and filters of the current route, kept in its search parameters. S is the output of the route's
 * search schema, which has already checked them.
 */
export function useListState<S extends object>(): ListState<S> {
  const search: unknown = useSearch({ strict: false })
  const state = search as S
  const navigate = useNavigate()
  const go = useCallback(
    (make: (current: object) => object, replace: boolean) => {
      // The route is whichever one is open, so its search type is only known to the caller (S).
      void navigate({ to: '.', search: ((current: object) => make(current)) as never, replace })
    },
    [navigate],
  )
  const change = useCallback(
    (partial: Partial<S>, how: 'push' | 'replace' = 'push') =>
      go((current) => nextSearch(current, partial), how === 'replace'),
    [go],
  )
  const reset = useCallback(
    (keep: readonly (keyof S & string)[] = []) =>
      go(
        (current) =>
          Object.fromEntries(Object.entries(current).filter(([field]) => (keep as readonly string[]).includes(field))),
        false,
      ),
    [go],
  )
  return { state, change, reset }
}
