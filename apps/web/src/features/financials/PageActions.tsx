import { Button } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import type { Country } from '@pillar/domain/time/locale'
import { useNavigate } from '@tanstack/react-router'
import { Target } from 'lucide-react'
import { useCallback, useState } from 'react'
import { fetched } from '../../kit/dialog/fetched.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { ReportReady } from '../financial-report/ReportReady.tsx'
import { SavedViews } from '../saved-view/SavedViews.tsx'
import { keptState, type ViewState } from '../saved-view/view-state.ts'
import { DownloadMenu, type Exported } from './DownloadMenu.tsx'
import type { Filters, FinancialsSearch } from './search.ts'

const TargetsDialog = fetched(async () => (await import('../target/TargetsDialog.tsx')).TargetsDialog)

interface PageActionsProps {
  state: FinancialsSearch
  filters: Filters
  pharmacies: readonly Pharmacy[]
  chosen: readonly Pharmacy[]
  country: Country
  exported: Exported
}

/** Views, targets and the files of Financials. */
export function PageActions({ state, filters, pharmacies, chosen, country, exported }: PageActionsProps) {
  const [targets, setTargets] = useState(false)
  const navigate = useNavigate()
  const onOpen = useCallback(
    (view: ViewState, how: 'push' | 'replace') =>
      void navigate({ to: '.', search: (() => view) as never, replace: how === 'replace' }),
    [navigate],
  )
  const [one, ...others] = chosen
  const linked = reportOf(pharmacies.find(({ pharmacy_id }) => pharmacy_id === state.report))
  return (
    <>
      <SavedViews state={keptState({ ...state, report: undefined })} onOpen={onOpen} />
      <Button leftSection={<Icon of={Target} />} onClick={() => setTargets(true)}>
        Targets
      </Button>
      <DownloadMenu exported={exported} choice={filters.choice} pharmacy={others.length === 0 ? reportOf(one) : null} />
      {state.report === undefined || (state.report !== 'company' && !linked) ? null : (
        <ReportReady
          choice={filters.choice}
          pharmacy={linked}
          country={country}
          close={() => onOpen(keptState({ ...state, report: undefined }), 'replace')}
        />
      )}
      {targets ? (
        <TargetsDialog choice={filters.choice} {...{ pharmacies, country }} close={() => setTargets(false)} />
      ) : null}
    </>
  )
}

/** A pharmacy's name for its report. */
const reportOf = (pharmacy: Pharmacy | undefined) =>
  pharmacy ? { id: pharmacy.pharmacy_id, name: pharmacy.pharmacy_name } : null
