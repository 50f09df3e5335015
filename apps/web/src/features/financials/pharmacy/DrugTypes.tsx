import { TOTAL } from '@pillar/domain/dispensing/category'
import { shareText } from '@pillar/domain/figure/format'
import { MIN_SURE_N } from '@pillar/domain/figure/interval'
import { type Country, formatCounted, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { DataTable } from '../../../kit/list/DataTable.tsx'
import type { Sorting } from '../../../kit/list/useList.ts'
import { NONE, pointsOf } from '../figures.ts'
import styles from './Pharmacy.module.css'
import type { DrugTypesReply } from './pharmacy-words.ts'

type Row = DrugTypesReply['rows'][number]

const groupWords = (pharmacies: number, country: Country) =>
  pharmacies === 1
    ? 'The group is this pharmacy alone: the company has no other.'
    : `The group is the company’s ${formatNumber(country, pharmacies)} pharmacies together.`

/** The distance from the group, as a difference of shares; null if either has too few observations. */
const gapOf = ({ adherence, group }: Row): number | null =>
  adherence.value === null || group.value === null || Math.min(adherence.n, group.n) < MIN_SURE_N
    ? null
    : adherence.value - group.value

const SORTS: Record<string, (row: Row) => number | null> = {
  revenue: (row) => row.revenue,
  change: (row) => row.change,
  scripts: (row) => row.scripts,
  adherence: (row) => row.adherence.value,
  gap: gapOf,
  opportunity: (row) => row.opportunity,
}
const NOTABLE = 0.05

/** The table of drug types: revenue with its change, scripts, adherence against the group, and missed revenue. */
export function DrugTypes({ reply, country }: { reply: DrugTypesReply; country: Country }) {
  const [sort, setSort] = useState<Sorting>({ field: 'revenue', order: 'desc' })
  const total = reply.rows.filter(({ name }) => name === TOTAL)
  const of = SORTS[sort.field]!
  const sign = sort.order === 'asc' ? 1 : -1
  const least = sign * Number.POSITIVE_INFINITY
  const rows = reply.rows
    .filter(({ name }) => name !== TOTAL)
    .toSorted((a, b) => sign * ((of(a) ?? least) - (of(b) ?? least) || 0))
  const most = Math.max(1, ...rows.map(({ revenue }) => revenue))
  const money = (value: number) => formatMoney(country, value)
  return (
    <>
      <DataTable
        label="Drug types"
        rows={rows}
        pinned={total}
        idOf={({ name }) => name}
        sorting={{ by: sort, onSort: setSort }}
        columns={[
          { label: 'Drug type', cell: ({ name }) => (name === TOTAL ? 'All drug types' : name) },
          {
            ...{ label: 'Revenue', sort: 'revenue', num: true },
            cell: (row) => (
              <span className={styles.bar}>
                {row.name === TOTAL ? null : (
                  <span className={styles.track} aria-hidden="true">
                    <i style={{ width: `${Math.max(0, (row.revenue / most) * 100)}%` }} />
                  </span>
                )}
                <span>{money(row.revenue)}</span>
              </span>
            ),
          },
          {
            ...{ label: 'Change', sort: 'change', num: true },
            cell: ({ change }) => (
              <Change
                country={country}
                value={change}
                {...(Math.abs(change ?? 0) > NOTABLE ? { goodWhen: 'up' as const } : {})}
              />
            ),
          },
          { label: 'Scripts', sort: 'scripts', num: true, cell: ({ scripts }) => formatNumber(country, scripts) },
          {
            ...{ label: 'Scripts from adherent patients', sort: 'adherence', num: true, wrap: true },
            cell: ({ adherence }) => (adherence.n === 0 ? NONE : shareText(country, adherence)),
          },
          {
            ...{ label: 'Against group, points', sort: 'gap', num: true, wrap: true },
            cell: (row) => <Gap row={row} country={country} />,
          },
          { label: 'Opportunity', sort: 'opportunity', num: true, cell: ({ opportunity }) => money(opportunity) },
        ]}
      />
      <p className={styles.foot}>
        {formatCounted(country, rows.length, 'drug type', 'drug types')}. {groupWords(reply.group_pharmacies, country)}{' '}
        Fewer than 30 measured are not compared. Opportunity is revenue missed on uncovered days.
      </p>
    </>
  )
}

function Gap({ row, country }: { row: Row; country: Country }) {
  const gap = gapOf(row)
  if (gap === null) return NONE
  return <span className={gap <= -NOTABLE ? styles.bad : undefined}>{pointsOf(country, gap)}</span>
}
