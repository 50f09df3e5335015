import { togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { useEffect, useId, useRef, useState } from 'react'
import type { Bound } from '../../kit/dialog/useFormDialog.ts'
import { Segments } from '../../kit/form/Segments.tsx'
import { AiPrompt } from './draft/AiPrompt.tsx'
import type { MessageEditorHandle } from './editor/MessageEditor.tsx'
import { MessagePreview } from './editor/MessagePreview.tsx'
import styles from './Template.module.css'
import { MessageField } from './TemplateFields.tsx'
import type { TemplateValues } from './template-values.ts'
import { useMessageGroups } from './useMessageGroups.ts'

type Mode = 'edit' | 'preview' | 'prompt'

/** A template's message: written, previewed and tested, or started from a draft. */
export function MessageTabs({ values, ...field }: Bound & { values: TemplateValues }) {
  const { value, onChange, error } = field
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const editor = useRef<MessageEditorHandle>(null)
  const [mode, setMode] = useState<Mode>('edit')
  const { ai } = useMessageGroups()
  const { email_template: email, sms_template: sms } = togglesOf(values.type)
  const write = () => {
    setMode('edit')
    // After the new mode has been drawn.
    setTimeout(() => editor.current?.focus())
  }
  // Problems with the message are fixed on the writing tab, whichever tab Save was pressed on.
  useEffect(() => {
    if (!error) return
    setMode('edit')
    const elsewhere = panel.current?.closest('form')?.contains(document.activeElement)
    if (!elsewhere) setTimeout(() => editor.current?.focus())
  }, [error])
  const show = (next: Mode) => {
    setMode(next)
    // Writing the same text clears the error mark; the next attempt sets it again.
    if (error) onChange(value)
  }
  return (
    <div>
      <Segments
        label="Message"
        kind="tabs"
        panelId={`${id}-panel`}
        options={[
          { value: 'edit', label: 'Write' },
          { value: 'preview', label: 'Preview and test' },
          { value: 'prompt', label: ai ? 'Ask AI' : 'Starter drafts' },
        ]}
        value={mode}
        onChange={show}
      />
      <div ref={panel} id={`${id}-panel`} role="tabpanel" aria-label="Message" className={styles.panel}>
        {mode === 'edit' ? <MessageField {...field} editor={editor} sms={sms} /> : null}
        {mode === 'preview' ? (
          <MessagePreview body={value} subject={email ? values.subject : null} sms={sms} email={email} />
        ) : null}
        {mode === 'prompt' ? (
          <AiPrompt
            values={values}
            onInsert={(text) => {
              onChange(text)
              write()
            }}
          />
        ) : null}
      </div>
    </div>
  )
}
