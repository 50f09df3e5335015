import type { AdminPharmacySequence, TimeLineStep as Step } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { followUpReasonText, responseShare } from '@pillar/domain/campaign/time-line'
import { MIN_SURE_N } from '@pillar/domain/figure/interval'
import { counted } from '@pillar/domain/text/sentence'
import { day } from '@pillar/domain/time/day'
import { formatDate, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { ChevronDown, ChevronRight, MessageSquareText } from 'lucide-react'
import { useId, useState } from 'react'
import { momentIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { usePrinting } from '../../kit/display/usePrinting.ts'
import { useCountry } from '../../session/session.ts'
import { MessageText } from '../template/editor/MessageText.tsx'
import { FollowUpMessages } from './FollowUpMessages.tsx'
import type { Stats } from './sequence-stats.ts'
import styles from './TimeLine.module.css'
import { partsOf } from './time-line-parts.ts'

interface TimeLineStepProps {
  step: Step
  stats: Stats
  sequence: AdminPharmacySequence
  /** Day of the previous follow-up; null for a removed one. */
  before: number | null
}

/** One follow-up on the time line. It opens to its text and the reasons for skipping. */
export function TimeLineStep({ step, stats, sequence, before }: TimeLineStepProps) {
  const country = useCountry()
  const id = useId()
  const printing = usePrinting()
  const [opened, setOpened] = useState(false)
  const open = opened || printing
  const followUp = sequence.follow_ups.find((one) => one.follow_up_id === step.follow_up_id)
  const number = (value: number) => formatNumber(country, value)
  return (
    <li className={styles.step}>
      <div className={styles.day}>
        <b>Day {step.days_after}</b>
        <small>{before === null ? 'removed' : laterWords(step.days_after - before)}</small>
      </div>
      <div className={styles.axis}>
        <span className={styles.point}>
          <Icon of={MessageSquareText} size={15} />
        </span>
      </div>
      <div className={styles.what}>
        <button
          type="button"
          data-point
          className={styles.name}
          aria-expanded={open}
          aria-controls={`${id}-more`}
          onClick={() => setOpened(!opened)}
        >
          <b>{step.template || 'Deleted template'}</b> <Icon of={open ? ChevronDown : ChevronRight} size={14} />
        </button>
        <p className="muted">
          {channelWords(sequence, followUp)}
          {followUp && !followUp.template_active ? (
            <>
              {' '}
              <Tag tone="caution">Template inactive: skipped</Tag>
            </>
          ) : null}
        </p>
        {step.removed ? null : <p>{plannedWords(step, (at) => momentIn(country, stats.time_zone, at))}</p>}
        <div id={`${id}-more`} hidden={!open} className={styles.more}>
          {open && followUp ? (
            <div className={styles.bubble}>
              {followUp.template_subject ? <b>{followUp.template_subject}</b> : null}
              <MessageText text={followUp.template_body} sms={followUp.sms_template} />
            </div>
          ) : null}
          {open ? <FollowUpMessages step={step} sequence={sequence} /> : null}
        </div>
      </div>
      <div className={styles.counts}>
        <Bar step={step} started={stats.started} />
        <Reasons step={step} />
        {step.waiting > 0 ? (
          <p className="muted">
            Next for {number(step.next)} of {number(step.waiting)} not yet due
            {step.next_due ? `, the first on ${formatDate(country, day(step.next_due))}` : ''}
          </p>
        ) : null}
        {step.ended > 0 ? (
          <p className="muted">
            {counted(step.ended, 'patient', 'patients')} came by before it was due: no message needed
          </p>
        ) : null}
        {step.added_later > 0 ? (
          <p className="muted">{number(step.added_later)} had finished before it was added</p>
        ) : null}
      </div>
      <Share step={step} />
    </li>
  )
}

function Bar({ step, started }: { step: Step; started: number }) {
  const country = useCountry()
  const parts = partsOf(step)
  const words = parts.map(({ label, value }) => `${label} ${formatNumber(country, value)}`)
  return (
    <>
      <div className={styles.bar} role="img" aria-label={words.join(', ') || 'Nobody has reached it yet'}>
        {parts.map(({ label, tone, value }) => (
          <i key={label} className={styles[tone]} style={{ width: `${(100 * value) / Math.max(1, started)}%` }} />
        ))}
      </div>
      <p className={styles.key}>
        {parts.map(({ label, tone, value }) => (
          <span key={label}>
            <i className={styles[tone]} /> {label} <b>{formatNumber(country, value)}</b>
          </span>
        ))}
      </p>
    </>
  )
}

/** Why it was skipped, most frequent first. */
function Reasons({ step }: { step: Step }) {
  const country = useCountry()
  if (step.reasons.length === 0) return null
  const words = step.reasons.map(
    ({ reason, channel, count }) => `${formatNumber(country, count)} ${lower(followUpReasonText(reason, channel))}`,
  )
  return (
    <p className={styles.reasons}>
      {formatNumber(country, step.skipped)} skipped: {words.join(', ')}
    </p>
  )
}

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** The share that responded, if known. */
function Share({ step }: { step: Step }) {
  const country = useCountry()
  const found = responseShare(step)
  const n = step.responded + step.sent
  return (
    <div className={styles.share}>
      {found ? (
        <>
          <b className={found.n < MIN_SURE_N ? styles.unsure : undefined}>{formatPercent(country, found.share)}</b>
          <small>respond, of {formatNumber(country, n)} sent</small>
        </>
      ) : n > 0 ? (
        <small>{formatNumber(country, n)} sent: too few to tell a share</small>
      ) : null}
    </div>
  )
}

const laterWords = (days: number) => (days === 0 ? 'the same day' : `${counted(days, 'day', 'days')} later`)

function plannedWords({ planned_at }: Step, moment: (at: string) => string): string {
  return planned_at
    ? `Enrolled today: ${moment(planned_at)}`
    : 'Enrolled today: not sent, no sending hour within three days'
}

type FollowUp = AdminPharmacySequence['follow_ups'][number]

/** Its channels, the preferred one first. */
function channelWords(
  { preferred_communication_method: first }: AdminPharmacySequence,
  of: FollowUp | undefined,
): string {
  if (!of) return ''
  if (of.sms_template && of.email_template) return first === 'sms' ? 'SMS, otherwise email' : 'Email, otherwise SMS'
  return of.sms_template ? 'SMS' : 'Email'
}
