import { type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import styles from './MessageStats.module.css'
import type { StatsReply } from './message-words.ts'
import { ageTexts, costPerPatient, roiSum } from './message-words.ts'

/** The figures that can be explained, and the titles of the explanations. */
const TITLES = {
  reach: 'How reach is calculated',
  cost: 'How cost is calculated',
  revenue: 'How revenue is calculated',
  roi: 'How ROI is calculated',
}
const COST = 'Cost is what gateways accepted, at the price per part'
export type ExplainedStat = keyof typeof TITLES

interface Props {
  what: ExplainedStat | null
  stats: StatsReply
  country: Country
  onClose: () => void
}

/** How reach, cost, revenue and ROI are calculated: formula, inputs, method and age. */
export function MessageStatsExplained({ what, stats, country, onClose }: Props) {
  const money = (value: number | null) => formatMoney(country, value, 2)
  const from = `${formatNumber(country, stats.total_reach)} ${stats.total_reach === 1 ? 'patient' : 'patients'} at ${formatNumber(
    country,
    stats.total_pharmacies,
  )} ${stats.total_pharmacies === 1 ? 'pharmacy' : 'pharmacies'}`
  return (
    <Dialog opened={what !== null} onClose={onClose} title={TITLES[what ?? 'revenue']}>
      {what === 'reach' ? (
        <>
          <p>
            Patients to whom at least one message was delivered. Someone messaged by two pharmacies is counted at each,
            so the total counts them twice.
          </p>
          <p className={styles.sum}>{from}</p>
        </>
      ) : what === 'cost' ? (
        <>
          <p>{COST}, even where delivery fails. Emails are free.</p>
          <p className={styles.sum}>
            {[money(stats.total_cost), costPerPatient(country, stats.total_cost, stats.total_reach)]
              .filter(Boolean)
              .join(', ')}
          </p>
        </>
      ) : what === 'roi' ? (
        <>
          <p>(Revenue − cost) ÷ cost: what came back for each unit of money spent on messages. {COST}.</p>
          <p className={styles.sum}>{roiSum(country, stats)}</p>
        </>
      ) : (
        <>
          <p>
            What was dispensed to patients within 30 days of a delivered message, above what was expected without it.
            Where several messages overlap, the last one counts.
          </p>
          <p className={styles.sum}>
            {money(stats.total_revenue)} from {from}
          </p>
          <p>Method: {stats.revenue_method_name}.</p>
        </>
      )}
      <p className={styles.age}>{ageTexts(country, stats).join(' · ')}.</p>
    </Dialog>
  )
}
