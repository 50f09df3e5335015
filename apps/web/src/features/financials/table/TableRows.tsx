import { columnLabel, figureOf, isShare, NAME_FIELD, POINTS_HEAD, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ClockAlert } from 'lucide-react'
import { memo } from 'react'
import { PharmacyLink } from '../../../frame/PharmacyLink.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { dataAge } from '../figures.ts'
import type { Filters, FinancialsSearch } from '../search.ts'
import styles from './PharmacyTable.module.css'
import type { PharmacyRow, PinnedRow } from './table-model.ts'

/** The columns drawn: which fields, at which place, and the width standing in for those scrolled away. */
export interface DrawnColumns {
  readonly fields: readonly string[]
  readonly first: number
  readonly before: number
  readonly after: number
}

interface HeadProps {
  category: string
  statistic: Statistic
  columns: DrawnColumns
  sort: Filters['sort']
  /** Column of the active cell, -1 when it is in another row. */
  active: number
}

/** The column heads. Each sorts; the arrow and `aria-sort` say how. */
export const HeadRow = memo(function HeadRow({ category, statistic, columns, sort, active }: HeadProps) {
  const head = (field: string, col: number) => {
    const sorted = sort.field === field
    const label = columnLabel(category, field)
    return (
      <th
        key={field}
        id={`cell-0-${col}`}
        scope="col"
        data-row={0}
        data-col={col}
        aria-colindex={col + 1}
        aria-sort={sorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none'}
        className={`${col === 0 ? '' : 'num'} ${sorted ? styles.sorted : ''} ${active === col ? styles.active : ''}`}
        title={label}
      >
        <span className={styles.head}>
          {sorted ? <Icon of={sort.order === 'asc' ? ArrowUp : ArrowDown} size={13} /> : null}
          <span className={styles.headText}>{label}</span>
        </span>
        {col === 0 && isShare(statistic) ? <span className={styles.unit}>{POINTS_HEAD} below</span> : null}
      </th>
    )
  }
  return (
    <tr aria-rowindex={1}>
      {head(NAME_FIELD, 0)}
      <Gap width={columns.before} />
      {columns.fields.map((field, index) => head(field, columns.first + index + 1))}
      <Gap width={columns.after} />
    </tr>
  )
})

/** Stands in for columns scrolled out of view. */
function Gap({ width }: { width: number }) {
  return width > 0 ? <td aria-hidden className={styles.gap} /> : null
}

interface RowProps {
  row: PharmacyRow | PinnedRow
  /** Place in the grid, the head being 0. */
  index: number
  columns: DrawnColumns
  statistic: Statistic
  country: Country
  sortField: string
  today: Day
  active: number
}

/** One row: the name, then a figure over its context per column. */
export const FigureRow = memo(function FigureRow(props: RowProps) {
  const { row, index, columns, statistic, country, sortField, active } = props
  const pinned = 'kind' in row ? `${styles.pin} ${styles[row.kind]}` : styles.row
  return (
    <tr className={pinned} aria-rowindex={index + 1}>
      <th
        scope="row"
        id={`cell-${index}-0`}
        data-row={index}
        data-col={0}
        aria-colindex={1}
        className={active === 0 ? styles.active : undefined}
        title={'kind' in row ? row.note : undefined}
      >
        {'kind' in row ? (
          <>
            <span className={styles.name}>{row.name}</span>
            <span className={styles.context}>{row.note}</span>
          </>
        ) : (
          <PharmacyName {...props} row={row} />
        )}
      </th>
      <Gap width={columns.before} />
      {columns.fields.map((field, at) => {
        const col = columns.first + at + 1
        const { figure, context, tone, unsure, title } = figureOf(country, statistic, row.cells[field])
        return (
          <td
            key={field}
            id={`cell-${index}-${col}`}
            data-row={index}
            data-col={col}
            aria-colindex={col + 1}
            title={title}
            className={`num ${unsure ? styles.unsure : ''} ${sortField === field ? styles.sorted : ''} ${active === col ? styles.active : ''}`}
          >
            <span className={styles.figure}>{figure}</span>
            <span className={`${styles.context} ${styles[tone]}`}>{context}</span>
          </td>
        )
      })}
      <Gap width={columns.after} />
    </tr>
  )
})

function PharmacyName({ row, country, today }: { row: PharmacyRow; country: Country; today: Day }) {
  const place = [row.state, row.postcode].filter((part) => part !== null).join(' ')
  const age = dataAge(row, country, today)
  const { period } = useSearch({ strict: false }) as FinancialsSearch
  return (
    <>
      <span className={styles.name} title={row.pharmacy_name}>
        <PharmacyLink
          id={row.pharmacy_id}
          name={row.pharmacy_name}
          period={period}
          className={styles.nameText}
          tabIndex={-1}
        />
        {row.late ? (
          <span className={styles.late}>
            <Icon of={ClockAlert} size={14} label="Late" />
          </span>
        ) : null}
      </span>
      <span className={styles.context} title={age === '' ? undefined : [place, age].filter(Boolean).join(' · ')}>
        {place}
        {age !== '' ? (
          <>
            {place ? ' · ' : ''}
            <span className={row.late ? styles.late : undefined}>{age}</span>
          </>
        ) : null}
      </span>
    </>
  )
}
