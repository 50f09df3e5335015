import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SettingsSearch } from '../settings/settings-search.ts'

type Place = Pick<SettingsSearch, 'account' | 'step'>
export type AccountStep = NonNullable<Place['step']>

/** Where the Create Account wizard stands, in the address bar: its company, and the step that is open. */
export function useAccount() {
  const { account, step } = useSearch({ strict: false }) as SettingsSearch
  const navigate = useNavigate()
  const go = useCallback(
    (place: Place, how: 'push' | 'replace' = 'push') => {
      // The route is whichever one is open, so its search type is only known to the caller.
      const search = ((current: object) => ({ ...current, ...place })) as never
      void navigate({ to: '.', search, replace: how === 'replace', resetScroll: false })
    },
    [navigate],
  )
  return { account, step, go }
}
