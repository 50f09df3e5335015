import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { type Country, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { referralRate } from '@pillar/domain/trial/participant'
import { DownloadMenu } from '../../kit/chart/DownloadMenu.tsx'
import { barsPicture } from '../../kit/chart/picture.ts'
import styles from './Trial.module.css'
import { eligibleWords } from './trial-counts.ts'

type Totals = ClinicalTrial['totals']

/** How far patients got, true to scale: everybody who ever reached a step. Its title gives the answer in words. */
export function TrialFunnel({ name, totals, country }: { name: string; totals: Totals; country: Country }) {
  const { total_eligible: all } = totals
  const title = answerOf(country, totals)
  const steps = stepsOf(totals)
  const share = ({ value, of, ofWhat }: Step) =>
    of > 0 && ofWhat ? `${formatPercent(country, value / of)} of ${ofWhat}` : ''
  const picture = () => {
    const rows = steps.map((step) => ({
      ...{ label: step.label, note: share(step) },
      parts: [{ label: 'People', value: step.value, colour: COLOURS[step.tone] }],
    }))
    return barsPicture(title, `${name}: who gets how far?`, all, rows)
  }
  return (
    <section className={styles.funnel} aria-label="How far patients got">
      <header>
        <h3>{title}</h3>
        <DownloadMenu
          title={`${name}: how far patients got`}
          figures={{ heads: ['Step', 'People'], rows: steps.map(({ label, value }) => [label, value]) }}
          picture={picture}
        />
      </header>
      {steps.map((step) => (
        <div key={step.label} className={styles.step}>
          <span>{step.label}</span>
          <b className="num">{formatNumber(country, step.value)}</b>
          <span className={styles.track} aria-hidden="true">
            {step.value > 0 && all > 0 ? (
              <i className={styles[step.tone]} style={{ width: `max(2px, ${(step.value / all) * 100}%)` }} />
            ) : null}
          </span>
          <span>{share(step)}</span>
        </div>
      ))}
    </section>
  )
}

const COLOURS = { rest: '--d-rest', d1: '--d1', good: '--good-fill', held: '--caution-fill' } as const

type Step = ReturnType<typeof stepsOf>[number]
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
  if (rate === null) return `${eligibleWords(country, totals.total_eligible)}, none contacted yet`
  if (rate === 0) return 'Nobody contacted has asked to be referred yet'
  const each = Math.max(1, Math.round(1 / rate))
  if (each === 1) return `${formatPercent(country, rate)} of people contacted ask to be referred`
  return `One in ${formatNumber(country, each)} people contacted asks to be referred`
}
