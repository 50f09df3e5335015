import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { scrollEdges } from '../../kit/display/scroll-edges.ts'
import { NothingYet } from '../../kit/display/states.tsx'
import { Cards } from './Cards.tsx'
import { type Explained, ExplainNumber } from './ExplainNumber.tsx'
import { Pictures } from './Pictures.tsx'
import styles from './SixtyDay.module.css'
import { SixtyDayTableSection } from './SixtyDayTableSection.tsx'
import type { SixtyDayFilters, SixtyDaySearch } from './search.ts'
import { UptakeNote } from './UptakeNote.tsx'
import { money, type SixtyDayStats, type SixtyDayTable } from './words.ts'

interface FiguresProps {
  kind: 'company' | 'guild'
  filters: SixtyDayFilters
  stats: UseQueryResult<SixtyDayStats, Error>
  table: UseQueryResult<SixtyDayTable, Error>
  change: (change: Partial<SixtyDaySearch>, how?: 'push' | 'replace') => void
}

/** Headlines, their assumptions, the loss by place and by medicine, and the table. */
export function Figures({ kind, filters, stats, table, change }: FiguresProps) {
  const [explained, setExplained] = useState<Explained | null>(null)
  // Sums of nothing are 0, and would read as if nothing would be lost.
  if (stats.data && stats.data.basis.from === null) return <NoFigures uploaded={stats.data.basis.data_to !== null} />
  return (
    <div ref={scrollEdges} className={styles.scroll}>
      <Loaded read={stats} what="the headline figures" rows={4}>
        {(figures) => (
          <div className={stats.isPlaceholderData ? styles.dimmed : undefined} aria-busy={stats.isFetching}>
            {/* Whoever cannot see the figures change hears the result. */}
            <p className="sr" role="status">
              {stats.isPlaceholderData
                ? ''
                : `Revenue lost ${money(figures.revenue_lost)} at ${filters.uptake}% uptake`}
            </p>
            <Cards stats={figures} filters={filters} onExplain={setExplained} />
            <UptakeNote {...{ kind, filters, change }} stats={figures} />
            <Pictures {...{ kind, filters }} stats={figures} />
          </div>
        )}
      </Loaded>
      <SixtyDayTableSection {...{ kind, filters, table, change }} onExplain={setExplained} />
      <ExplainNumber
        explained={explained}
        stats={stats.data}
        uptake={filters.uptake}
        net={filters.net}
        onClose={() => setExplained(null)}
      />
    </div>
  )
}

function NoFigures({ uploaded }: { uploaded: boolean }) {
  if (!uploaded) {
    return (
      <NothingYet title="Nothing has been uploaded yet">
        Figures of the last 12 complete months appear here after the first upload. Support helps each pharmacy to set it
        up.
      </NothingYet>
    )
  }
  return (
    <NothingYet title="No figures yet">
      They cover the last 12 complete months, and appear here once data from these months has been uploaded and counted.
    </NothingYet>
  )
}
