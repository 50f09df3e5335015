import { type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import styles from './MessageStats.module.css'
import type { StatsReply } from './message-words.ts'
import { ageTexts, roiText } from './message-words.ts'

interface Props {
  what: 'revenue' | 'roi' | null
  stats: StatsReply
  country: Country
  onClose: () => void
}

/** Where revenue and ROI come from: formula, the numbers put into it, method and age. */
export function MessageStatsExplained({ what, stats, country, onClose }: Props) {
  const money = (value: number | null) => formatMoney(country, value, 2)
  const pharmacies = formatNumber(country, stats.total_pharmacies)
  return (
    <Dialog
      opened={what !== null}
      onClose={onClose}
      title={what === 'roi' ? 'How ROI is calculated' : 'How revenue is calculated'}
    >
      {what === 'roi' ? (
        <>
          <p>(Revenue − cost) ÷ cost: what came back for each unit of money spent on messages.</p>
          <p className={styles.sum}>
            {stats.total_roi === null
              ? 'Nothing was paid in this period, or there is no revenue figure, so there is no ROI.'
              : `(${money(stats.total_revenue)} − ${money(stats.total_cost)}) ÷ ${money(stats.total_cost)} = ${roiText(country, stats.total_roi)}`}
          </p>
        </>
      ) : (
        <>
          <p>
            What was dispensed to patients within 30 days of a delivered message, above what was expected without it.
            Where several messages overlap, the last one counts.
          </p>
          <p className={styles.sum}>
            {money(stats.total_revenue)} from {formatNumber(country, stats.total_reach)} patients at {pharmacies}{' '}
            {stats.total_pharmacies === 1 ? 'pharmacy' : 'pharmacies'}
          </p>
          <p>Method: {stats.revenue_method_name}.</p>
        </>
      )}
      <p className={styles.age}>
        {ageTexts(country, stats).join(' · ')}. Cost is what gateways accepted, at the price per part.
      </p>
    </Dialog>
  )
}
