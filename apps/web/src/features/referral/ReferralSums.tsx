import { day } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { useHomeCountry } from '../../frame/title.ts'
import { BarChart } from '../../kit/chart/BarChart.tsx'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import styles from './Referral.module.css'
import { answerWords, type Summary } from './referral-words.ts'

const SERIES = [
  { label: 'To be contacted', colour: '--d4' },
  { label: 'Contacted', colour: '--d1' },
  { label: 'Enrolled', colour: '--good-fill' },
]

/** The totals of the list: four figures, and the number of sign-ups over time. */
export function ReferralSums({ sums, country }: { sums: Summary; country: Country }) {
  const n = (count: number) => formatNumber(country, count)
  const home = useHomeCountry()
  const money = (amount: number) => formatMoney(home, amount, Number.isInteger(amount) ? 0 : 2)
  const all = sums.total_referred
  const shareOf = (part: number) => (all === 0 ? '' : `${formatPercent(country, part / all)} of referred`)
  const withdrawn = sums.total_withdrawn
  const left = sums.withdrawn_rebate + sums.withdrawn_sr_rebate
  return (
    <>
      <StatStrip paired>
        <StatCard label="Referred" value={n(all)}>
          <span className={styles.under}>
            {withdrawn === 0 ? 'nobody withdrew' : `and ${n(withdrawn)} who withdrew`}
          </span>
        </StatCard>
        <StatCard label="Contacted" value={n(sums.total_contacted)}>
          <span className={styles.under}>{shareOf(sums.total_contacted)}</span>
        </StatCard>
        <StatCard label="Enrolled" value={n(sums.total_enrolled)}>
          <span className={styles.under}>{shareOf(sums.total_enrolled)}</span>
        </StatCard>
        <StatCard label="Rebates owed" value={money(sums.rebate + sums.sr_rebate)}>
          <span className={styles.under}>
            {money(sums.rebate)} to pharmacies
            {left === 0 ? '' : `; ${money(left)} more for who withdrew`}
          </span>
        </StatCard>
      </StatStrip>
      <div className={styles.picture}>
        <BarChart
          title={answerWords(country, sums)}
          caption={`Who signed up when, and where are they now? By ${sums.step} of the referral`}
          head={sums.step === 'week' ? 'Week from' : 'Month from'}
          rows={sums.bars.map(({ from, waiting, contacted, enrolled }) => ({
            label: formatDate(country, day(from)),
            values: [waiting, contacted, enrolled],
          }))}
          series={SERIES}
          format={n}
          stacked
          height={132}
        />
      </div>
    </>
  )
}
