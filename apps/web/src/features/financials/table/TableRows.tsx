import { belowHead, type CellText } from '@pillar/domain/figure/cell-text'
import { columnLabel, NAME_FIELD, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { ArrowDown, ArrowUp, ClockAlert } from 'lucide-react'
import { memo } from 'react'
import { PharmacyLink } from '../../../frame/PharmacyLink.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { dataAge } from '../figures.ts'
import type { Filters, FinancialsSearch } from '../search.ts'
import { cellOf, type Held, rowWithoutLastYear } from './cell-against.ts'
import styles from './PharmacyTable.module.css'
import type { PharmacyRow, PinnedRow } from './table-model.ts'

/** The drawn columns: their fields, their positions, and the width that replaces those scrolled away. */
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
  held: Held
  sort: Filters['sort']
  /** Column of the active cell, -1 if it is in another row. */
  active: number
}

/** The column heads. Each sorts; the arrow and `aria-sort` show the direction. */
export const HeadRow = memo(function HeadRow({ category, statistic, columns, held, sort, active }: HeadProps) {
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
        {col === 0 ? <span className={styles.unit}>{belowHead(statistic, held)}</span> : null}
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

/** Takes the place of columns scrolled out of view. */
function Gap({ width }: { width: number }) {
  return width > 0 ? <td aria-hidden className={styles.gap} /> : null
}

interface RowProps {
  row: PharmacyRow | PinnedRow
  /** Position in the grid; the head is 0. */
  index: number
  columns: DrawnColumns
  statistic: Statistic
  country: Country
  sortField: string
  today: Day
  /** What cells can be compared with. */
  held: Held
  /** The screen's period, as in the address. */
  period: FinancialsSearch['period']
  active: number
}

/** One row: the name, then for each column a figure over its context. */
export const FigureRow = memo(function FigureRow(props: RowProps) {
  const { row, index, columns, statistic, country, sortField, held, active } = props
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
        const text = cellOf(country, statistic, row, field, held)
        return (
          <td
            key={field}
            id={`cell-${index}-${col}`}
            data-row={index}
            data-col={col}
            aria-colindex={col + 1}
            title={text.words || undefined}
            className={`num ${text.unsure ? styles.unsure : ''} ${sortField === field ? styles.sorted : ''} ${active === col ? styles.active : ''}`}
          >
            <span className={styles.figure}>{text.figure}</span>
            <Below text={text} />
          </td>
        )
      })}
      <Gap width={columns.after} />
    </tr>
  )
})

/** The small line: the context or the distance from the average, and the change. Screen readers hear all of it in words. */
function Below({ text: { context, tone, change, noChange, words } }: { text: CellText }) {
  return (
    <>
      <span className={styles.below} aria-hidden={words !== ''}>
        {context === '' ? null : <span className={styles[tone]}>{context}</span>}
        {change ? <span className={styles[change.tone]}>{`${change.arrow} ${change.text}`}</span> : null}
        {noChange === '' ? null : <span>{noChange}</span>}
      </span>
      {words === '' ? null : <span className="sr">{` ${words}`}</span>}
    </>
  )
}

function PharmacyName({ row, country, today, held, period }: Omit<RowProps, 'row'> & { row: PharmacyRow }) {
  const place = [row.state, row.postcode].filter((part) => part !== null).join(' ')
  const age = dataAge(row, country, today)
  const without = rowWithoutLastYear(row, held)
  const note = [place, age, without].filter(Boolean).join(' · ')
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
      <span className={styles.context} title={note === place ? undefined : note}>
        {place}
        {age !== '' ? (
          <>
            {place ? ' · ' : ''}
            <span className={row.late ? styles.late : undefined}>{age}</span>
          </>
        ) : null}
        {without === '' ? null : ` · ${without}`}
      </span>
    </>
  )
}
