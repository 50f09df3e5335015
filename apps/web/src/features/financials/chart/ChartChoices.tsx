import { Select } from '@mantine/core'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { columnLabel, NAME_FIELD } from '@pillar/domain/figure/format'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { shortId } from '../../../shared/paths.ts'
import type { Filters, FinancialsSearch } from '../search.ts'
import type { TableReply } from '../table/table-model.ts'
import styles from './Charts.module.css'

interface ChoicesProps {
  reply: TableReply
  fields: readonly string[]
  sort: Filters['sort']
  field: string
  /** The highlighted pharmacy. */
  mark: string | null
  /** Whether they begin with the largest falls from last year. */
  falls: boolean
  /** The period, for the link to the pharmacy's page. */
  period: Pick<FinancialsSearch, 'period'>
  change: (change: Partial<FinancialsSearch>) => void
}

const ORDERS = [
  { value: 'desc', label: 'Highest first' },
  { value: 'asc', label: 'Lowest first' },
  { value: 'change', label: 'Largest fall first' },
  { value: 'name', label: 'By name' },
] as const

/** Chooses the column of the charts, their order (the table's own), and the highlighted pharmacy. */
export function ChartChoices({ reply, fields, sort, field, mark, falls, period, change }: ChoicesProps) {
  const sorted = (next: string, order: 'asc' | 'desc') => ({
    sort: next === TOTAL ? undefined : next,
    order: order === 'desc' ? undefined : order,
  })
  return (
    <div className={styles.choices}>
      <Select
        size="xs"
        aria-label={reply.category}
        data={fields.map((value) => ({ value, label: columnLabel(reply.category, value) }))}
        value={field}
        searchable
        allowDeselect={false}
        onChange={(value) => value !== null && change(sorted(value, sort.field === NAME_FIELD ? 'desc' : sort.order))}
      />
      <Segments
        label="Order"
        options={ORDERS}
        value={falls ? 'change' : sort.field === NAME_FIELD ? 'name' : sort.order}
        onChange={(order) => {
          if (order === 'change') change({ ...sorted(field, 'desc'), by: 'change' })
          else if (order === 'name') change({ sort: NAME_FIELD, order: undefined, by: undefined })
          else change({ ...sorted(field, order), by: undefined })
        }}
      />
      <Select
        size="xs"
        aria-label="Highlight a pharmacy"
        placeholder="Highlight a pharmacy"
        data={reply.pharmacies.map(({ pharmacy_id, pharmacy_name }) => ({
          value: shortId(pharmacy_id),
          label: pharmacy_name,
        }))}
        value={mark}
        searchable
        clearable
        onChange={(value) => change({ mark: value ?? undefined })}
      />
      <ToMarked reply={reply} mark={mark} period={period} />
    </div>
  )
}

interface ToMarkedProps {
  reply: TableReply
  mark: string | null
  period: Pick<FinancialsSearch, 'period'>
}

/** From the highlighted pharmacy to its page, which says what changed there. */
function ToMarked({ reply, mark, period }: ToMarkedProps) {
  const marked = reply.pharmacies.find(({ pharmacy_id }) => shortId(pharmacy_id) === mark)
  if (!marked) return null
  return (
    <LinkButton size="xs" to={`/financials/pharmacy/${marked.pharmacy_id}`} search={period}>
      Open {marked.pharmacy_name}
    </LinkButton>
  )
}
