import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SettingsSearch } from '../settings/settings-search.ts'

type Place = Pick<SettingsSearch, 'account' | 'step'>
export type AccountStep = NonNullable<Place['step']>

/** The state of the Create Account wizard in the address bar: its company and the open step. */
export function useAccount() {
  const { account, step } = useSearch({ strict: false }) as SettingsSearch
  const navigate = useNavigate()
  const go = useCallback(
    (place: Place, how: 'push' | 'replace' = 'push') => {
      // Any route may be open, so only the caller knows its search type.
      const search = ((current: object) => ({ ...current, ...place })) as never
      void navigate({ to: '.', search, replace: how === 'replace', resetScroll: false })
    },
    [navigate],
  )
  return { account, step, go }
}
