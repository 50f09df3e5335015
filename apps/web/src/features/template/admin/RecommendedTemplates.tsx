import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminTemplateRecommendation as Row } from '@pillar/contract/template/template-recommendation-admin'
import { listOf } from '@pillar/domain/text/sentence'
import { useSearch } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, useWrite } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { isRemoved, REMOVED, restoring, toastDeleted } from '../../../kit/list/removed.ts'
import { chosenOf, only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import type { Selected } from '../../../kit/list/useSelection.ts'
import { useCountry } from '../../../session/session.ts'
import { MadeFromTemplates } from './MadeFromTemplates.tsx'
import { RecommendedTemplateDialog } from './RecommendedTemplateDialog.tsx'
import { type Edited, nameOfType, TYPES, templates } from './template-admin.ts'

const calls = contract.templateRecommendation
const NOUN = ['template', 'templates'] as const
type Chosen = Pick<Selected<Row, object>, 'rows' | 'filter' | 'count' | 'clear'>
const idOf = (row: Row) => row.template_recommendation_id

/** Templates that Pillar recommends to every company. */
export function RecommendedTemplates({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { type, removed } = useSearch({ strict: false }) as { type?: Row['type']; removed?: string }
  const list = useList(calls.search, {
    id: 'template_recommendation_id',
    one: 'recommended template',
    many: 'recommended templates',
    filters: { type, removed: removed ? true : undefined } as { type?: Row['type']; removed?: boolean },
  })
  const [edited, setEdited] = useState<Edited | 'new' | null>(null)
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${templates(input)}?`,
      consequence: (
        <MadeFromTemplates chosen={input}>
          No company is offered it any more. It can be restored for 30 days.
        </MadeFromTemplates>
      ),
      button: `Delete ${templates(input)}`,
      danger: true,
    }),
  })
  const restore = useWrite(calls.restoreMany)
  const acts = (selected: Chosen) => {
    const chosen = chosenOf('template_ids', selected, idOf)
    if (isRemoved(selected)) return restoring(() => restore.mutateAsync(chosen).finally(selected.clear), NOUN)
    const used = selected.rows.flatMap(({ used_by }) => used_by)
    return [
      {
        label: 'Edit',
        icon: Pencil,
        run: async () => {
          const all = selected.filter ? await send(calls.search, { ...selected.filter, paginate: false }) : null
          setEdited({ rows: all?.templates ?? selected.rows, chosen, clear: selected.clear })
        },
      },
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled: used.length > 0 ? `Used by ${listOf(used)}` : undefined,
        run: async () => {
          const answer = await remove.mutateAsync(chosen)
          if (!answer) return
          selected.clear()
          const { deleted, removed_at } = answer
          toastDeleted(
            `${templates({ expected_count: deleted })} deleted`,
            () => restore.mutateAsync({ removed_at }),
            NOUN,
          )
        },
      },
    ]
  }
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Name', sort: 'name', cell: ({ name }) => name },
          { label: 'Type', sort: 'type', cell: ({ type }) => nameOfType(type) },
          { label: 'Used by', cell: ({ used_by }) => listOf(used_by) || 'Nothing' },
          { label: 'Published', sort: 'published_at', num: true, cell: (row) => dayOf(country, row.published_at) },
        ]}
        empty="Create one, then every company can start from it."
        actions={
          <Button leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
            Create Recommended Template
          </Button>
        }
        filters={
          <>
            <FilterChip field="type" label="Type" options={TYPES} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited ? (
        <RecommendedTemplateDialog edited={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  )
}
