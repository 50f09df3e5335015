import { financials } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { useEffect, useMemo, useState } from 'react'
import { useRead } from '../../api/client.ts'
import { useProductName } from '../../frame/title.ts'
import { IfNotRefreshed, Loaded } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { Failed, Loading, NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { TargetStrip } from '../target/TargetStrip.tsx'
import { type Targets, useTargets, whoseTargets } from '../target/useTargets.ts'
import { AsAt } from './AsAt.tsx'
import { ExplainDrawer } from './explain/ExplainDrawer.tsx'
import { type ExplainTarget, headlineTarget } from './explain/explain-target.ts'
import styles from './Financials.module.css'
import type { Explainable } from './figures.ts'
import { FilterBar } from './filter/FilterBar.tsx'
import { gone, nothingYet, pharmacySearch, selected } from './filter/pharmacies.ts'
import { CARDED, Headlines } from './Headlines.tsx'
import { PageActions } from './PageActions.tsx'
import { type FinancialsSearch, filtersOf, periodSearch } from './search.ts'
import { TableSection } from './table/TableSection.tsx'
import { shownFields, sortOf, type TableReply } from './table/table-model.ts'
import { type Taste, useTaste } from './table/taste.ts'

/** The network's figures: headlines, pharmacies by category, best and worst, and what a change would be worth. */
export function FinancialsPage() {
  const { state, change, reset } = useListState<FinancialsSearch>()
  const country = useCountry()
  const product = useProductName()
  const [target, setTarget] = useState<ExplainTarget | null>(null)
  const { today, filters, info, pharmacies, chosen, ids, stats, table } = useFigures(state, country)
  const [{ order }] = useTaste()
  const ready = ids.length > 0
  const { targets, failed } = useTargets(filters.choice, ready ? whoseTargets(ids, pharmacies.length) : undefined)

  const shownStats = ready ? stats.data : undefined
  const until = shownStats?.data_to ? parseDay(shownStats.data_to) : null
  const { period } = periodSearch(filters.choice, country, today)
  const leaveOut = (late: readonly string[]) => {
    const rest = ids.filter((id) => !late.includes(id))
    change(pharmacySearch(selected(pharmacies, { ...filters, chosen: null, without: [] }), rest))
  }
  return (
    <Page
      title="Financials"
      asAt={
        <AsAt
          stats={shownStats}
          gone={gone(pharmacies, filters)}
          {...{ chosen, country, period }}
          onLeaveOut={leaveOut}
        />
      }
      actions={
        <PageActions
          {...{ state, filters, pharmacies, chosen, country }}
          exported={exportInput(filters, order, ready ? table.data : undefined, ids)}
        />
      }
    >
      <FilterBar
        {...{ filters, pharmacies, chosen, country, today, until, change }}
        categories={info.data?.categories.map(({ name }) => name) ?? []}
        onReset={() => reset(['view'])}
      />
      <IfNotRefreshed read={info} what="the pharmacies" />
      {info.isError && !info.data ? (
        <Failed title="Could not load the pharmacies" error={info.error} onRetry={() => void info.refetch()} />
      ) : !info.data ? (
        <Loading rows={10} />
      ) : pharmacies.length === 0 ? (
        <NothingYet title="No pharmacies yet">
          Support adds your pharmacies. Figures appear here once they have uploaded their data.
        </NothingYet>
      ) : !ready ? (
        <NothingMatches title="No pharmacy matches these filters" onClear={() => reset(['view'])} />
      ) : nothingYet(chosen) ? (
        <NothingYet title="Nothing has been uploaded yet">
          Figures appear here after the first upload. Support helps each pharmacy to set it up.
        </NothingYet>
      ) : (
        <>
          <StatsStrip
            {...{ stats, targets, country }}
            onExplain={(numbers, first) => setTarget(headlineTarget(numbers, ids, first))}
          />
          <TargetStrip {...{ targets, failed, country }} carded={CARDED} />
          <TableSection
            {...{ filters, ids, country, product, today, until, change }}
            query={table}
            onExplain={setTarget}
          />
        </>
      )}
      <ExplainDrawer
        target={target}
        where={{ country, today, choice: filters.choice, product }}
        pharmacies={pharmacies}
        onClose={() => setTarget(null)}
      />
    </Page>
  )
}

const NONE: never[] = []

/** What the page reads: the pharmacies, those the filters leave, and their figures. The server's day is used once it is known. */
function useFigures(state: FinancialsSearch, country: Country) {
  const [serverToday, setServerToday] = useState<number | null>(null)
  const today = serverToday ?? todayOf(country)
  const filters = useMemo(() => filtersOf(state, country, today), [state, country, today])
  const { choice, category } = filters
  const info = useRead(financials.initInfo, { ...choice }, { keepPrevious: true })
  const day = info.data ? parseDay(info.data.today) : null
  useEffect(() => setServerToday(day), [day])
  const pharmacies = info.data?.pharmacies ?? NONE
  const chosen = useMemo(() => selected(pharmacies, filters), [pharmacies, filters])
  const ids = useMemo(() => chosen.map(({ pharmacy_id }) => pharmacy_id), [chosen])
  const ready = ids.length > 0
  // Figures of other dates or another group are never shown under the new ones.
  const alike = (before: Partial<typeof choice>) =>
    before.year === choice.year && before.quarter === choice.quarter && before.month === choice.month
  const stats = useRead(financials.stats, { pharmacy_ids: ids, ...choice }, { enabled: ready, keepPrevious: alike })
  const table = useRead(
    financials.table,
    { category, pharmacies: ids, changes: true, ...choice },
    { enabled: ready, keepPrevious: (before) => before.category === category && alike(before) },
  )
  return { today, filters, info, pharmacies, chosen, ids, stats, table }
}

interface StatsStripProps {
  stats: ReturnType<typeof useFigures>['stats']
  targets: Targets
  country: Country
  onExplain: (numbers: readonly Explainable[], first: 'trend' | 'number') => void
}

/** The headline figures; the previous ones stay, greyed out, while new ones load. */
function StatsStrip({ stats, targets, country, onExplain }: StatsStripProps) {
  if (stats.isPending) {
    return (
      <div className={styles.stripWaiting}>
        <Loading rows={1} words="" />
      </div>
    )
  }
  return (
    <Loaded read={stats} what="the headline figures">
      {(figures) => (
        <div className={stats.isPlaceholderData ? styles.dimmed : undefined} aria-busy={stats.isFetching}>
          <Headlines stats={figures} {...{ targets, country, onExplain }} />
        </div>
      )}
    </Loaded>
  )
}

/** The screen as the input of a file: the same pharmacies, group, statistic, order and columns; null while it is empty. */
function exportInput(
  filters: ReturnType<typeof filtersOf>,
  order: Taste['order'],
  reply: TableReply | undefined,
  ids: string[],
) {
  if (!reply?.columns.length) return null
  const fields = shownFields(reply, filters, order)
  const sort = sortOf(filters, fields)
  return {
    category: filters.category,
    pharmacies: ids,
    statistic: filters.statistic,
    sort_field: sort.field,
    sort_order: sort.order,
    columns: fields,
    ...filters.choice,
  }
}
