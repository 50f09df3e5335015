import { contract } from '@pillar/contract'
import type { AdminTemplate } from '@pillar/contract/template/template-admin'
import { CirclePause, CirclePlay, Pencil, Trash2 } from 'lucide-react'
import { send, useWrite } from '../../../api/client.ts'
import type { Act } from '../../../kit/list/acts.tsx'
import { restoring, toastDeleted } from '../../../kit/list/removed.ts'
import { chosenOf } from '../../../kit/list/selection.ts'
import type { Selected } from '../../../kit/list/useSelection.ts'
import { Affected } from './Affected.tsx'
import { type Edited, templates } from './template-admin.ts'

const calls = contract.templateAdmin
type Chosen = Pick<Selected<AdminTemplate, object>, 'rows' | 'filter' | 'count' | 'clear'>

/** What can be done to templates of companies and global ones, one or many. */
export function useTemplateActs(edit: (edited: Edited) => void): (selected: Chosen) => Act[] {
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${templates(input)}?`,
      consequence: (
        <Affected chosen={input}>
          What was sent stays in the records. It can be restored for 30 days, inactive and out of its campaigns.
        </Affected>
      ),
      button: `Delete ${templates(input)}`,
      danger: true,
    }),
  })
  const restore = useWrite(calls.restore, { done: 'Template restored, inactive' })
  const status = useWrite(calls.editActiveStatus, {
    ask: ({ active, ...chosen }) => {
      const verb = active ? 'Activate' : 'Deactivate'
      const what = active ? 'Campaigns can send them again.' : 'No campaign sends them until they are activated again.'
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
    const { rows, filter, clear } = selected
    const chosen = chosenOf('template_ids', selected, ({ uuid }: AdminTemplate) => uuid)
    const [one] = rows.length === 1 ? rows : []
    const back = one && (() => restore.mutateAsync({ id: one.uuid }))
    if (rows.some((row) => row.removed_at !== null)) return restoring(back)
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
    return [
      {
        label: 'Edit',
        icon: Pencil,
        disabled: demo,
        run: async () => {
          const matching = filter ? (await send(calls.search, { ...filter, paginate: false })).results : rows
          edit({ rows: matching, chosen, clear })
        },
      },
      ...(rows.length === 1 ? all.filter((_, at) => (at === 0) !== rows[0]?.active) : all),
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled: demo,
        run: async () => {
          const answer = await remove.mutateAsync(chosen)
          if (!answer) return
          clear()
          toastDeleted(`${templates({ expected_count: answer.deleted })} deleted`, back)
        },
      },
    ]
  }
}
