import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template'
import { useState } from 'react'
import { send, useSend } from '../../api/client.ts'
import { verify } from '../../kit/dialog/question.ts'
import { toast } from '../../kit/display/toast.tsx'
import { wordsOf } from '../../shared/refused.ts'
import { deleteWords, switchWords } from './template-words.ts'

type Doing = 'looking' | 'switching' | 'deleting'

/** Activate, deactivate and delete a template: first the campaigns and sequences it touches, then the password. Failures are said in the foot. */
export function useTemplateActions(template: Template | null, onDeleted: () => void) {
  const [doing, setDoing] = useState<{ id: string; what: Doing } | null>(null)
  const [failed, setFailed] = useState<{ id: string; message: string } | null>(null)
  const sendNow = useSend()

  const run = async (what: Doing, id: string, act: () => Promise<void>) => {
    setFailed(null)
    setDoing({ id, what: 'looking' })
    try {
      await act()
    } catch (thrown) {
      setFailed({
        id,
        message: `${what === 'deleting' ? 'The template was not deleted' : 'The template was not changed'}. ${wordsOf(thrown)}`,
      })
    } finally {
      setDoing(null)
    }
  }
  const toggle = ({ template_id: id, name, active }: Template) =>
    run('switching', id, async () => {
      const touched = await send(contract.template.affected, { id, active: !active })
      const granted = await verify({
        title: `${active ? 'Deactivate' : 'Activate'} “${name}”?`,
        consequence: switchWords(!active, touched),
        action: active ? 'deactivate' : 'activate',
        object: id,
        button: active ? 'Deactivate template' : 'Activate template',
        act: ({ grant }) => sendNow(contract.template.activate, { id, active: !active }, grant),
      })
      if (granted) toast(active ? `“${name}” is inactive` : `“${name}” is active`)
    })
  const erase = ({ template_id: id, name }: Template) =>
    run('deleting', id, async () => {
      const touched = await send(contract.template.affected, { id })
      const granted = await verify({
        title: `Delete “${name}”?`,
        consequence: deleteWords(touched),
        action: 'delete',
        object: id,
        button: 'Delete template',
        danger: true,
        act: ({ grant }) => sendNow(contract.template.remove, { id }, grant),
      })
      if (!granted) return
      toast(`“${name}” is deleted`)
      onDeleted()
    })
  const own = template && doing?.id === template.template_id ? doing.what : null
  return {
    toggle: () => template && !doing && void toggle(template),
    erase: () => template && !doing && void erase(template),
    switching: own === 'switching',
    deleting: own === 'deleting',
    busy: doing !== null,
    error: template && failed?.id === template.template_id ? failed.message : null,
  }
}
