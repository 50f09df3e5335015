import { formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { CircleCheck, CircleDashed, ClockAlert } from 'lucide-react'
import { dayOf, momentOf } from '../../kit/display/dates.ts'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import { useCountry } from '../../session/session.ts'
import { type FaultyAnswer, type FaultySearch, silenceWords } from './faulty-search.ts'

/** Four cells: the number of pharmacies, and the states of their uploads. */
export function FaultyStats({ answer, search }: { answer: FaultyAnswer; search: FaultySearch }) {
  const country = useCountry()
  const { TOTAL, COMPLETED, noUploadPharmacies, 'NEVER UPLOADED': never } = answer.etl_stats
  const number = (value: number) => formatNumber(country, value)
  return (
    <StatStrip paired>
      <StatCard label="Pharmacies" value={number(TOTAL)}>
        <span className="muted">with StrongPro</span>
      </StatCard>
      <StatCard label="No recent upload" icon={ClockAlert} value={number(noUploadPharmacies)}>
        <span className="muted">{silenceWords(search)}</span>
      </StatCard>
      <StatCard label="Never uploaded" icon={CircleDashed} value={number(never)}>
        <span className="muted">
          {answer.oldest_added_at ? `oldest added ${dayOf(country, answer.oldest_added_at)}` : 'nothing to set up'}
        </span>
      </StatCard>
      <StatCard
        label="Completed"
        icon={CircleCheck}
        value={number(COMPLETED)}
        beside={TOTAL === 0 ? null : <small>{formatPercent(country, COMPLETED / TOTAL)}</small>}
      >
        <span className="muted">
          {answer.last_completed_at
            ? `last one loaded ${momentOf(country, answer.last_completed_at)}`
            : 'none loaded yet'}
        </span>
      </StatCard>
    </StatStrip>
  )
}
