import { Button } from '@mantine/core'
import { formatNumber } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import { useCountry } from '../../session/session.ts'
import { Page } from '../display/Page.tsx'
import { Failed, Loading, NothingMatches, NothingYet, NotRefreshed } from '../display/states.tsx'
import { type Act, start } from './acts.tsx'
import { DataTable } from './DataTable.tsx'
import type { Column } from './data-table.ts'
import styles from './ListPage.module.css'
import { Pager } from './Pager.tsx'
import { rowNames } from './page/row-names.ts'
import { linkTo } from './row-link.ts'
import { SearchField } from './SearchField.tsx'
import type { List } from './useList.ts'
import { type Selected, type Selection, useSelection } from './useSelection.ts'

interface ListPageProps<Row, Input> {
  title: string
  /** Instead of the title: the path to the page, such as 'Pharmacies › Harbour Street'. */
  heading?: ReactNode
  list: List<Row, Input>
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  /** How to get started, for an empty list. */
  empty?: ReactNode
  /** Data age, beside the title. */
  asAt?: ReactNode
  /** Right side of the header: at most one primary button. */
  actions?: ReactNode
  /** Under the header: tabs. */
  tabs?: ReactNode
  /** To the right of the list: a summary, such as a chart. */
  aside?: ReactNode
  /** Beside the search: chips. */
  filters?: ReactNode
  /** The acts on a row: the first as an icon, the others in a menu. */
  onOpen?: (row: Row) => void
  isBad?: (row: Row) => boolean
  menu?: (row: Row) => readonly Act[]
  expand?: (row: Row) => ReactNode
  /** The acts on a selection; if given, rows can be selected. */
  batch?: (selected: Selected<Row, Input>) => readonly Act[]
}

/** A page with a list: header, search and filters, the table in its present state, the selection, the pager. */
export function ListPage<Row, Input>(props: ListPageProps<Row, Input>) {
  const { title, list, columns, empty, asAt, actions, tabs, aside, filters, menu, expand, batch } = props
  const country = useCountry()
  const selection = useSelection(list)
  const words = list.total === 1 ? list.one : list.many
  return (
    <Page title={title} heading={props.heading} asAt={asAt} actions={actions}>
      {tabs}
      <div className={aside ? styles.beside : styles.alone}>
        <div className={styles.list}>
          <div className={styles.bar}>
            {list.find === null ? null : (
              <SearchField
                className={styles.search}
                label={`Find ${/^(?!us)[aeiou]/.test(list.one) ? 'an' : 'a'} ${list.one}`}
                value={list.find}
                onChange={(find) => list.change({ find }, 'replace')}
              />
            )}
            {filters}
            <span className={styles.count} aria-live="polite">
              {list.loading || list.error
                ? ''
                : `${formatNumber(country, list.total)}${list.uncounted ? '+' : ''} ${words}`}
            </span>
          </div>
          <div className={styles.rows} data-stale={list.stale || undefined}>
            {list.error && list.rows.length > 0 ? (
              <NotRefreshed what={list.many} error={list.error} onRetry={list.retry} />
            ) : null}
            {list.rows.length > 0 ? (
              <DataTable
                label={list.many[0]!.toUpperCase() + list.many.slice(1)}
                rows={list.rows}
                idOf={list.idOf}
                columns={columns}
                nameOf={rowNames(list.rows, columns, list.idOf)}
                sorting={{ by: list.sort, onSort: ({ field, order }) => list.change({ sort: field, order }) }}
                onOpen={props.onOpen}
                isBad={props.isBad}
                menu={menu ? (row) => withLink(menu(row), linkTo(list, row)) : undefined}
                expand={expand}
                opened={list.rows.length === 1 && list.find === list.idOf(list.rows[0]!) ? list.find : undefined}
                selection={batch ? (selection as unknown as Selection<Row, never>) : undefined}
              />
            ) : (
              <ListState list={list} empty={empty} />
            )}
          </div>
          {batch && selection.count > 0 ? <Batch list={list} selection={selection} acts={batch(selection)} /> : null}
          {/* No count for a list that could not be loaded. */}
          {list.error && list.rows.length === 0 ? null : (
            <Pager
              country={country}
              page={list.page}
              pages={list.pages}
              perPage={list.perPage}
              total={list.loading ? null : list.total}
              uncounted={list.uncounted}
              onPage={(page) => list.change({ page })}
              sizes={list.sizes}
              onSize={(rows) => list.change({ rows })}
            />
          )}
        </div>
        {aside ? <aside className={styles.aside}>{aside}</aside> : null}
      </div>
    </Page>
  )
}

/** Adds the link before dangerous acts, which come last; the first act stays first. */
function withLink([first, ...others]: readonly Act[], link: Act): Act[] {
  const at = others.findIndex(({ danger }) => danger)
  const rest = at < 0 ? [...others, link] : others.toSpliced(at, 0, link)
  return first ? [first, ...rest] : rest
}

/** Instead of the rows: loading, failed, nothing matches, or nothing yet. */
export function ListState<Row, Input>({ list, empty }: { list: List<Row, Input>; empty?: ReactNode }) {
  if (list.loading) return <Loading />
  if (list.error) return <Failed title={`Could not load ${list.many}`} error={list.error} onRetry={list.retry} />
  if (list.filtered > 0) return <NothingMatches filters={list.filtered} onClear={list.clear} />
  return <NothingYet title={list.none}>{empty}</NothingYet>
}

interface BatchProps<Row, Input> {
  list: List<Row, Input>
  selection: Selection<Row, Input>
  acts: readonly Act[]
}

/** '3 selected · Select all 23 that match · Clear', and the acts on them. */
function Batch<Row, Input>({ list, selection, acts }: BatchProps<Row, Input>) {
  const country = useCountry()
  return (
    <section className={styles.batch} aria-label="Selected">
      <b aria-live="polite">{formatNumber(country, selection.count)} selected</b>
      {selection.more ? (
        <Button variant="subtle" size="xs" onClick={selection.selectAll}>
          Select All Matching ({formatNumber(country, list.total)})
        </Button>
      ) : null}
      <Button variant="subtle" size="xs" onClick={selection.clear}>
        Clear
      </Button>
      <span className={styles.acts}>
        {acts.map((act) => (
          <Button
            key={act.label}
            // If there is only one act, people tick rows for it.
            variant={acts.length === 1 && !act.danger ? 'filled' : undefined}
            color={act.danger ? 'brick' : undefined}
            disabled={act.disabled !== undefined}
            title={act.disabled}
            onClick={() => start(act)}
          >
            {act.label}
          </Button>
        ))}
      </span>
    </section>
  )
}
