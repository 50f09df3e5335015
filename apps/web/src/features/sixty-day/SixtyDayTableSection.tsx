import { Button } from '@mantine/core'
import { joined } from '@pillar/domain/text/sentence'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { NothingYet } from '../../kit/display/states.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { Pager } from '../../kit/list/Pager.tsx'
import { useLastPage } from '../../kit/list/page/useLastPage.ts'
import type { Explained } from './ExplainNumber.tsx'
import styles from './SixtyDay.module.css'
import { categoryWords, type SixtyDayFilters, type SixtyDaySearch } from './search.ts'
import { count, type SixtyDayTable, statisticWords, written } from './words.ts'

type Row = SixtyDayTable['data'][number]

interface TableSectionProps {
  kind: 'company' | 'guild'
  filters: SixtyDayFilters
  table: UseQueryResult<SixtyDayTable, Error>
  change: (change: Partial<SixtyDaySearch>, how?: 'push' | 'replace') => void
  onExplain: (explained: Explained) => void
}

/** The number of columns until somebody asks for all. */
const FIRST_COLUMNS = 9

/** The statistic by pharmacy or place and category: page by page, sorted by the server. */
export function SixtyDayTableSection(props: TableSectionProps) {
  const { table, change } = props
  const gone = useLastPage(table.data, change)
  return (
    <Loaded read={gone ? { ...table, data: undefined } : table} what="the table" rows={8}>
      {(reply) => <Shown {...props} reply={reply} />}
    </Loaded>
  )
}

function Shown({ kind, filters, table, reply, change, onExplain }: TableSectionProps & { reply: SixtyDayTable }) {
  const [whole, setWhole] = useState(false)
  const { data, columns: all, total, per_page, current_page, page_count } = reply
  const { label } = statisticWords(filters.statistic)
  const words = categoryWords(filters.category)
  if (total === 0)
    return <NothingYet title="No records found">{kind === 'guild' ? notPublished(filters) : null}</NothingYet>
  const names = all.map(({ name }) => name).slice(0, whole ? undefined : FIRST_COLUMNS)
  const hidden = all.length - names.length
  return (
    <section
      className={table.isPlaceholderData ? `${styles.table} ${styles.dimmed}` : styles.table}
      aria-busy={table.isFetching}
    >
      <div className={styles.tableHead}>
        <h2>
          {label} by {kind === 'company' ? 'pharmacy' : filters.grouping} and {words.label.toLowerCase()}
        </h2>
        {hidden > 0 || whole ? (
          <Button size="xs" variant="subtle" onClick={() => setWhole(!whole)}>
            {whole ? 'Show fewer columns' : `Show ${count(hidden)} more columns`}
          </Button>
        ) : null}
      </div>
      <DataTable<Row>
        label={`${label} by ${words.label}`}
        rows={data}
        pinned={kind === 'company' ? [totalRow(reply)] : []}
        idOf={(row) => row.uuid ?? `${row.state} ${row.postcode}`}
        nameOf={(row) => row.name}
        columns={[
          ...headColumns(kind, filters),
          ...names.map((name, at) => figureColumn(kind, name, at, filters, onExplain)),
        ]}
        sorting={{
          by: { field: filters.sort.field ?? words.all, order: filters.sort.order },
          onSort: ({ field, order }) =>
            change({ sort: field === words.all ? undefined : field, order: order === 'desc' ? undefined : order }),
        }}
      />
      <Pager
        country="AU"
        page={current_page}
        pages={page_count}
        perPage={per_page}
        total={total}
        onPage={(page) => change({ page })}
      />
    </section>
  )
}

/** Why the Guild finds none of the states or postcodes it asks for. */
const notPublished = ({ grouping }: SixtyDayFilters) =>
  `Only ${grouping}s with at least three pharmacies, of which none makes up more than half, are shown.`

const totalRow = ({ columns, total }: SixtyDayTable): Row => ({
  ...{
    uuid: null,
    name: `TOTAL, ${count(total)} ${total === 1 ? 'pharmacy' : 'pharmacies'}`,
    state: 'all',
    postcode: null,
  },
  ...{ pharmacies: total, complete: true, categories: columns },
})

function headColumns(kind: 'company' | 'guild', { grouping }: SixtyDayFilters): Column<Row>[] {
  if (kind === 'guild') {
    return [
      { label: grouping === 'state' ? 'State' : 'Postcode', sort: 'name', cell: (row) => row.name },
      ...(grouping === 'postcode' ? [{ label: 'State', sort: 'state', cell: (row: Row) => row.state }] : []),
      { label: 'Pharmacies', num: true, cell: (row) => count(row.pharmacies) },
    ]
  }
  return [
    {
      label: 'Pharmacy',
      sort: 'name',
      cell: (row) => (row.uuid === null ? row.name : <PharmacyLink id={row.uuid} name={row.name} />),
      sub: (row) => (row.complete ? null : 'less than 12 months of data'),
    },
    { label: 'State', sort: 'state', cell: (row) => (row.uuid === null ? '' : row.state) },
    { label: 'Postcode', sort: 'postcode', cell: (row) => row.postcode },
  ]
}

const HIDDEN = 'Not known, or based on fewer than three pharmacies, or more than half of it is one pharmacy’s'

function figureColumn(
  kind: 'company' | 'guild',
  name: string,
  at: number,
  { statistic }: SixtyDayFilters,
  onExplain: (explained: Explained) => void,
): Column<Row> {
  return {
    ...{ label: name, sort: name, num: true },
    cell: (row) => {
      const cell = row.categories[at]
      const value = written(statistic, cell?.value ?? null)
      if (!cell || cell.value === null) return <span title={kind === 'guild' ? HIDDEN : 'Not known'}>{value}</span>
      const { numerator, denominator } = cell
      return (
        <button
          type="button"
          className={styles.cell}
          aria-label={`${row.name}, ${name}: ${value}, how it is calculated`}
          onClick={() =>
            onExplain({ key: statistic, subject: joined([row.name, name], ' · '), value, numerator, denominator })
          }
        >
          {value}
        </button>
      )
    },
  }
}
