import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type DialogName, type DialogSearch, dialogSearch } from '../../frame/dialog-address.ts'
import { type CampaignsSearch } from './search.ts'

/** Changes what an open dialog shows (search, status, what is picked) in the address bar, without a step for Back. */
export function useDialogFilters(name: DialogName, search: DialogSearch) {
  const navigate = useNavigate()
  return useCallback(
    (change: Omit<DialogSearch, 'dialog'>) => {
      const { dialog: _, ...now } = search
      const make = (current: object) => dialogSearch(current as CampaignsSearch, name, { ...now, ...change })
      void navigate({ to: '.', search: make as never, replace: true, resetScroll: false })
    },
    [navigate, name, search],
  )
}
