import { contract } from '@pillar/contract'
import type { AdminTemplate } from '@pillar/contract/template/template-admin'
import { CirclePause, CirclePlay } from 'lucide-react'
import { send, useWrite } from '../../../api/client.ts'
import type { Act } from '../../../kit/list/acts.tsx'
import { bulkActs, type Selection } from '../../../kit/list/bulk.ts'
import { chosenOf } from '../../../kit/list/selection.ts'
import { Affected } from './Affected.tsx'
import { type Edited, templates } from './template-admin.ts'

const calls = contract.templateAdmin
const NOUN = ['template', 'templates', ', inactive'] as const
const idOf = ({ uuid }: AdminTemplate) => uuid

/** The acts on company and global templates, for one or many. */
export function useTemplateActs(edit: (edited: Edited) => void): (selected: Selection<AdminTemplate>) => Act[] {
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${templates(input)}?`,
      consequence: (
        <Affected chosen={input}>
          What was sent stays in the records. Can be restored for 30 days, inactive and without campaigns.
        </Affected>
      ),
      button: `Delete ${templates(input)}`,
      danger: true,
    }),
  })
  const restore = useWrite(calls.restoreMany)
  const status = useWrite(calls.editActiveStatus, {
    ask: ({ active, ...chosen }) => {
      const verb = active ? 'Activate' : 'Deactivate'
      const [them, until] =
        (chosen.template_ids?.length ?? chosen.expected_count) === 1 ? ['it', 'it is'] : ['them', 'they are']
      const what = active
        ? `Campaigns can send ${them} again.`
        : `No campaign sends ${them} until ${until} activated again.`
      return {
        title: `${verb} ${templates(chosen)}?`,
        consequence: (
          <Affected chosen={chosen} active={active}>
            {what}
          </Affected>
        ),
        button: `${verb} ${templates(chosen)}`,
      }
    },
    done: ({ updated }, { active }) =>
      `${templates({ expected_count: updated })} ${active ? 'activated' : 'deactivated'}`,
  })
  return (selected) => {
    const { rows, clear } = selected
    const chosen = chosenOf('template_ids', selected, idOf)
    const demo = rows.some((row) => row.demo) ? 'Demo templates cannot be edited or deleted' : undefined
    const other = rows.some((row) => !row.enterprise_template && !row.global_template)
      ? 'Pharmacies activate and deactivate their own templates'
      : undefined
    const turn = (active: boolean, label: string): Act => ({
      label,
      icon: active ? CirclePlay : CirclePause,
      disabled: other,
      run: async () => {
        if (await status.mutateAsync({ ...chosen, active })) clear()
      },
    })
    const all = [turn(true, 'Activate'), turn(false, 'Deactivate')]
    return bulkActs({
      ...{ selected, chosen, edit, noun: NOUN, remove: remove.mutateAsync, restore: restore.mutateAsync },
      search: async (filter) => (await send(calls.search, { ...filter, paginate: false })).results,
      deleted: (count) => `${templates({ expected_count: count })} deleted`,
      ...{ noEdit: demo, noDelete: demo },
      between: rows.length === 1 ? all.filter((_, at) => (at === 0) !== rows[0]?.active) : all,
    })
  }
}
