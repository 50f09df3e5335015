import { contract } from '@pillar/contract'
import { sending } from '@pillar/contract/message/sending'
import type { Template } from '@pillar/contract/template/template'
import { togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { send, useRead, useSend } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import type { FormWords } from '../../kit/dialog/form-words.ts'
import { MessageTabs } from './MessageTabs.tsx'
import { TemplateFields } from './TemplateFields.tsx'
import { EMPTY, problemsOf, valuesOf, wireOf } from './template-values.ts'
import { savingWords } from './template-words.ts'

const calls = contract.template
const NEW: FormWords = {
  title: 'New Template',
  button: 'Activate',
  busy: 'Activating...',
  done: 'Template activated',
  what: 'this template',
}
const EDIT: FormWords = {
  title: 'Edit Template',
  button: 'Save',
  busy: 'Saving...',
  done: 'Template saved',
  what: 'this template',
}

type Made = Pick<Template, 'template_id' | 'name' | 'sms_template' | 'email_template' | 'active'>

/** New Template: activated at once, or saved as inactive. */
export function NewTemplate({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  return (
    <FormDialog
      size="M"
      keeps
      words={NEW}
      done={(_, { active }) => (active ? NEW.done : EDIT.done)}
      also={{ label: 'Save as inactive', values: { active: false } }}
      call={calls.create}
      ask={({ name, active }) =>
        active
          ? {
              title: `Activate “${name}”?`,
              consequence: 'Campaigns can use it straight away. Nothing is sent now.',
              button: 'Activate template',
            }
          : {
              title: `Save “${name}”?`,
              consequence: 'Campaigns can’t send it until you activate it.',
              button: 'Save as inactive',
            }
      }
      initial={{ ...EMPTY, active: true }}
      input={({ active, ...now }) => ({ ...wireOf(now), active })}
      check={problemsOf}
      onClose={(answer, saved) => {
        if (!answer || !saved) return onClose()
        onMade({ template_id: answer.id, name: saved.name.trim(), active: saved.active, ...togglesOf(saved.type) })
      }}
    >
      {(f, now) => (
        <TemplateFields f={f} values={now} message={<MessageTabs {...f('body', 'Message')} values={now} />} />
      )}
    </FormDialog>
  )
}

interface EditTemplateProps {
  template: Template
  onClose: () => void
  /** Gets the template's id, or the copy's. */
  onSaved: (id: string) => void
}

/** Edit Template: changes it, or saves a copy under another name. */
export function EditTemplate({ template, onClose, onSaved }: EditTemplateProps) {
  const { template_id: id, name: old, active } = template
  const sendNow = useSend()
  const approval = useRead(sending.rules, {}).data?.approval
  return (
    <FormDialog
      size="M"
      keeps
      words={EDIT}
      done={(answer) => (answer.id === id ? EDIT.done : 'Copy saved')}
      call={calls.edit}
      ask={({ id: _, template_id: __, version: ___, ...text }) => ({
        title: `Save “${text.name}”?`,
        consequence: savingWords(template, approval),
        button: 'Update this template',
        saveAs: {
          noun: 'Template',
          name: text.name === old || !text.name ? `${old} (copy)` : text.name,
          make: async ({ name, grant }) => {
            const { id: made } = await sendNow(calls.create, { ...text, name: name ?? old, active }, grant)
            return { id: made, version: 1 }
          },
        },
      })}
      initial={valuesOf(template)}
      input={(now) => ({ id, template_id: id, ...wireOf(now), version: now.version })}
      check={problemsOf}
      latest={async () => valuesOf(await send(calls.info, { id }))}
      onClose={(answer) => (answer ? onSaved(answer.id) : onClose())}
    >
      {(f, now) => (
        <TemplateFields f={f} values={now} message={<MessageTabs {...f('body', 'Message')} values={now} />} />
      )}
    </FormDialog>
  )
}
