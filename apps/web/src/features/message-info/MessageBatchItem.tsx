import { Button } from '@mantine/core'
import type { MessageBatch } from '@pillar/contract/message/run-admin'
import { counted } from '@pillar/domain/text/sentence'
import { type Country, formatMoney } from '@pillar/domain/time/locale'
import { CirclePause, FlaskConical, MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import { ProgressBar } from '../../kit/display/figure/ProgressBar.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import styles from './MessageInfo.module.css'
import { batchCounts, batchFacts, batchName, batchWord } from './message-info-words.ts'
import { ReadMessages } from './ReadMessages.tsx'
import { StopBatch } from './StopBatch.tsx'

/** One batch: what sent it, its state, its cost, and support's acts. */
export function MessageBatchItem({ batch, country }: { batch: MessageBatch; country: Country }) {
  const [open, setOpen] = useState<'read' | 'stop' | null>(null)
  const name = batchName(batch)
  const close = () => setOpen(null)
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>{name}</h3>
        <Status word={batchWord(batch.status)} />
        {batch.fake_patients > 0 ? (
          <Tag tone="caution" icon={FlaskConical}>
            {counted(batch.fake_patients, 'fake patient', 'fake patients')}
          </Tag>
        ) : null}
        <b className={styles.cost}>{formatMoney(batch.country, batch.cost, 2)}</b>
      </div>
      <div className={styles.facts}>
        <p className="muted">{batchFacts(country, batch)}</p>
        <div className={styles.acts}>
          <Button
            size="xs"
            leftSection={<Icon of={MessageSquareText} size={14} />}
            aria-label={`Read the messages of ${name}`}
            onClick={() => setOpen('read')}
          >
            Read the messages
          </Button>
          {batch.status === 'PENDING' && batch.num_queued > 0 ? (
            <Button
              size="xs"
              leftSection={<Icon of={CirclePause} size={14} />}
              aria-label={`Stop sending ${name}`}
              onClick={() => setOpen('stop')}
            >
              Stop sending
            </Button>
          ) : null}
        </div>
      </div>
      <ProgressBar country={country} counts={batchCounts(batch)} />
      {open === 'read' ? <ReadMessages batch={batch} country={country} onClose={close} /> : null}
      {open === 'stop' ? <StopBatch batch={batch} onClose={close} /> : null}
    </li>
  )
}
