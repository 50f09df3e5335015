import { type Country, formatNumber } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { scrollEdges } from '../../kit/display/scroll-edges.ts'
import styles from './MessageTable.module.css'
import { Figure, MessageTableRow, Result } from './MessageTableRow.tsx'
import type { Sort, SortField } from './message-sort.ts'
import type { StatsReply } from './message-words.ts'
import { rowTexts } from './message-words.ts'

interface MessageTableProps {
  stats: StatsReply
  choice: PeriodChoice
  country: Country
  sort: Sort
  onSort: (field: SortField) => void
  /** Whether an older answer is shown while the new one loads. */
  stale: boolean
}

const COLUMNS: readonly { field: SortField; label: string }[] = [
  { field: 'name', label: 'Pharmacy' },
  { field: 'sms', label: 'SMS' },
  { field: 'email', label: 'Email' },
  { field: 'reach', label: 'Reach' },
  { field: 'cost', label: 'Cost' },
  { field: 'revenue', label: 'Revenue' },
  { field: 'revenue_change', label: 'Change' },
  { field: 'roi', label: 'ROI' },
]

/** Messages by pharmacy: TOTAL first, then a page of pharmacies, each of which opens to what was sent and what happened to it. */
export function MessageTable({ stats, choice, country, sort, onSort, stale }: MessageTableProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setOpened((was) => {
      const next = new Set(was)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <div ref={scrollEdges} className={styles.box}>
      <table
        aria-label="Messages by pharmacy"
        className={stale ? `${styles.table} ${styles.stale}` : styles.table}
        aria-busy={stale}
      >
        <thead>
          <tr>
            <th className={styles.toggle}>
              <span className="sr">Details</span>
            </th>
            <th scope="col" className={`num ${styles.rank}`}>
              Rank
            </th>
            {COLUMNS.map((column) => (
              <Head key={column.field} {...column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <TotalRow stats={stats} country={country} sorted={sort.field} />
          {stats.pharmacies.map((row) => (
            <MessageTableRow
              key={row.pharmacy_id}
              row={row}
              choice={choice}
              country={country}
              sorted={sort.field}
              open={opened.has(row.pharmacy_id)}
              onToggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps {
  field: SortField
  label: string
  sort: Sort
  onSort: (field: SortField) => void
}

function Head({ field, label, sort, onSort }: HeadProps) {
  const sorted = sort.field === field
  const direction = sort.order === 'asc' ? 'ascending' : 'descending'
  const kind = field === 'name' ? styles.name : 'num'
  return (
    <th scope="col" className={sorted ? `${kind} ${styles.sorted}` : kind} aria-sort={sorted ? direction : 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort(field)}>
        {sorted ? <Icon of={sort.order === 'asc' ? ArrowUp : ArrowDown} size={13} /> : null}
        {label}
      </button>
    </th>
  )
}

function TotalRow({ stats, country, sorted }: { stats: StatsReply; country: Country; sorted: SortField }) {
  const texts = rowTexts(country, {
    sms: stats.total_sms,
    email: stats.total_email,
    reach: stats.total_reach,
    cost: stats.total_cost,
    revenue: stats.total_revenue,
    roi: stats.total_roi,
  })
  const count = `${formatNumber(country, stats.total_pharmacies)} ${stats.total_pharmacies === 1 ? 'pharmacy' : 'pharmacies'}`
  const cell = (field: SortField) => (sorted === field ? `num ${styles.sorted}` : 'num')
  return (
    <tr className={styles.total}>
      <td className={styles.toggle} />
      <td className={styles.rank} />
      <th scope="row" className={styles.name}>
        TOTAL, {count}
      </th>
      <Figure className={cell('sms')} text={texts.sms} change={stats.total_sms_change} country={country} />
      <Figure className={cell('email')} text={texts.email} change={stats.total_email_change} country={country} />
      <Figure className={cell('reach')} text={texts.reach} change={stats.total_reach_change} country={country} />
      <Figure className={cell('cost')} text={texts.cost} change={stats.total_cost_change} country={country} />
      <Result
        texts={texts}
        change={stats.total_revenue_change}
        result={stats.total_result}
        country={country}
        cell={cell}
      />
    </tr>
  )
}
