import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { scrollEdges } from '../../kit/display/scroll-edges.ts'
import { Cards } from './Cards.tsx'
import { type Explained, ExplainNumber } from './ExplainNumber.tsx'
import { Pictures } from './Pictures.tsx'
import styles from './SixtyDay.module.css'
import { SixtyDayTableSection } from './SixtyDayTableSection.tsx'
import type { SixtyDayFilters, SixtyDaySearch } from './search.ts'
import { UptakeNote } from './UptakeNote.tsx'
import type { SixtyDayStats, SixtyDayTable } from './words.ts'

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
  return (
    <div ref={scrollEdges} className={styles.scroll}>
      <Loaded read={stats} what="the headline figures" rows={4}>
        {(figures) => (
          <div className={stats.isPlaceholderData ? styles.dimmed : undefined} aria-busy={stats.isFetching}>
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
