import { Button } from '@mantine/core'
import { companySixtyDay } from '@pillar/contract/sixty-day/company-sixty-day'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { IfNotRefreshed } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { Failed, Loading, NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useSession } from '../../session/session.ts'
import { AsAt } from './AsAt.tsx'
import { EulaDialog } from './EulaDialog.tsx'
import { ExportButton } from './ExportButton.tsx'
import { Figures } from './Figures.tsx'
import { FilterBar } from './filter/FilterBar.tsx'
import { filtersOf, type SixtyDaySearch } from './search.ts'
import { useCompanySixtyDay } from './useSixtyDay.ts'

const TITLE = 'Sixty Day Dispensing'

/** What an uptake of 60-day scripts would cost the company's own pharmacies. Nothing is read before the agreement. */
export function SixtyDayPage() {
  const agreed = useSession().portal_eula
  const [reading, setReading] = useState(true)
  const { state, change, reset } = useListState<SixtyDaySearch>()
  const filters = filtersOf(state)
  const { info, all, chosen, stats, table, input } = useCompanySixtyDay(filters, agreed)
  const ready = chosen.length > 0
  if (!agreed) {
    return (
      <Page title={TITLE}>
        <NothingYet
          title="Please read the End User License Agreement"
          action={<Button onClick={() => setReading(true)}>Read the agreement</Button>}
        >
          The figures are shown once you have agreed to it.
        </NothingYet>
        <EulaDialog opened={reading} onClose={() => setReading(false)} />
      </Page>
    )
  }
  if (info.isError && !info.data) {
    return (
      <Page title={TITLE}>
        <Failed title="Could not load the pharmacies" error={info.error} onRetry={() => void info.refetch()} />
      </Page>
    )
  }
  const refresh = () => void Promise.all([info.refetch(), ...(ready ? [stats.refetch(), table.refetch()] : [])])
  return (
    <Page
      title={TITLE}
      asAt={<AsAt stats={ready ? stats.data : undefined} />}
      actions={
        <ExportButton
          ready={ready && table.data !== undefined}
          ask={() => send(companySixtyDay.categoriesExport, input)}
        />
      }
    >
      <FilterBar
        {...{ filters, change, refresh }}
        onReset={() => reset()}
        places={{ kind: 'company', pharmacies: all, chosen }}
      />
      <IfNotRefreshed read={info} what="the pharmacies" />
      {!info.data ? (
        <Loading rows={10} />
      ) : all.length === 0 ? (
        <NothingYet title="No pharmacies yet">
          Support adds your pharmacies. Figures appear here once they have uploaded their data.
        </NothingYet>
      ) : !ready ? (
        <NothingMatches title="No pharmacy matches these filters" onClear={() => reset()} />
      ) : (
        <Figures {...{ filters, stats, table, change }} kind="company" />
      )}
    </Page>
  )
}
