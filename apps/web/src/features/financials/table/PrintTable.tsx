import { belowHead, belowText } from '@pillar/domain/figure/cell-text'
import { columnLabel, NAME_FIELD, plural, type Statistic } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { dataAge } from '../figures.ts'
import { cellOf, type Held, rowWithoutLastYear } from './cell-against.ts'
import styles from './PrintTable.module.css'
import type { PharmacyRow, PinnedRow } from './table-model.ts'

interface PrintTableProps {
  category: string
  statistic: Statistic
  fields: readonly string[]
  pinned: readonly PinnedRow[]
  /** In screen order. */
  rows: readonly PharmacyRow[]
  country: Country
  today: Day
  held: Held
}

/** Columns that fit beside the names on a landscape sheet, and their shares of its width. */
const ACROSS = 7
const NAME_PERCENT = 23
const FIGURE_PERCENT = (100 - NAME_PERCENT) / ACROSS

/** The whole table for paper: every row, in as many stacked tables as the columns need. */
export function PrintTable(props: PrintTableProps) {
  const { category, statistic, fields, pinned, rows, country, today, held } = props
  const blocks: string[][] = []
  for (let at = 0; at < fields.length; at += ACROSS) blocks.push(fields.slice(at, at + ACROSS))
  const title = `Pharmacies by ${category.toLowerCase()}, ${statistic.toLowerCase()}`
  return (
    <div className={styles.print}>
      {blocks.map((block, index) => (
        <table
          key={block[0]}
          className={styles.table}
          style={{ width: `${NAME_PERCENT + block.length * FIGURE_PERCENT}%` }}
        >
          <caption>
            {title}
            {blocks.length > 1 ? `, table ${index + 1} of ${blocks.length}` : ''}
            {`. ${belowHead(statistic, held)}`}
          </caption>
          <colgroup>
            <col style={{ width: `${(NAME_PERCENT * 100) / (NAME_PERCENT + block.length * FIGURE_PERCENT)}%` }} />
            {block.map((field) => (
              <col key={field} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{columnLabel(category, NAME_FIELD)}</th>
              {block.map((field) => (
                <th key={field} scope="col" className="num">
                  {columnLabel(category, field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...pinned, ...rows].map((row) => (
              <Line
                key={keyOf(row)}
                {...{ row, statistic, country, today, held, block }}
                last={row === pinned.at(-1)}
              />
            ))}
          </tbody>
        </table>
      ))}
      <p className={styles.context}>
        {rows.length === 1 ? '1 pharmacy' : `All ${rows.length} pharmacies`}, {fields.length - 1} {plural(category)}.
      </p>
    </div>
  )
}

const keyOf = (row: PharmacyRow | PinnedRow) => ('kind' in row ? row.kind : row.pharmacy_id)

interface LineProps {
  row: PharmacyRow | PinnedRow
  block: readonly string[]
  statistic: Statistic
  country: Country
  today: Day
  held: Held
  /** The last of the rows above the pharmacies. */
  last: boolean
}

function Line({ row, block, statistic, country, today, held, last }: LineProps) {
  const pinned = 'kind' in row ? `${styles.pinned} ${last ? styles.last : ''}` : undefined
  return (
    <tr className={pinned}>
      <th scope="row">
        {'kind' in row ? row.name : row.pharmacy_name}
        <span className={styles.context}>{'kind' in row ? row.note : placeOf(row, country, today, held)}</span>
      </th>
      {block.map((field) => {
        const text = cellOf(country, statistic, row, field, held)
        return (
          <td key={field} className="num">
            {text.figure}
            <span className={styles.context}>{belowText(text)}</span>
          </td>
        )
      })}
    </tr>
  )
}

/** 'NSW 2204', and for a late pharmacy how far its data goes. */
function placeOf(row: PharmacyRow, country: Country, today: Day, held: Held): string {
  const place = [row.state, row.postcode].filter((part) => part !== null).join(' ')
  return [place, row.late ? 'late' : '', dataAge(row, country, today), rowWithoutLastYear(row, held)]
    .filter(Boolean)
    .join(' · ')
}
