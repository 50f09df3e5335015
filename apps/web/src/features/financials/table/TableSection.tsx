import { Button } from '@mantine/core'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { NAME_FIELD, plural } from '@pillar/domain/figure/format'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { periodLabel } from '@pillar/domain/time/period'
import { useNavigate } from '@tanstack/react-router'
import { PanelRightClose, PanelRightOpen, Rows4 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { fetchedPart } from '../../../kit/dialog/fetched.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { NothingYet } from '../../../kit/display/states.tsx'
import { cellTarget, type ExplainTarget } from '../explain/explain-target.ts'
import styles from '../Financials.module.css'
import { CalculatorPanel } from '../panel/CalculatorPanel.tsx'
import { RankPanel } from '../panel/RankPanel.tsx'
import panel from '../panel/SidePanel.module.css'
import { type Filters, type FinancialsSearch, newestWithData, periodSearch, sortSearch } from '../search.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { PharmacyTable } from './PharmacyTable.tsx'
import {
  allFields,
  columnSearch,
  type PharmacyRow,
  type PinnedRow,
  pinnedRows,
  shownFields,
  sortOf,
  type TableReply,
} from './table-model.ts'
import { type Taste, useTaste } from './taste.ts'
import { useNarrow } from './useGridWindow.ts'
import { useView, type ViewStore, viewStore } from './view-store.ts'

/** The state of the table's read, in the shape of a query's answer. */
interface TableQuery {
  data: TableReply | undefined
  error: { message: string } | null
  isError: boolean
  isPlaceholderData: boolean
  isFetching: boolean
  refetch: () => unknown
}

interface TableSectionProps {
  query: TableQuery
  filters: Filters
  ids: string[]
  country: Country
  product: string
  today: Day
  /** The newest day of the selected pharmacies' data. */
  until: Day | null
  change: (change: Partial<FinancialsSearch>) => void
  onExplain: (target: ExplainTarget) => void
}

type ShownProps = TableSectionProps & { reply: TableReply }

/** The table with its foot, and beside it best, worst and the calculator. */
export function TableSection(props: TableSectionProps) {
  const { query } = props
  return (
    <Loaded read={query} what="the table" rows={10}>
      {(reply) => <Shown {...props} reply={reply} />}
    </Loaded>
  )
}

function Shown(props: ShownProps) {
  const { query, reply } = props
  if (reply.columns.length === 0) {
    const newest = newestWithData(props.filters.choice, props.country, props.until)
    return (
      <div className={`${styles.noData} ${query.isPlaceholderData ? styles.dimmed : ''}`} aria-busy={query.isFetching}>
        <NothingYet
          title="No data available"
          action={
            newest && (
              <Button onClick={() => props.change(periodSearch(newest, props.country, props.today))}>
                Show {periodLabel(props.country, newest)}
              </Button>
            )
          }
        >
          The selected pharmacies have no scripts in this period. Select another period or other pharmacies.
        </NothingYet>
      </div>
    )
  }
  if (props.filters.view === 'chart') {
    return (
      <div className={`${styles.charts} ${query.isPlaceholderData ? styles.dimmed : ''}`} aria-busy={query.isFetching}>
        <Charts {...props} />
      </div>
    )
  }
  return <Rows {...props} />
}

/** Downloaded when charts are first requested, so that the table need not wait for them. */
const Charts = fetchedPart(async () => (await import('../chart/Charts.tsx')).Charts, { rows: 10 })

function Rows({ reply, query, filters, ids, country, product, today, change, onExplain }: ShownProps) {
  const [view] = useState(viewStore)
  const [taste, changeTaste] = useTaste()
  const fields = useMemo(() => shownFields(reply, filters, taste.order), [reply, filters, taste.order])
  const sort = sortOf(filters, fields)
  const { statistic } = filters
  const pinned = useMemo(() => pinnedRows(reply, { product, country }), [reply, product, country])
  const navigate = useNavigate()
  const { period } = periodSearch(filters.choice, country, today)
  const onOpen = (row: PharmacyRow | PinnedRow, field: string) => {
    // A pharmacy's name leads to its page; its figures open an explanation.
    if (field === NAME_FIELD && 'pharmacy_id' in row) {
      void navigate({ to: '/financials/pharmacy/$id', params: { id: row.pharmacy_id }, search: { period } })
      return
    }
    const where = { category: reply.category, statistic, selectedIds: ids, selectedCount: reply.selected_pharmacies }
    onExplain(cellTarget(row, field === NAME_FIELD ? TOTAL : field, where))
  }
  const all = allFields(reply, taste.order)
  const parts = all.slice(1)
  const keepOrder = (order: readonly string[]) =>
    changeTaste({ order: { ...taste.order, [reply.category]: [...order] } })
  const count = (value: number) => value.toLocaleString('en-AU')
  return (
    <div
      className={`${taste.panel ? styles.columnsOf : styles.alone} ${query.isPlaceholderData ? styles.dimmed : ''}`}
      aria-busy={query.isFetching}
    >
      <section className={styles.main} aria-label="Pharmacies">
        <PharmacyTable
          {...{ reply, pinned, fields, statistic, sort, country, today, period, onOpen }}
          density={taste.density}
          onView={view.set}
          onSort={(field) => change(sortSearch(sort, field))}
        />
        <div className={styles.foot}>
          <InView store={view} count={reply.pharmacies.length} />
          <span className="faint">
            {count(fields.length - 1)} of {count(parts.length)} {plural(reply.category)} shown
          </span>
          <ColumnsMenu
            category={reply.category}
            all={parts}
            shown={fields.filter((field) => field !== TOTAL)}
            onChange={(shown, order) => {
              keepOrder(order)
              change(columnSearch(all, shown))
            }}
            onReset={() => {
              keepOrder([])
              change({ columns: undefined })
            }}
          />
          <TasteButtons taste={taste} onChange={changeTaste} />
        </div>
      </section>
      {taste.panel ? (
        <aside className={panel.panel} aria-label="Best, worst and opportunity">
          <RankPanel
            {...{ reply, country }}
            rank={filters.rank}
            onRank={(rank) => change({ rank: rank === 'worst' ? rank : undefined })}
          />
          <CalculatorPanel key={reply.category} {...{ reply, country }} pharmacyIds={ids} choice={filters.choice} />
        </aside>
      ) : null}
    </div>
  )
}

/** Tightens rows and columns, and hides the panel, to show more of the table at once. */
function TasteButtons({ taste, onChange }: { taste: Taste; onChange: (part: Partial<Taste>) => void }) {
  const compact = taste.density === 'compact'
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-pressed={compact}
        leftSection={<Icon of={Rows4} size={15} />}
        onClick={() => onChange({ density: compact ? 'roomy' : 'compact' })}
      >
        Compact
      </Button>
      <Button
        variant="subtle"
        size="xs"
        className={styles.panelButton}
        leftSection={<Icon of={taste.panel ? PanelRightClose : PanelRightOpen} size={15} />}
        onClick={() => onChange({ panel: !taste.panel })}
      >
        {taste.panel ? 'Hide panel' : 'Show panel'}
      </Button>
    </>
  )
}

/** '1–9 of 31'; 'All 31' if the window scrolls. */
function InView({ store, count }: { store: ViewStore; count: number }) {
  const { first, last } = useView(store)
  const narrow = useNarrow()
  const text = (value: number) => value.toLocaleString('en-AU')
  if (count === 0) return <span>No records found</span>
  // If the window scrolls, the foot is only visible at the end of the rows.
  return <span>{narrow ? `All ${text(count)}` : `${text(first)}–${text(last)} of ${text(count)}`}</span>
}
