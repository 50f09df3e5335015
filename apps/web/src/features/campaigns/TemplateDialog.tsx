import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template'
import { useRef, useState } from 'react'
import { useSend } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { type Granted, verify } from '../../kit/dialog/question.ts'
import { useUnsaved } from '../../kit/dialog/useUnsaved.ts'
import { toast } from '../../kit/display/toast.tsx'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { TemplateForm, type TemplateFormHandle } from './TemplateForm.tsx'
import { draftOf, EMPTY_DRAFT, fieldProblems, firstWrong, problemOf, sameDraft, wireOf } from './template-draft.ts'

type SavedTemplate = Pick<Template, 'name' | 'sms_template' | 'email_template'>

interface TemplateDialogProps {
  /** The template to change; without one, a new one. */
  template?: Template
  onClose: () => void
  /** It is saved; the id of the template (a new one's when saved as new) and what it is now. */
  onSaved: (templateId: string, saved: SavedTemplate) => void
  /** Somebody else saved meanwhile: goes to what they saved. */
  onStale?: () => void
}

/** New Template and Edit Template: the same form, an Activate or a Save button. */
export function TemplateDialog({ template: given, onClose, onSaved, onStale }: TemplateDialogProps) {
  // As it was opened: a list read anew meanwhile must not lift the version this editor started from.
  const [template] = useState(given)
  const [start] = useState(() => (template ? draftOf(template) : EMPTY_DRAFT))
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const form = useRef<TemplateFormHandle>(null)
  const sendNow = useSend()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const { leave, done } = useUnsaved(!sameDraft(start, draft), 'this template')
  const problem = checked ? problemOf(draft) : ''
  const stale = failed instanceof RefusedError && failed.status === 409 && template !== undefined

  const valid = (): boolean => {
    setChecked(true)
    setFailed(null)
    const first = firstWrong(fieldProblems(draft))
    if (first) form.current?.focus(first)
    return first === null
  }
  const saved = (id: string, words: string, name = draft.name.trim()) => {
    toast(words)
    done(() => onSaved(id, { name, sms_template: draft.sms, email_template: draft.email }))
  }
  /** The password is asked for; what is refused beside a field or for a newer version is said here. */
  const ask = async (question: Parameters<typeof verify>[0], after: (granted: Granted) => void) => {
    setBusy(true)
    try {
      const granted = await verify(question)
      if (granted) after(granted)
    } catch (thrown) {
      setFailed(thrown)
    } finally {
      setBusy(false)
    }
  }
  const makeNew = async (active: boolean) => {
    if (busy || !valid()) return
    let made = ''
    await ask(
      {
        title: active ? `Activate “${draft.name.trim()}”?` : `Save “${draft.name.trim()}”?`,
        consequence: active
          ? 'The template can be used in campaigns at once. Nothing is sent by this.'
          : 'The template is kept as inactive: no campaign sends it until it is activated.',
        action: 'save',
        object: null,
        button: active ? 'Activate template' : 'Save as inactive',
        act: async ({ grant }) => {
          made = (await sendNow(contract.template.create, { ...wireOf(draft), active }, grant)).id
        },
      },
      () => saved(made, active ? 'Template activated' : 'Template saved'),
    )
  }
  const save = async (old: Template) => {
    if (busy || !valid()) return
    let id = old.template_id
    const newName = (granted: Granted) => granted.name ?? draft.name
    await ask(
      {
        title: `Save “${draft.name.trim()}”?`,
        consequence: savingChanges(old),
        action: 'save',
        object: old.template_id,
        button: 'Save Changes',
        saveAs: { noun: 'Template', name: draft.name === old.name ? `${old.name} (copy)` : draft.name.trim() },
        act: async (granted) => {
          const fresh = { ...wireOf(draft), name: newName(granted), active: old.active }
          const changed = { id, template_id: id, ...wireOf(draft), version: old.version }
          if (granted.as === 'new') id = (await sendNow(contract.template.create, fresh, granted.grant)).id
          else await sendNow(contract.template.edit, changed, granted.grant)
        },
      },
      (granted) =>
        granted.as === 'new' ? saved(id, 'Saved as a new template', newName(granted)) : saved(id, 'Template saved'),
    )
  }
  return (
    <Dialog
      opened
      size="M"
      title={template ? 'Edit Template' : 'New Template'}
      onClose={() => leave(onClose)}
      closable={!busy}
      error={failed ? wordsOf(failed) : problem || null}
      footLeft={
        stale && onStale ? (
          <Button onClick={() => leave(onStale)}>Open what was saved</Button>
        ) : template ? null : (
          <Button variant="subtle" disabled={busy} onClick={() => void makeNew(false)}>
            Save as inactive
          </Button>
        )
      }
      foot={
        <>
          <Button onClick={() => leave(onClose)} disabled={busy}>
            Cancel
          </Button>
          <Button
            variant="filled"
            aria-disabled={busy}
            onClick={() => void (template ? save(template) : makeNew(true))}
          >
            {template ? (busy ? 'Saving...' : 'Save') : busy ? 'Activating...' : 'Activate'}
          </Button>
        </>
      }
    >
      <TemplateForm ref={form} draft={draft} onChange={setDraft} checked={checked} />
    </Dialog>
  )
}

function savingChanges(template: Template): string {
  const active = template.campaigns.filter((campaign) => campaign.active).map((campaign) => campaign.campaign_name)
  const rest = 'Messages already written keep their text.'
  if (active.length === 0) return rest
  return `Active campaigns that use it send the new text from now on: ${active.join(', ')}. ${rest}`
}
