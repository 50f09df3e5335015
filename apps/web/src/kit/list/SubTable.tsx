import { Button } from '@mantine/core'
import { formatNumber } from '@pillar/domain/time/locale'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/session.ts'
import { Loaded, type Read } from '../display/Loaded.tsx'
import type { Act } from './acts.tsx'
import { DataTable } from './DataTable.tsx'
import type { Column } from './data-table.ts'
import styles from './SubTable.module.css'

interface SubTableProps<Row> {
  title: string
  /** Left out if the rows came with the surrounding data. */
  read?: Read<unknown>
  rows: readonly Row[] | undefined
  id: keyof Row & string
  columns: readonly Column<Row>[]
  /** The name of a row, for screen readers. */
  nameOf?: (row: Row) => string
  menu?: (row: Row) => readonly Act[]
  expand?: (row: Row) => ReactNode
  /** The row that is open initially, shown even if it is not among the first. */
  opened?: string | undefined
  /** Right of the title. */
  actions?: ReactNode
}

/** For rows that are already loaded. */
const WHOLE: Read<unknown> = { data: null, error: null, refetch: () => {} }
/** The number of rows shown at first. */
const FIRST = 5

/** A titled table inside an opened row: the first few rows, then all. */
export function SubTable<Row>(props: SubTableProps<Row>) {
  const { title, read = WHOLE, rows = [], id, columns, nameOf, menu, expand, opened, actions } = props
  const country = useCountry()
  const [whole, setWhole] = useState(false)
  const among = rows.slice(0, FIRST)
  const hidden = rows.slice(FIRST).some((row) => String(row[id]) === opened)
  const shown = whole || hidden ? rows : among
  return (
    <section className={styles.section} aria-label={title} tabIndex={-1}>
      <header>
        <h3>{title}</h3>
        {read.data === undefined ? null : <span className="muted">{formatNumber(country, rows.length)}</span>}
        {actions}
      </header>
      <Loaded read={read} what={title.toLowerCase()} rows={2}>
        {() =>
          rows.length === 0 ? (
            <p className="muted">No records found</p>
          ) : (
            <DataTable
              label={title}
              rows={shown}
              idOf={(row) => String(row[id])}
              columns={columns}
              nameOf={nameOf}
              menu={menu}
              expand={expand}
              opened={opened}
              inner
            />
          )
        }
      </Loaded>
      {rows.length > shown.length ? (
        <Button
          variant="subtle"
          size="xs"
          onClick={({ currentTarget }) => {
            // The button disappears, so the focus stays with its table.
            currentTarget.closest('section')?.focus({ preventScroll: true })
            setWhole(true)
          }}
        >
          Show the other {formatNumber(country, rows.length - shown.length)}
        </Button>
      ) : null}
    </section>
  )
}
