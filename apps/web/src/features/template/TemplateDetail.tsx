import { Button, Switch } from '@mantine/core'
import type { Template } from '@pillar/contract/template/template'
import { counted, isolated } from '@pillar/domain/text/sentence'
import { Pencil } from 'lucide-react'
import { dayOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import { MessageText } from './editor/MessageText.tsx'
import { countWords } from './editor/message-count.ts'
import styles from './Template.module.css'
import { TemplateTags } from './TemplateTags.tsx'
import { KIND_NAMES } from './template-values.ts'

/** One template for reading: status, its campaigns and sequences, types, subject and message. */
export function TemplateDetail({ template, onEdit }: { template: Template; onEdit: () => void }) {
  const { campaigns, sequences, email_template, sms_template, subject } = template
  return (
    <div className={styles.detail}>
      <Head template={template} onEdit={onEdit} />
      <div className={styles.pair}>
        <fieldset className={styles.types}>
          <legend>Type</legend>
          <Switch label="Email" checked={email_template} disabled readOnly />
          <Switch label="SMS" checked={sms_template} disabled readOnly />
        </fieldset>
        <div>
          <span className={styles.label}>Kind of message</span>
          {KIND_NAMES[template.message_kind]}
        </div>
      </div>
      <div>
        <span className={styles.label}>Campaigns</span>
        {campaigns.length === 0 ? <span className={styles.note}>No campaign uses this template.</span> : null}
        <Users
          label="Campaigns"
          users={campaigns.map(({ campaign_name: name, active }) => ({ name, words: name, active }))}
        />
      </div>
      {sequences.length > 0 ? (
        <div>
          <span className={styles.label}>Sequences</span>
          <Users
            label="Sequences"
            users={sequences.map(({ sequence_name: name, pharmacies, active }) => {
              return { name, words: `${isolated(name)}, ${counted(pharmacies, 'pharmacy', 'pharmacies')}`, active }
            })}
          />
        </div>
      ) : null}
      {email_template ? (
        <div>
          <span className={styles.label}>Subject</span>
          {subject ? <MessageText text={subject} /> : <span className={styles.note}>No subject</span>}
        </div>
      ) : null}
      <Message template={template} />
    </div>
  )
}

/** Name, status, author and date, and Edit. */
function Head({ template, onEdit }: { template: Template; onEdit: () => void }) {
  const { name, author, demo, created_at } = template
  const country = useCountry()
  return (
    <div className={styles.head}>
      <div>
        <h2>{name}</h2>
        <div className={styles.tags}>
          <TemplateTags active={template.active} recommended={template.template_recommendation_id !== null} />
          <span className={styles.by}>
            {author ? `By ${author}, ` : ''}
            {dayOf(country, created_at)}
          </span>
        </div>
      </div>
      {demo ? (
        <span className={styles.note}>Demo templates cannot be edited or deleted.</span>
      ) : (
        <Button leftSection={<Icon of={Pencil} size={15} />} onClick={onEdit}>
          Edit
        </Button>
      )}
    </div>
  )
}

/** What uses a template, with a note on each inactive one. */
function Users({ label, users }: { label: string; users: { name: string; words: string; active: boolean }[] }) {
  if (users.length === 0) return null
  return (
    <ul className={styles.attached} aria-label={label}>
      {users.map(({ name, words, active }) => (
        <li key={name}>
          {words}
          {active ? '' : ' (inactive)'}
        </li>
      ))}
    </ul>
  )
}

/** The message, and the cost of its text. */
function Message({ template: { body, sms_template } }: { template: Template }) {
  const country = useCountry()
  const cost = sms_template ? countWords(body, country) : null
  return (
    <div>
      <span className={styles.label}>Message</span>
      <div className={styles.body}>
        <MessageText text={body} sms={sms_template} />
      </div>
      {cost ? (
        <p className={styles.cost}>
          {cost.length} · {cost.cost}
        </p>
      ) : null}
      {cost?.forced ? <p className={styles.cost}>{cost.forced}</p> : null}
    </div>
  )
}
