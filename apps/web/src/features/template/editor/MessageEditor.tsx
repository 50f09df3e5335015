import { Button, Menu } from '@mantine/core'
import type { MergeField } from '@pillar/domain/message/merge-field'
import { ChevronDown, CircleAlert, MessageSquareText, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, type Ref, useId, useImperativeHandle } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { useCountry } from '../../../session/session.ts'
import styles from './MessageEditor.module.css'
import { CAMPAIGN_FIELDS, fieldLabel } from './message-chips.ts'
import { countWords } from './message-count.ts'
import { useMessageView } from './useMessageView.ts'

export interface MessageEditorHandle {
  focus: () => void
}

interface MessageEditorProps {
  label: string
  /** The name of its form field, by which the form focuses it. */
  name?: string
  /** Plain text with fields in braces, as stored. */
  value: string
  onChange: (value: string) => void
  /** Whether it is sent as a text: the opt-out line, length and cost are shown. */
  sms: boolean
  /** The fields offered; by default those of a campaign. */
  fields?: readonly MergeField[]
  error?: string
  /** A single line without a count, for a subject. */
  singleLine?: boolean
  /** More buttons beside 'Merge field'. */
  tools?: ReactNode
  ref?: Ref<MessageEditorHandle>
}

/** The only editor for messages: plain text in which fields appear as chips, with the cost of a text. */
export function MessageEditor(props: MessageEditorProps) {
  const { label, name, value, onChange, sms, fields = CAMPAIGN_FIELDS, error, singleLine = false, tools, ref } = props
  const id = useId()
  const described = [error ? `${id}-error` : '', sms ? `${id}-count` : ''].filter(Boolean).join(' ')
  const { area, fallback, ready, view } = useMessageView({
    value,
    onChange,
    fields,
    singleLine,
    optOut: sms && !singleLine,
    attributes: {
      'aria-labelledby': `${id}-label`,
      'aria-multiline': String(!singleLine),
      ...(described ? { 'aria-describedby': described } : {}),
      ...(error ? { 'aria-invalid': 'true' } : {}),
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
    },
  })
  const focus = () => (view.current ? view.current.focus() : fallback.current?.focus())
  useImperativeHandle(ref, () => ({ focus }))
  const insert = (field: MergeField) => {
    if (view.current) view.current.insertField(field)
    else onChange(`${value}{${fieldLabel(field)}}`)
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard reaches the editor itself. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <span id={`${id}-label`} className={styles.label} onClick={focus}>
        {label}
      </span>
      {error ? (
        <p id={`${id}-error`} className={styles.problem}>
          <Icon of={CircleAlert} size={14} /> {error}
        </p>
      ) : null}
      <div className={error ? `${styles.box} ${styles.wrong}` : styles.box}>
        {singleLine ? null : (
          <div className={styles.tools}>
            <FieldButton fields={fields} onPick={insert} />
            {tools}
          </div>
        )}
        <div ref={area} data-field={name} className={singleLine ? styles.area : `${styles.area} ${styles.text}`}>
          {ready ? null : (
            <textarea
              ref={fallback}
              aria-labelledby={`${id}-label`}
              aria-describedby={described || undefined}
              aria-invalid={error ? true : undefined}
              value={value}
              rows={singleLine ? 1 : 5}
              style={singleLine ? { minHeight: '2.375rem', padding: '0.5rem 0.75rem' } : undefined}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          )}
        </div>
        {sms && !singleLine ? <Count id={`${id}-count`} value={value} /> : null}
      </div>
    </div>
  )
}

function FieldButton({ fields, onPick }: { fields: readonly MergeField[]; onPick: (field: MergeField) => void }) {
  return (
    <Menu returnFocus={false}>
      <Menu.Target>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Icon of={Plus} size={15} />}
          rightSection={<Icon of={ChevronDown} size={13} />}
        >
          Merge field
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {fields.map((field) => (
          <Menu.Item key={field} onClick={() => setTimeout(() => onPick(field))}>
            {fieldLabel(field)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Count({ id, value }: { id: string; value: string }) {
  const words = countWords(value, useCountry())
  return (
    <>
      <div id={id} className={styles.foot}>
        <span className={styles.length}>
          <Icon of={MessageSquareText} size={14} /> {words.length}
        </span>
        <b>{words.cost}</b>
      </div>
      <div role="status">
        {[words.tooLong, words.forced].filter(Boolean).map((warning) => (
          <p key={warning} className={styles.warning}>
            <Icon of={TriangleAlert} size={14} /> {warning}
          </p>
        ))}
      </div>
    </>
  )
}
