import { Switch } from '@mantine/core'
import { type TemplateUse, togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { MERGE_FIELD_NAMES } from '@pillar/domain/message/merge-field'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Bind, Bound } from '../../kit/dialog/useFormDialog.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { MessageEditor } from './editor/MessageEditor.tsx'
import { CAMPAIGN_FIELDS } from './editor/message-chips.ts'
import styles from './TemplateFields.module.css'
import { KINDS, kindWords, offerWords, type TemplateValues, typeOf } from './template-values.ts'

interface TemplateFieldsProps<V extends TemplateValues> {
  f: Bind<V>
  values: V
  /** Who sends it: clinical trials have fields of their own. Default: a company. */
  use?: TemplateUse
  /** In place of the bare message editor. */
  message?: ReactNode
}

/** The fields of a template: name, type, kind, subject for an e-mail, and the message. */
export function TemplateFields<V extends TemplateValues>({
  f,
  values,
  use = 'company',
  message,
}: TemplateFieldsProps<V>) {
  const fields = use === 'trial' ? MERGE_FIELD_NAMES : CAMPAIGN_FIELDS
  const { email_template, sms_template } = togglesOf(values.type)
  const offer = offerWords({ ...values, subject: email_template ? values.subject : '' })
  return (
    <>
      <TextField {...f('name', 'Template name')} data-autofocus />
      <div className={styles.pair}>
        <TypeField {...f('type', 'Type')} />
        <div>
          <SelectField
            {...f('message_kind', 'Kind of message')}
            description={kindWords(values.message_kind)}
            options={values.message_kind === '' ? [{ value: '', label: 'As they are' }, ...KINDS] : KINDS}
          />
          <p className={styles.offer} role="status">
            {offer ? (
              <>
                <Icon of={TriangleAlert} size={14} /> {offer}
              </>
            ) : null}
          </p>
        </div>
      </div>
      {email_template ? <MessageField {...f('subject', 'Subject')} fields={fields} singleLine sms={false} /> : null}
      {message ?? <MessageField {...f('body', 'Message')} fields={fields} sms={sms_template} />}
    </>
  )
}

/** Email and SMS, each on or off. */
function TypeField({ name, label, value, onChange, error }: Bound) {
  const on = togglesOf(value)
  const set = (change: Partial<typeof on>) => onChange(typeOf({ ...on, ...change }))
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
export function MessageField({ name, label, value, onChange, error, sms, singleLine, fields, editor }: Bound) {
  return (
    <MessageEditor
      ref={editor}
      name={name}
      label={label}
      value={value}
      onChange={onChange}
      sms={sms}
      singleLine={singleLine}
      fields={fields}
      {...(error ? { error } : {})}
    />
  )
}
