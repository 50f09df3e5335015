import { Switch, TextInput } from '@mantine/core'
import { CONSENT_KINDS } from '@pillar/domain/consent'
import { CircleAlert } from 'lucide-react'
import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { MessageEditor, type MessageEditorHandle } from '../template/editor/MessageEditor.tsx'
import { MessagePreview } from '../template/editor/MessagePreview.tsx'
import { AiPrompt } from './AiPrompt.tsx'
import styles from './Template.module.css'
import { fieldProblems, KIND_NAMES, type TemplateDraft, type TemplateField } from './template-draft.ts'
import { useMessageGroups } from './useMessageGroups.ts'

export interface TemplateFormHandle {
  focus: (field: TemplateField) => void
}

interface TemplateFormProps {
  draft: TemplateDraft
  onChange: (draft: TemplateDraft) => void
  /** Save was tried: what is wrong stands beside each field. */
  checked: boolean
  ref?: Ref<TemplateFormHandle>
}

type Mode = 'edit' | 'preview' | 'prompt'

/** The fields of a template: name, type, kind, subject for an e-mail, and the message with its preview and prompt. */
export function TemplateForm({ draft, onChange, checked, ref }: TemplateFormProps) {
  const id = useId()
  const [mode, setMode] = useState<Mode>('edit')
  const name = useRef<HTMLInputElement>(null)
  const type = useRef<HTMLInputElement>(null)
  const subject = useRef<MessageEditorHandle>(null)
  const body = useRef<MessageEditorHandle>(null)
  const groups = useMessageGroups()
  const problems = checked ? fieldProblems(draft) : {}
  const set = (change: Partial<TemplateDraft>) => onChange({ ...draft, ...change })
  useImperativeHandle(ref, () => ({
    focus: (field) => {
      if (field === 'body') setMode('edit')
      // After the mode has been drawn.
      setTimeout(() => ({ name, type, subject, body })[field].current?.focus())
    },
  }))
  return (
    <div className={styles.form}>
      <TextInput
        ref={name}
        label="Template name"
        data-autofocus
        maxLength={200}
        value={draft.name}
        error={problems.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <fieldset className={styles.types} aria-describedby={problems.type ? `${id}-type` : undefined}>
          <legend>Type</legend>
          {problems.type ? (
            <p id={`${id}-type`} className={styles.problem}>
              <Icon of={CircleAlert} size={14} /> {problems.type}
            </p>
          ) : null}
          <Switch
            ref={type}
            label="Email"
            checked={draft.email}
            onChange={(event) => set({ email: event.currentTarget.checked })}
          />
          <Switch label="SMS" checked={draft.sms} onChange={(event) => set({ sms: event.currentTarget.checked })} />
        </fieldset>
        <div>
          <span className={styles.label}>Kind of message</span>
          <Segments
            label="Kind of message"
            options={CONSENT_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))}
            value={draft.kind}
            onChange={(kind) => set({ kind })}
          />
          <p className={styles.hint}>Only patients who agreed to this kind get it.</p>
        </div>
      </div>
      {draft.email ? (
        <MessageEditor
          ref={subject}
          label="Subject"
          singleLine
          sms={false}
          value={draft.subject}
          onChange={(text) => set({ subject: text })}
          {...(problems.subject ? { error: problems.subject } : {})}
        />
      ) : null}
      <div>
        <Segments
          label="Message"
          kind="tabs"
          panelId={`${id}-panel`}
          options={[
            { value: 'edit', label: 'Write' },
            { value: 'preview', label: 'Preview and test' },
            { value: 'prompt', label: groups.ai ? 'Ask AI' : 'Starter drafts' },
          ]}
          value={mode}
          onChange={setMode}
        />
        <div id={`${id}-panel`} role="tabpanel" aria-label="Message" className={styles.panel}>
          {mode === 'edit' ? (
            <MessageEditor
              ref={body}
              label="Message"
              sms={draft.sms}
              value={draft.body}
              onChange={(text) => set({ body: text })}
              {...(problems.body ? { error: problems.body } : {})}
            />
          ) : mode === 'preview' ? (
            <MessagePreview
              body={draft.body}
              subject={draft.email ? draft.subject : null}
              sms={draft.sms}
              email={draft.email}
            />
          ) : (
            <AiPrompt
              draft={draft}
              onInsert={(text) => {
                set({ body: text })
                setMode('edit')
                setTimeout(() => body.current?.focus())
              }}
            />
          )}
        </div>
      </div>
    </div>
  )
}
