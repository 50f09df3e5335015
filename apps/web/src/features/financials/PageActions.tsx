import { Button } from '@mantine/core'
import type { AskOf } from '@pillar/contract'
import { financials, type Pharmacy } from '@pillar/contract/financials'
import type { Country } from '@pillar/domain/time/locale'
import { useNavigate } from '@tanstack/react-router'
import { Sheet, Target } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { sendForFile } from '../../api/file.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { ReportMenu } from '../financial-report/ReportMenu.tsx'
import { ReportReady } from '../financial-report/ReportReady.tsx'
import { SavedViews } from '../saved-view/SavedViews.tsx'
import { keptState, type ViewState } from '../saved-view/view-state.ts'
import type { Filters, FinancialsSearch } from './search.ts'

const TargetsDialog = lazy(async () => ({ default: (await import('../target/TargetsDialog.tsx')).TargetsDialog }))

interface PageActionsProps {
  state: FinancialsSearch
  filters: Filters
  pharmacies: readonly Pharmacy[]
  chosen: readonly Pharmacy[]
  country: Country
  /** What the table on screen is exported with; null while there is none. */
  exported: AskOf<typeof financials.tableXlsx> | null
}

/** Views, targets, report and the Excel file of Financials, left of its CSV file. */
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
      <ReportMenu choice={filters.choice} pharmacy={others.length === 0 ? reportOf(one) : null} />
      <ExcelButton exported={exported} />
      {state.report === undefined || (state.report !== 'company' && !linked) ? null : (
        <ReportReady
          choice={filters.choice}
          pharmacy={linked}
          country={country}
          close={() => onOpen(keptState({ ...state, report: undefined }), 'replace')}
        />
      )}
      {targets ? (
        <Suspense fallback={null}>
          <TargetsDialog choice={filters.choice} {...{ pharmacies, country }} close={() => setTargets(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** A pharmacy as its report names it. */
const reportOf = (pharmacy: Pharmacy | undefined) =>
  pharmacy ? { id: pharmacy.pharmacy_id, name: pharmacy.pharmacy_name } : null

function ExcelButton({ exported }: Pick<PageActionsProps, 'exported'>) {
  const { busy, save } = useFile(() => sendForFile(financials.tableXlsx, exported!))
  return (
    <Button
      leftSection={<Icon of={Sheet} />}
      loading={busy}
      disabled={exported === null}
      title={exported === null ? 'There is nothing to export yet' : undefined}
      onClick={save}
    >
      Export Excel
    </Button>
  )
}
