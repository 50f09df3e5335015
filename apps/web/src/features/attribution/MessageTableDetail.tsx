import type { ReplyOf } from '@pillar/contract'
import { attribution } from '@pillar/contract/message/attribution'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { useRead } from '../../api/client.ts'
import { LedgerBar } from '../../kit/display/figure/LedgerBar.tsx'
import { progressParts } from '../../kit/display/figure/progress-parts.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import styles from './MessageTable.module.css'
import { allMessages, outcomeCounts, purposeParts } from './message-words.ts'

interface Props {
  id: string
  name: string
  choice: PeriodChoice
  country: Country
}

/** What a pharmacy sent in the period and what happened to it; requested only when its row is opened. */
export function MessageTableDetail({ id, name, choice, country }: Props) {
  const query = useRead(attribution.pharmacyStats, { pharmacy_id: id, ...choice })
  return (
    <Loaded read={query} what={`the details of ${name}`} rows={1}>
      {(detail) => <Detail detail={detail} name={name} country={country} />}
    </Loaded>
  )
}

interface DetailProps extends Pick<Props, 'name' | 'country'> {
  detail: ReplyOf<typeof attribution.pharmacyStats>
}

function Detail({ detail, name, country }: DetailProps) {
  const counts = outcomeCounts(detail)
  if (counts.messages === 0 && allMessages(detail) === 0) {
    return <p className={styles.nothing}>{name} sent no messages in this period.</p>
  }
  return (
    <div className={styles.detail}>
      <div>
        <h3>What was sent</h3>
        <LedgerBar parts={purposeParts(country, detail)} />
      </div>
      <div>
        <h3>What happened to it</h3>
        <LedgerBar parts={progressParts(country, counts)} />
        {detail.failures.length > 0 ? (
          <ul className={styles.failures} aria-label="Why messages failed">
            {detail.failures.map(({ text, count }) => (
              <li key={text}>
                {text} <b>{formatNumber(country, count)}</b>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  )
}
