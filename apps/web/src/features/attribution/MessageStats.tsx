import { reasonSentence } from '@pillar/domain/campaign/result-words'
import { type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { Change } from '../../kit/display/figure/Change.tsx'
import { LedgerBar } from '../../kit/display/figure/LedgerBar.tsx'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import styles from './MessageStats.module.css'
import { type ExplainedStat, MessageStatsExplained } from './MessageStatsExplained.tsx'
import type { StatsReply } from './message-words.ts'
import { allMessages, costPerPatient, purposeParts, roiNote, roiText } from './message-words.ts'

/** The period's messages in one ruled strip: how many, to whom, at what cost, and with what result. */
export function MessageStats({ stats, country }: { stats: StatsReply; country: Country }) {
  const [explained, setExplained] = useState<ExplainedStat | null>(null)
  const number = (value: number) => formatNumber(country, value)
  const perPatient = costPerPatient(country, stats.total_cost, stats.total_reach)
  return (
    <div className={styles.strip}>
      <StatStrip columns="var(--first) .9fr .8fr .8fr 1.1fr 1.4fr 1.05fr">
        <StatCard label="Messages delivered" value={number(allMessages(stats))}>
          <LedgerBar parts={purposeParts(country, stats)} />
        </StatCard>
        <StatCard label="SMS" value={number(stats.total_sms)}>
          <Note>
            {number(stats.total_sms_parts)} {stats.total_sms_parts === 1 ? 'part' : 'parts'}
          </Note>
        </StatCard>
        <StatCard label="Email" value={number(stats.total_email)}>
          <Note>no charge</Note>
        </StatCard>
        <StatCard label="Reach" value={number(stats.total_reach)} onExplain={() => setExplained('reach')}>
          <Note>{stats.total_reach === 1 ? 'patient' : 'patients'}</Note>
        </StatCard>
        <StatCard label="Cost" value={formatMoney(country, stats.total_cost, 2)} onExplain={() => setExplained('cost')}>
          <Note>{perPatient ?? 'nobody reached yet'}</Note>
        </StatCard>
        <StatCard
          label="Revenue"
          value={formatMoney(country, stats.total_revenue)}
          beside={
            stats.total_revenue === null ? null : (
              <Change country={country} value={stats.total_revenue_change} goodWhen="up" />
            )
          }
          onExplain={() => setExplained('revenue')}
        >
          <Note>
            {reasonSentence(country, stats.total_result.reason, stats.total_result.n_messaged) ||
              stats.revenue_method_name}
          </Note>
        </StatCard>
        <StatCard label="ROI" value={roiText(country, stats.total_roi)} onExplain={() => setExplained('roi')}>
          <Note>{roiNote(country, stats)}</Note>
        </StatCard>
      </StatStrip>
      <MessageStatsExplained what={explained} stats={stats} country={country} onClose={() => setExplained(null)} />
    </div>
  )
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className={styles.note}>{children}</p>
}
