import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { type Country, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { referralRate } from '@pillar/domain/trial/participant'
import styles from './Trial.module.css'

type Totals = ClinicalTrial['totals']

/** How far patients got, at true scale: everybody who ever reached a step. Its title is the answer in words. */
export function TrialFunnel({ totals, country }: { totals: Totals; country: Country }) {
  const { total_eligible: all } = totals
  return (
    <section className={styles.funnel} aria-label="How far patients got">
      <h3>{answerOf(country, totals)}</h3>
      {stepsOf(totals).map(({ label, value, of, ofWhat, tone }) => (
        <div key={label} className={styles.step}>
          <span>{label}</span>
          <b className="num">{formatNumber(country, value)}</b>
          <span className={styles.track} aria-hidden="true">
            {value > 0 && all > 0 ? (
              <i className={styles[tone]} style={{ width: `max(2px, ${(value / all) * 100}%)` }} />
            ) : null}
          </span>
          <span>{of > 0 && ofWhat ? `${formatPercent(country, value / of)} of ${ofWhat}` : ''}</span>
        </div>
      ))}
    </section>
  )
}

const stepsOf = (totals: Totals) =>
  [
    { label: 'Eligible', value: totals.total_eligible, of: 0, ofWhat: '', tone: 'rest' },
    { label: 'Contacted', value: totals.total_contacted, of: totals.total_eligible, ofWhat: 'eligible', tone: 'd1' },
    { label: 'Referred', value: totals.total_referred, of: totals.total_contacted, ofWhat: 'contacted', tone: 'd1' },
    { label: 'Enrolled', value: totals.total_enrolled, of: totals.total_referred, ofWhat: 'referred', tone: 'good' },
    { label: 'Opted out', value: totals.total_optout, of: totals.total_contacted, ofWhat: 'contacted', tone: 'held' },
  ] as const

/** 'One in 18 people contacted asks to be referred' */
function answerOf(country: Country, totals: Totals): string {
  if (totals.total_eligible === 0) return 'No eligible patients have been counted yet'
  const rate = referralRate(totals)
  if (rate === null) return `${formatNumber(country, totals.total_eligible)} patients are eligible, none contacted yet`
  if (rate === 0) return 'Nobody contacted has asked to be referred yet'
  return `One in ${formatNumber(country, Math.max(1, Math.round(1 / rate)))} people contacted asks to be referred`
}
