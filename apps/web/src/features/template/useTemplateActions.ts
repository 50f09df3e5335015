import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template/template'
import { useRef } from 'react'
import { send, useWrite } from '../../api/client.ts'
import { deleteWords, switchWords } from './template-words.ts'

const calls = contract.template

/** Activate, deactivate and delete a template: it names the campaigns and sequences affected, then asks for the password. Failures show in the dialog's footer. */
export function useTemplateActions(template: Template | null, onDeleted: () => void) {
  const id = template?.template_id
  // The name of this template, because another may be on screen when the toast appears.
  const name = useRef('')
  const activate = useWrite(calls.activate, {
    ask: async ({ id, active }) => ({
      title: `${active ? 'Activate' : 'Deactivate'} “${name.current}”?`,
      consequence: switchWords(active, await send(calls.affected, { id, active })),
      button: active ? 'Activate template' : 'Deactivate template',
    }),
    done: ({ active }) => (active ? `“${name.current}” is active` : `“${name.current}” is inactive`),
  })
  const remove = useWrite(calls.remove, {
    ask: async ({ id }) => ({
      title: `Delete “${name.current}”?`,
      consequence: deleteWords(await send(calls.affected, { id })),
      button: 'Delete template',
      danger: true,
    }),
    done: () => `“${name.current}” is deleted`,
  })
  const busy = activate.isPending || remove.isPending
  const failed = (write: typeof activate | typeof remove, what: string) =>
    write.error && write.variables?.id === id ? `${what} ${write.error.message}` : null
  return {
    toggle: () => {
      if (!template || busy) return
      name.current = template.name
      remove.reset()
      activate.mutate({ id: template.template_id, active: !template.active })
    },
    erase: () => {
      if (!template || busy) return
      name.current = template.name
      activate.reset()
      remove.mutate({ id: template.template_id }, { onSuccess: (answer) => answer && onDeleted() })
    },
    switching: activate.isPending && activate.variables.id === id,
    deleting: remove.isPending && remove.variables.id === id,
    busy,
    error: failed(activate, 'The template was not changed.') ?? failed(remove, 'The template was not deleted.'),
  }
}
