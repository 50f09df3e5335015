import { Button, Switch } from '@mantine/core'
import type { Template } from '@pillar/contract/template'
import { fromYmd } from '@pillar/domain/day'
import { formatDate } from '@pillar/domain/locale'
import { counted } from '@pillar/domain/sentence'
import { Pencil } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import { MessageText } from '../template/editor/MessageText.tsx'
import { countWords } from '../template/editor/message-count.ts'
import styles from './Template.module.css'
import { TemplateTags } from './TemplateTags.tsx'
import { KIND_NAMES } from './template-draft.ts'

/** One template to be read: status, campaigns it is attached to, sequences that use it, types, subject and message. */
export function TemplateDetail({ template, onEdit }: { template: Template; onEdit: () => void }) {
  const country = useCountry()
  const { campaigns, sequences, demo, author } = template
  const cost = template.sms_template ? countWords(template.body, country) : null
  return (
    <div className={styles.detail}>
      <div className={styles.head}>
        <div>
          <h2>{template.name}</h2>
          <div className={styles.tags}>
            <TemplateTags active={template.active} recommended={template.template_recommendation_id !== null} />
            <span className={styles.by}>
              {author ? `By ${author}, ` : ''}
              {formatDate(country, dayHere(template.created_at))}
            </span>
          </div>
        </div>
        {demo ? (
          <span className={styles.note}>A demo template: it cannot be edited or deleted.</span>
        ) : (
          <Button leftSection={<Icon of={Pencil} size={15} />} onClick={onEdit}>
            Edit
          </Button>
        )}
      </div>
      <div className={styles.pair}>
        <fieldset className={styles.types}>
          <legend>Type</legend>
          <Switch label="Email" checked={template.email_template} disabled readOnly />
          <Switch label="SMS" checked={template.sms_template} disabled readOnly />
        </fieldset>
        <div>
          <span className={styles.label}>Kind of message</span>
          {KIND_NAMES[template.message_kind]}
        </div>
      </div>
      <div>
        <span className={styles.label}>Campaigns</span>
        {campaigns.length === 0 ? (
          <span className={styles.note}>No campaign uses this template.</span>
        ) : (
          <ul className={styles.attached} aria-label="Campaigns">
            {campaigns.map((campaign) => (
              <li key={campaign.campaign_id}>
                {campaign.campaign_name}
                {campaign.active ? '' : ' (inactive)'}
              </li>
            ))}
          </ul>
        )}
      </div>
      {sequences.length > 0 ? (
        <div>
          <span className={styles.label}>Sequences</span>
          <ul className={styles.attached} aria-label="Sequences">
            {sequences.map(({ sequence_name, pharmacies, active }) => (
              <li key={sequence_name}>
                {sequence_name}, {counted(pharmacies, 'pharmacy', 'pharmacies')}
                {active ? '' : ' (inactive)'}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {template.email_template ? (
        <div>
          <span className={styles.label}>Subject</span>
          {template.subject ? <MessageText text={template.subject} /> : <span className={styles.note}>No subject</span>}
        </div>
      ) : null}
      <div>
        <span className={styles.label}>Message</span>
        <div className={styles.body}>
          <MessageText text={template.body} sms={template.sms_template} />
        </div>
        {cost ? (
          <p className={styles.cost}>
            {cost.length} · {cost.cost}
          </p>
        ) : null}
        {cost?.forced ? <p className={styles.cost}>{cost.forced}</p> : null}
      </div>
    </div>
  )
}

/** The day of an instant by the clock of whoever looks. */
function dayHere(instant: string) {
  const at = new Date(instant)
  return fromYmd(at.getFullYear(), at.getMonth() + 1, at.getDate())
}
