import { contract } from '@pillar/contract'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { day } from '@pillar/domain/time/day'
import { formatMoney, formatNumber, formatPercent, formatSpan, NO_VALUE } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { useCountry } from '../../session/session.ts'
import { MessageLedger } from './MessageLedger.tsx'
import styles from './SequenceDetail.module.css'
import { SequenceHead } from './SequenceHead.tsx'
import type { Stats } from './sequence-stats.ts'
import { TimeLine } from './TimeLine.tsx'

const calls = contract.sequenceAdmin

/** One pharmacy sequence: its settings, its results, and its time line. */
export function SequenceDetail({ id, onRemoved }: { id: string; onRemoved: () => void }) {
  const sequence = useRead(calls.info, { id })
  return (
    <Loaded read={sequence} what="the sequence" rows={4}>
      {(one) => <Detail sequence={one} onRemoved={onRemoved} />}
    </Loaded>
  )
}

function Detail({ sequence, onRemoved }: { sequence: AdminPharmacySequence; onRemoved: () => void }) {
  const country = useCountry()
  const { sequence_id: id, location_id } = sequence
  const stats = useRead(calls.stats, { id, location_id }, { staleTime: 0 })
  return (
    <>
      <SequenceHead sequence={sequence} stats={stats.data} onRemoved={onRemoved} />
      <Loaded read={stats} what="its statistics" rows={4}>
        {(counted) => (
          <>
            <Figures sequence={sequence} stats={counted} />
            <TimeLine sequence={sequence} stats={counted} />
            <MessageLedger stats={counted} />
            <p className={styles.foot}>
              Responded: the medicine was dispensed within 14 days of the message. Somebody who comes by gets no more
              follow-ups. Each patient counts once for each medicine. Counted{' '}
              {momentIn(country, counted.time_zone, counted.counted_at)}.
            </p>
          </>
        )}
      </Loaded>
    </>
  )
}

/** How many started, and their present state; the parts add up to the number. */
function Figures({ sequence, stats }: { sequence: AdminPharmacySequence; stats: Stats }) {
  const country = useCountry()
  const number = (value: number) => formatNumber(country, value)
  const share = (value: number) => (stats.started === 0 ? NO_VALUE : formatPercent(country, value / stats.started))
  const { first_event, last_event, sequence_stats: sums } = stats
  const money = (value: number) => formatMoney(sequence.country, value, 2)
  return (
    <StatStrip paired>
      <StatCard label="Started" value={number(stats.started)}>
        <Small>
          {first_event && last_event ? formatSpan(country, day(first_event), day(last_event)) : 'Nobody yet'}
        </Small>
      </StatCard>
      <StatCard label="In progress" value={number(stats.in_progress)}>
        <Small>{share(stats.in_progress)}</Small>
      </StatCard>
      <StatCard label="Completed" value={number(stats.completed)}>
        <Small>{share(stats.completed)}, all follow-ups decided</Small>
      </StatCard>
      <StatCard label="Came by" value={number(stats.ended)}>
        <Small>{share(stats.ended)}, no more follow-ups</Small>
      </StatCard>
      <StatCard label="Patients messaged" value={number(sums.num_messaged)}>
        <Small>{number(sums.num_responded)} responded</Small>
      </StatCard>
      <StatCard label="Cost" value={money(sums.cost)}>
        <Small>
          {sequence.budget === null
            ? 'No budget set'
            : `${money(stats.budget_used)} of ${money(sequence.budget)} budget used`}
        </Small>
      </StatCard>
    </StatStrip>
  )
}

const Small = ({ children }: { children: React.ReactNode }) => <span className={styles.small}>{children}</span>
