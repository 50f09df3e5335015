import { Button } from '@mantine/core'
import type { MessageReply } from '@pillar/contract/message/inbound'
import type { Country } from '@pillar/domain/time/locale'
import { CircleSlash, Hand } from 'lucide-react'
import { PharmacyLink } from '../../frame/PharmacyLink.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { instantText } from '../attribution/message-words.ts'
import styles from './Replies.module.css'
import { patientWords, readWords, replyTime, stoppedWords, stopState, textWords, wishWords } from './reply-words.ts'

interface ReplyItemProps {
  reply: MessageReply
  country: Country
  onMark: () => void
  onStop: () => void
  onForward: () => void
  onCampaign: (id: string) => void
}

/** A patient's reply, the text it answers, and whether somebody has read it. */
export function ReplyItem({ reply, country, onMark, onStop, onForward, onCampaign }: ReplyItemProps) {
  const { reply_id, pharmacy_name, may_stop, read_at } = reply
  const state = stopState(reply)
  const wish = may_stop ? wishWords(reply) : null
  const stopped = stoppedWords(country, reply)
  const text = textWords(reply)
  const head = `reply-${reply_id}`
  const read = readWords(country, reply)
  const stop =
    state === 'offered' ? (
      <Button size="xs" variant={wish ? 'default' : 'subtle'} aria-describedby={head} onClick={onStop}>
        Stop texts to this number
      </Button>
    ) : null
  return (
    <li className={read_at === null ? styles.reply : `${styles.reply} ${styles.read}`} aria-labelledby={head}>
      <div className={styles.head} id={head}>
        <b>
          <PharmacyLink id={reply.pharmacy_id} name={pharmacy_name} />
        </b>{' '}
        <span>{patientWords(reply)}</span>
        <time dateTime={reply.received_at}>{replyTime(country, reply)}</time>
      </div>
      <p className={text.ours ? `${styles.text} faint` : styles.text}>{text.words}</p>
      {wish ? (
        <div className={styles.wish}>
          <p>
            <Icon of={Hand} size={14} />
            <span>{wish}</span>
          </p>
          {stop}
        </div>
      ) : null}
      {stopped ? (
        <p className={styles.stopped}>
          <Icon of={CircleSlash} size={14} />
          <span>{stopped}</span>
        </p>
      ) : null}
      <div className={styles.foot}>
        <span>
          <Answered reply={reply} country={country} onCampaign={onCampaign} />
          {state === 'ended' ? <span className={styles.line}>Texts to this number have already ended.</span> : null}
          {read ? <span className={styles.line}>{read}</span> : null}
        </span>
        <span className={styles.acts}>
          {wish ? null : stop}
          {reply.text === null ? null : (
            <Button size="xs" variant="subtle" aria-describedby={head} onClick={onForward}>
              Forward to the pharmacy
            </Button>
          )}
          <Button size="xs" variant={read ? 'subtle' : 'default'} aria-describedby={head} onClick={onMark}>
            {read ? 'Mark as unread' : 'Mark as read'}
          </Button>
        </span>
      </div>
    </li>
  )
}

/** The text that was answered; a campaign's name links to it. */
function Answered({ reply, country, onCampaign }: Pick<ReplyItemProps, 'reply' | 'country' | 'onCampaign'>) {
  const { answers, time_zone } = reply
  if (!answers) return <>Not in reply to a text on record.</>
  const { campaign_id, name, sent_at } = answers
  return (
    <>
      In reply to{' '}
      {campaign_id ? (
        <button type="button" className={styles.link} onClick={() => onCampaign(campaign_id)}>
          {name}
        </button>
      ) : (
        name
      )}
      <span className={styles.line}>Sent {instantText(country, sent_at, time_zone)}</span>
    </>
  )
}
