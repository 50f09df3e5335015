import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * The search parameters after a change: set fields replace, emptied ones (undefined, null, '', []) disappear, and any change except of the page
 * itself returns to the first page.
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
  /** Changes some fields and keeps the rest. `replace`, used while typing, leaves no entry for Back. */
  change: (change: Partial<S>, how?: 'push' | 'replace') => void
  /** Removes every field except those named. */
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
      // Any route may be open, so only the caller knows its search type (S).
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
