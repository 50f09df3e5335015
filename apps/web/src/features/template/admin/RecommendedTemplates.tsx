import { contract } from '@pillar/contract'
import type { AdminTemplateRecommendation as Row } from '@pillar/contract/template/template-recommendation-admin'
import { listOf } from '@pillar/domain/text/sentence'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { send, useWrite } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import type { Act } from '../../../kit/list/acts.tsx'
import { bulkActs, type Selection } from '../../../kit/list/bulk.ts'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useEdited } from '../../../kit/list/page/useEdited.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { chosenOf, only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useCountry } from '../../../session/session.ts'
import { MadeFromTemplates } from './MadeFromTemplates.tsx'
import { RecommendedTemplateDialog } from './RecommendedTemplateDialog.tsx'
import { type Edited, nameOfType, TYPES, templates } from './template-admin.ts'

const calls = contract.templateRecommendation
const NOUN = ['template', 'templates'] as const
const idOf = (row: Row) => row.template_recommendation_id

/** Templates that Pillar recommends to every company. */
export function RecommendedTemplates({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { type, removed } = useSearch({ strict: false }) as { type?: Row['type']; removed?: string }
  const list = useList(calls.search, {
    id: 'template_recommendation_id',
    one: 'recommended template',
    many: 'recommended templates',
    filters: { type, removed: removed ? true : undefined },
  })
  const edited = useEdited<Edited>('Create Recommended Template', (row, close) => (
    <RecommendedTemplateDialog edited={row} onClose={close} />
  ))
  const acts = useRecommendedActs(edited.edit)
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
        actions={edited.button}
        filters={
          <>
            <FilterChip field="type" label="Type" options={TYPES} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited.dialog}
    </>
  )
}

/** The acts on recommended templates, for one or many. */
function useRecommendedActs(edit: (edited: Edited) => void) {
  const restore = useWrite(calls.restoreMany, { done: 'Template restored' })
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${templates(input)}?`,
      consequence: (
        <MadeFromTemplates chosen={input}>
          No longer offered to companies. Can be restored for 30 days.
        </MadeFromTemplates>
      ),
      button: `Delete ${templates(input)}`,
      danger: true,
    }),
  })
  return (selected: Selection<Row>): Act[] => {
    const used = selected.rows.flatMap(({ used_by }) => used_by)
    return bulkActs({
      ...{ selected, edit, noun: NOUN, remove: remove.mutateAsync, restore: restore.mutateAsync },
      chosen: chosenOf('template_ids', selected, idOf),
      search: async (filter) => (await send(calls.search, { ...filter, paginate: false })).templates,
      deleted: (count) => `${templates({ expected_count: count })} deleted`,
      noDelete: used.length > 0 ? `Used by ${listOf(used)}` : undefined,
    })
  }
}
