import { Button } from '@mantine/core'
import { formatNumber } from '@pillar/domain/time/locale'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/session.ts'
import type { RefusedError } from '../../shared/refused.ts'
import { Failed, Loading } from '../display/states.tsx'
import type { Act } from './acts.tsx'
import { DataTable } from './DataTable.tsx'
import type { Column } from './data-table.ts'
import styles from './SubTable.module.css'

interface SubTableProps<Row> {
  title: string
  read: { isLoading: boolean; error: RefusedError | null; refetch: () => unknown }
  rows: readonly Row[] | undefined
  id: keyof Row & string
  columns: readonly Column<Row>[]
  /** What a row is called, for those who listen. */
  nameOf?: (row: Row) => string
  menu?: (row: Row) => readonly Act[]
  expand?: (row: Row) => ReactNode
  /** The row that is open from the start, shown even where it is not among the first. */
  opened?: string | undefined
  /** Right of the title. */
  actions?: ReactNode
}

/** Rows shown before the rest is asked for. */
const FIRST = 5

/** A titled table inside an opened row: the first few, then all of them. */
export function SubTable<Row>(props: SubTableProps<Row>) {
  const { title, read, rows = [], id, columns, nameOf, menu, expand, opened, actions } = props
  const country = useCountry()
  const [whole, setWhole] = useState(false)
  const among = rows.slice(0, FIRST)
  const hidden = rows.slice(FIRST).some((row) => String(row[id]) === opened)
  const shown = whole || hidden ? rows : among
  return (
    <section className={styles.section} aria-label={title} tabIndex={-1}>
      <header>
        <h3>{title}</h3>
        {read.isLoading || read.error ? null : <span className="muted">{formatNumber(country, rows.length)}</span>}
        {actions}
      </header>
      {read.isLoading ? (
        <Loading rows={2} />
      ) : read.error ? (
        <Failed
          title={`Could not load ${title.toLowerCase()}`}
          error={read.error}
          onRetry={() => void read.refetch()}
        />
      ) : rows.length === 0 ? (
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
      )}
      {rows.length > shown.length ? (
        <Button
          variant="subtle"
          size="xs"
          onClick={({ currentTarget }) => {
            // The button goes: the focus stays with its table.
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
