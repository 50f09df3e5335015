import { Switch } from '@mantine/core'
import { type CommunicationType, communicationType, togglesOf } from '@pillar/domain/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent'
import { CircleAlert } from 'lucide-react'
import type { Bind, Bound } from '../../kit/dialog/useFormDialog.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { MessageEditor } from './editor/MessageEditor.tsx'
import styles from './TemplateFields.module.css'

/** What a template's form holds, of every kind. */
export type TemplateValues = {
  name: string
  type: CommunicationType | null
  message_kind: ConsentKind | ''
  subject: string
  body: string
  version: number | null
}

export const EMPTY: TemplateValues = {
  name: '',
  type: 'sms',
  message_kind: 'health_outreach',
  subject: '',
  body: '',
  version: null,
}

export const KINDS = [
  { value: 'health_outreach', label: 'Health outreach' },
  { value: 'marketing', label: 'Marketing' },
] as const

/** The fields of a template: name, type, kind, subject for an e-mail, and the message. */
export function TemplateFields<V extends TemplateValues>({ f, values }: { f: Bind<V>; values: V }) {
  const { email_template, sms_template } = togglesOf(values.type)
  return (
    <>
      <TextField {...f('name', 'Template name')} data-autofocus />
      <TypeField {...f('type', 'Type')} />
      <SelectField
        {...f('message_kind', 'Kind of message')}
        description="Only patients who agreed to this kind get it."
        options={values.message_kind === '' ? [{ value: '', label: 'As they are' }, ...KINDS] : KINDS}
      />
      {email_template ? <MessageField {...f('subject', 'Subject')} singleLine sms={false} /> : null}
      <MessageField {...f('body', 'Message')} sms={sms_template} />
    </>
  )
}

/** Email and SMS, each on or off. */
function TypeField({ name, label, value, onChange, error }: Bound) {
  const on = togglesOf(value)
  const set = (change: Partial<typeof on>) => {
    const { sms_template: sms, email_template: email } = { ...on, ...change }
    onChange(sms || email ? communicationType(sms, email) : null)
  }
  return (
    <fieldset className={styles.types} data-field={name}>
      <legend>{label}</legend>
      {error ? (
        <p className={styles.problem}>
          <Icon of={CircleAlert} size={14} /> {error}
        </p>
      ) : null}
      <Switch
        label="Email"
        checked={on.email_template}
        onChange={(event) => set({ email_template: event.currentTarget.checked })}
      />
      <Switch
        label="SMS"
        checked={on.sms_template}
        onChange={(event) => set({ sms_template: event.currentTarget.checked })}
      />
    </fieldset>
  )
}

/** The message editor as a field of a form. */
function MessageField({ name, label, value, onChange, error, sms, singleLine = false }: Bound) {
  return (
    <div data-field={name}>
      <MessageEditor
        label={label}
        value={value}
        onChange={onChange}
        sms={sms}
        singleLine={singleLine}
        {...(error ? { error } : {})}
      />
    </div>
  )
}
