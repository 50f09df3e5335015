import { ActionIcon } from '@mantine/core'
import { attribution } from '@pillar/contract/message/attribution'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { Download } from 'lucide-react'
import { type ReadOf, send } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading, NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { Pager } from '../../kit/list/Pager.tsx'
import { useLastPage } from '../../kit/list/page/useLastPage.ts'
import { SearchField } from '../../kit/list/SearchField.tsx'
import styles from './MessageTable.module.css'
import { MessageTable } from './MessageTable.tsx'
import { sortSearch, type TableFilters, type TableSearch } from './message-sort.ts'
import type { StatsReply } from './message-words.ts'

interface SectionProps {
  filters: TableFilters
  /** Null means every pharmacy. */
  ids: string[] | null
  stats: ReadOf<StatsReply>
  /** What the rows wait for: the stats, or the names that identify the pharmacies. */
  figures: Pick<ReadOf<unknown>, 'isError' | 'error' | 'refetch'>
  country: Country
  change: (change: TableSearch, how?: 'push' | 'replace') => void
}

/** My pharmacies: search, file, table and pages. */
export function MessageTableSection({ filters, ids, stats: query, figures, country, change }: SectionProps) {
  const stats = query.data
  return (
    <section className={styles.section} aria-labelledby="pharmacies">
      <header className={styles.head}>
        <h2 id="pharmacies">My pharmacies</h2>
        {stats ? (
          <span className={styles.count} aria-live="polite">
            {filters.find ? `${formatNumber(country, stats.total)} of ` : ''}
            {formatNumber(country, stats.total_pharmacies)}
          </span>
        ) : null}
        <div className={styles.tools}>
          <SearchField
            label="Find a pharmacy"
            className={styles.find}
            value={filters.find}
            onChange={(find) => change({ find }, 'replace')}
          />
          <ExportButton filters={filters} ids={ids} ready={!!stats && stats.total > 0} />
        </div>
      </header>
      {figures.isError && !stats ? (
        <Failed title="Could not load the pharmacies" error={figures.error} onRetry={() => void figures.refetch()} />
      ) : (
        <Body filters={filters} stats={query} country={country} change={change} />
      )}
    </section>
  )
}

function Body({ filters, stats: query, country, change }: Omit<SectionProps, 'ids' | 'figures'>) {
  const stats = query.data
  const gone = useLastPage(stats, change)
  if (!stats || gone) return <Loading rows={10} />
  if (stats.total_pharmacies === 0) {
    return <NothingYet title="No pharmacies yet">Support adds them.</NothingYet>
  }
  if (stats.total === 0) {
    return (
      <NothingMatches title={`No records found for “${filters.find}”`} onClear={() => change({ find: undefined })} />
    )
  }
  return (
    <>
      <MessageTable
        stats={stats}
        choice={filters.choice}
        country={country}
        sort={filters.sort}
        onSort={(field) => change(sortSearch(filters.sort, field))}
        stale={query.isPlaceholderData}
      />
      <Pager
        country={country}
        page={stats.current_page}
        pages={stats.page_count}
        perPage={stats.per_page}
        total={stats.total}
        onPage={(page) => change({ page })}
      />
    </>
  )
}

/** The file contains what is on screen, over all pages: the same period, pharmacies, search and order. */
function ExportButton({ filters, ids, ready }: Pick<SectionProps, 'filters' | 'ids'> & { ready: boolean }) {
  const { busy, save } = useFile(() =>
    send(attribution.statsCsv, {
      ...filters.choice,
      pharmacy_ids: ids,
      search_term: filters.find,
      sort_field: filters.sort.field,
      sort_order: filters.sort.order,
    }),
  )
  return (
    <ActionIcon
      variant="default"
      aria-label="Export CSV"
      title={ready ? 'Export CSV' : 'There is nothing to export yet'}
      disabled={!ready}
      loading={busy}
      onClick={save}
    >
      <Icon of={Download} size={15} />
    </ActionIcon>
  )
}
