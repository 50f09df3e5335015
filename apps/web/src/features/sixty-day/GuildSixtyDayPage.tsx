import { guildSixtyDay } from '@pillar/contract/sixty-day/guild-sixty-day'
import { send } from '../../api/client.ts'
import { IfNotRefreshed } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { AsAt } from './AsAt.tsx'
import { ExportButton } from './ExportButton.tsx'
import { Figures } from './Figures.tsx'
import { FilterBar } from './filter/FilterBar.tsx'
import { filtersOf, type SixtyDaySearch } from './search.ts'
import { useGuildSixtyDay } from './useSixtyDay.ts'

const TITLE = 'Guild Sixty Day Dispensing'

/** What an uptake of 60-day scripts would cost the pharmacies of Australia, by state or postcode; never one pharmacy. */
export function GuildSixtyDayPage() {
  const { state, change, reset } = useListState<SixtyDaySearch>()
  const filters = filtersOf(state)
  const { info, published, stats, table, input } = useGuildSixtyDay(filters)
  if (info.isError && !info.data) {
    return (
      <Page title={TITLE}>
        <Failed title="Could not load the states" error={info.error} onRetry={() => void info.refetch()} />
      </Page>
    )
  }
  const ready = published.length > 0
  const refresh = () => void Promise.all([info.refetch(), stats.refetch(), table.refetch()])
  return (
    <Page
      title={TITLE}
      asAt={<AsAt stats={ready ? stats.data : undefined} />}
      actions={
        <ExportButton
          ready={ready && table.data !== undefined}
          ask={() => send(guildSixtyDay.categoriesExport, input)}
        />
      }
    >
      <FilterBar {...{ filters, change, refresh }} onReset={() => reset()} places={{ kind: 'guild', published }} />
      <IfNotRefreshed read={info} what="the states" />
      {!info.data ? (
        <Loading rows={10} />
      ) : !ready ? (
        <NothingYet title="Nothing has been published yet">
          Figures of the last 12 complete months appear eight days after a month ends, for states where at least three
          pharmacies take part and none makes up more than half. They are renewed once a year.
        </NothingYet>
      ) : (
        <Figures {...{ filters, stats, table, change }} kind="guild" />
      )}
    </Page>
  )
}
