import type { CampaignApproval } from '@pillar/contract/campaign/campaign-approval'
import { goalText } from '@pillar/domain/campaign/goal'
import { capital, counted, listOf } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { Fragment } from 'react'
import { filterWords } from '../../cohort/cohort-draft.ts'
import { useCohortLists } from '../../cohort/useCohortLists.ts'
import { KIND_NAMES } from '../../template/template-values.ts'
import { datesWords } from '../campaign-words.ts'
import styles from './Approval.module.css'
import { keptBackWords, limitWords } from './approval-words.ts'

/** Everything the hash covers. Only a long list of pharmacies is shortened, and it can be opened. */
export type Content = NonNullable<CampaignApproval['content']>

interface FactsProps {
  approval: CampaignApproval
  content: Content
  country: Country
}

/** Everything covered by the approval except the texts. */
export function ApprovalFacts({ approval, content, country }: FactsProps) {
  const { nameOf } = useCohortLists()
  const { goal_type: type, measure_by: measureBy, goal: amount } = content
  const rows = [
    { label: 'Asked by', value: approval.asked_by ?? 'Somebody' },
    { label: 'Dates', value: datesWords(content, country) },
    { label: 'Goal', value: goalText(country, { type, measureBy, amount }) },
    { label: 'Note', value: content.note ?? '' },
    ...filterWords(content.filters, country, nameOf, Number.POSITIVE_INFINITY),
    { label: 'Kept back', value: keptBackWords(content.holdout_percent) },
  ].filter(({ value }) => value !== '')
  return (
    <dl className={styles.facts}>
      {rows.map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
      <dt>Pharmacies</dt>
      <dd>
        <Pharmacies names={content.pharmacies.map(({ name }) => name)} />
      </dd>
      <dt>You agree to</dt>
      <dd>
        {capital(limitWords(approval, country))}. Beyond that, or once anything is changed, nothing is sent. It still
        has to be activated.
      </dd>
    </dl>
  )
}

const FEW = 5

function Pharmacies({ names }: { names: readonly string[] }) {
  if (names.length <= FEW) return listOf(names)
  return (
    <details className={styles.more}>
      <summary>{counted(names.length, 'pharmacy', 'pharmacies')}</summary>
      {listOf(names)}
    </details>
  )
}

/** Every text letter by letter, including those of a channel nobody would get today. */
export function ApprovalTexts({ texts }: Pick<Content, 'texts'>) {
  return (
    <section className={styles.texts} aria-label="Texts as they are written">
      <h4>{texts.length === 1 ? 'The text as it is written' : `All ${texts.length} texts as they are written`}</h4>
      {texts.map(({ template_id, template_name, sms_template, email_template, message_kind, subject, body }) => (
        <figure key={template_id}>
          <blockquote>
            {email_template && subject ? <b>{subject}</b> : null}
            {body}
          </blockquote>
          <figcaption>
            {template_name}, {listOf([...(sms_template ? ['text'] : []), ...(email_template ? ['email'] : [])])},{' '}
            {KIND_NAMES[message_kind].toLowerCase()}
          </figcaption>
        </figure>
      ))}
    </section>
  )
}
