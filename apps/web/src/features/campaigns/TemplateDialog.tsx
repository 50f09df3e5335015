import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template'
import { useRef, useState } from 'react'
import { useGrantedWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { askReauth } from '../../kit/dialog/useReauth.ts'
import { useUnsaved } from '../../kit/dialog/useUnsaved.ts'
import { toast } from '../../kit/display/toast.tsx'
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
  const create = useGrantedWrite(contract.template.create)
  const edit = useGrantedWrite(contract.template.edit)
  const { leave, done } = useUnsaved(!sameDraft(start, draft), 'this template')
  const busy = create.isPending || edit.isPending
  const problem = checked ? problemOf(draft) : ''
  const failed = create.error ?? edit.error
  const stale = failed?.status === 409 && template !== undefined

  const valid = (): boolean => {
    setChecked(true)
    create.reset()
    edit.reset()
    const first = firstWrong(fieldProblems(draft))
    if (first) form.current?.focus(first)
    return first === null
  }
  const saved = (id: string, words: string, name = draft.name.trim()) => {
    toast(words)
    done(() => onSaved(id, { name, sms_template: draft.sms, email_template: draft.email }))
  }
  const makeNew = async (active: boolean) => {
    if (busy || !valid()) return
    const granted = await askReauth({
      title: active ? `Activate “${draft.name.trim()}”?` : `Save “${draft.name.trim()}”?`,
      consequence: active
        ? 'The template can be used in campaigns at once. Nothing is sent by this.'
        : 'The template is kept as inactive: no campaign sends it until it is activated.',
      action: 'save',
      object: null,
      button: active ? 'Activate template' : 'Save as inactive',
    })
    if (!granted) return
    const input = { ...wireOf(draft), active }
    create.mutate(
      { input, grant: granted.grant },
      { onSuccess: ({ id }) => saved(id, active ? 'Template activated' : 'Template saved') },
    )
  }
  const save = async (old: Template) => {
    if (busy || !valid()) return
    const granted = await askReauth({
      title: `Save “${draft.name.trim()}”?`,
      consequence: savingChanges(old),
      action: 'save',
      object: old.template_id,
      button: 'Save Changes',
      saveAs: { noun: 'Template', name: draft.name === old.name ? `${old.name} (copy)` : draft.name.trim() },
    })
    if (!granted) return
    if (granted.as === 'new') {
      const input = { ...wireOf(draft), name: granted.name ?? draft.name, active: old.active }
      create.mutate(
        { input, grant: granted.grant },
        { onSuccess: ({ id }) => saved(id, 'Saved as a new template', input.name) },
      )
      return
    }
    const input = { id: old.template_id, template_id: old.template_id, ...wireOf(draft), version: old.version }
    edit.mutate({ input, grant: granted.grant }, { onSuccess: ({ id }) => saved(id, 'Template saved') })
  }
  return (
    <Dialog
      opened
      size="M"
      title={template ? 'Edit Template' : 'New Template'}
      onClose={() => leave(onClose)}
      closable={!busy}
      error={failed ? failed.message : problem || null}
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
