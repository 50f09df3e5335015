import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminSequenceRecommendation as Row } from '@pillar/contract/sequence/sequence-recommendation-admin'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { counted, joined } from '@pillar/domain/text/sentence'
import { formatNumber } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { toast } from '../../kit/display/toast.tsx'
import { type Act, start } from '../../kit/list/acts.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useEdited } from '../../kit/list/page/useEdited.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { RecommendedSequenceDialog } from './RecommendedSequenceDialog.tsx'
import { EventDialog } from './SequenceEvents.tsx'

const calls = contract.sequenceRecommendation
export const REMOVED = [{ value: 'yes', label: 'Removed' }] as const

/** Sequences that Pillar recommends to every pharmacy. */
export function RecommendedSequences({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { removed } = useSearch({ strict: false }) as { removed?: string }
  const list = useList(calls.list, {
    ...{ id: 'sequence_recommendation_id', one: 'recommended sequence', many: 'recommended sequences' },
    sort: { field: 'title', order: 'asc' },
    filters: { removed: removed === 'yes' || undefined },
  })
  const edited = useEdited<Row>('Create Recommended Sequence', (row, close) => (
    <RecommendedSequenceDialog row={row} onClose={close} />
  ))
  const [event, setEvent] = useState(false)
  const acts = useRecommendationActs(list.rows, edited.edit)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Title', sort: 'title', cell: ({ title }) => title },
          { label: 'Starts with', sort: 'sequence_event', cell: (row) => row.sequence_event },
          { label: 'Follow-ups', cell: followUpsOf },
          { label: 'Pharmacy sequences', num: true, cell: (row) => formatNumber(country, row.sequences || null) },
          { label: 'Published', sort: 'published_at', num: true, cell: (row) => dayOf(country, row.published_at) },
        ]}
        empty="Create one, then every pharmacy can start from it."
        actions={
          <>
            <Button onClick={() => setEvent(true)}>Create Event</Button>
            {edited.button}
          </>
        }
        filters={<FilterChip field="removed" label="Removed" options={REMOVED} />}
        menu={acts}
      />
      {edited.dialog}
      {event ? <EventDialog row={null} onClose={() => setEvent(false)} /> : null}
    </>
  )
}

function useRecommendationActs(rows: readonly Row[], edit: (row: Row) => void) {
  const named = (id: string) => rows.find((row) => row.sequence_recommendation_id === id)
  const restore = useWrite(calls.restore, { done: 'Recommended sequence restored' })
  const remove = useWrite(calls.remove, {
    ask: ({ id }) => ({
      title: `Remove ${named(id)?.title ?? 'the recommended sequence'}?`,
      consequence: `${usedWords(named(id))} No pharmacy can start from it any more. You can restore it for ${RESTORE_DAYS} days.`,
      button: 'Remove recommended sequence',
      danger: true,
    }),
  })
  return (row: Row): Act[] => {
    const id = row.sequence_recommendation_id
    if (row.removed_at) return [{ label: 'Restore', icon: RotateCcw, run: () => restore.mutateAsync({ id }) }]
    return [
      { label: 'Edit', icon: Pencil, run: () => edit(row) },
      {
        label: 'Remove',
        icon: Trash2,
        danger: true,
        run: async () => {
          if (!(await remove.mutateAsync({ id }))) return
          const undo = () => start({ run: () => restore.mutateAsync({ id }) })
          toast('Recommended sequence removed', { action: { label: 'Undo', run: undo } })
        },
      },
    ]
  }
}

/** Who uses it, and that those sequences continue. */
function usedWords(row: Row | undefined): string {
  if (!row || row.sequences === 0) return 'No pharmacy uses it.'
  const used = counted(row.sequences, 'pharmacy sequence was', 'pharmacy sequences were')
  return `${used} made from it, ${row.active_sequences} active: ${row.sequences === 1 ? 'it continues' : 'they continue'}.`
}

const followUpsOf = ({ templates }: Row) =>
  joined(templates.map(({ days_after, template_name }) => `Day ${days_after}: ${template_name}`))
