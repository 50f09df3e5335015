import { Button } from '@mantine/core'
import type { MessageReply } from '@pillar/contract/message-reply'
import type { Country } from '@pillar/domain/locale'
import { Hand } from 'lucide-react'
import { Icon } from '../../kit/Icon.tsx'
import { instantText } from './message-words.ts'
import styles from './Replies.module.css'
import { patientWords, readWords, replyTime, textWords } from './reply-words.ts'

interface ReplyItemProps {
  reply: MessageReply
  country: Country
  onMark: () => void
  onCampaign: (id: string) => void
}

/** What one patient answered, to which text, and whether somebody has read it. */
export function ReplyItem({ reply, country, onMark, onCampaign }: ReplyItemProps) {
  const { reply_id, pharmacy_name, may_stop, read_at } = reply
  const text = textWords(reply)
  const head = `reply-${reply_id}`
  const read = readWords(country, reply)
  return (
    <li className={read_at === null ? styles.reply : `${styles.reply} ${styles.read}`} aria-labelledby={head}>
      <div className={styles.head} id={head}>
        <b>{pharmacy_name}</b> <span>{patientWords(reply)}</span>
        <time dateTime={reply.received_at}>{replyTime(country, reply)}</time>
      </div>
      <p className={text.ours ? `${styles.text} faint` : styles.text}>{text.words}</p>
      {may_stop ? (
        <p className={styles.stop}>
          <Icon of={Hand} size={14} />
          <span>
            This may be a wish to get no more texts. Only STOP alone ends them by itself: if it is meant, have the
            pharmacy note the opt-out in its dispensing system.
          </span>
        </p>
      ) : null}
      <div className={styles.foot}>
        <span>
          <Answered reply={reply} country={country} onCampaign={onCampaign} />
          {read ? <span className={styles.reader}>{read}</span> : null}
        </span>
        <Button size="xs" variant={read ? 'subtle' : 'default'} aria-describedby={head} onClick={onMark}>
          {read ? 'Mark as unread' : 'Mark as read'}
        </Button>
      </div>
    </li>
  )
}

/** Which text was answered; a campaign's name leads to it. */
function Answered({ reply, country, onCampaign }: Omit<ReplyItemProps, 'onMark'>) {
  const { answers, time_zone } = reply
  if (!answers) return <>Answers no text that is on record here.</>
  const { campaign_id, name, sent_at } = answers
  return (
    <>
      Answers{' '}
      {campaign_id ? (
        <button type="button" className={styles.link} onClick={() => onCampaign(campaign_id)}>
          {name}
        </button>
      ) : (
        name
      )}
      , sent {instantText(country, sent_at, time_zone)}
    </>
  )
}
