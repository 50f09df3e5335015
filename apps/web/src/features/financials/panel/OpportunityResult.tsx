import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { shareText, sureText } from '@pillar/domain/figure/format'
import { capital } from '@pillar/domain/text/sentence'
import { type Country, formatCounted, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { unitText } from '../figures.ts'
import type { adjustments } from './calculator.ts'
import styles from './SidePanel.module.css'

/** The mean share of days covered, which differs from the share of scripts that the table calls adherence. */
export const COVERED = 'Days covered'

type Answer = ReplyOf<typeof financials.opportunity>

interface ResultProps {
  answer: Answer
  wanted: ReturnType<typeof adjustments>
  country: Country
  subcategory: string
}

/** Present and possible figures side by side, and the difference in money. */
export function OpportunityResult({ answer, wanted, country, subcategory }: ResultProps) {
  const [explained, setExplained] = useState(false)
  const rows = [
    [COVERED, 'fraction', answer.current_adherence, answer.potential_adherence],
    ['Scripts', 'count', answer.total_script, answer.potential_script],
    ['Revenue', 'money', answer.current_revenue, answer.potential_revenue],
  ] as const
  const gain = answer.potential_revenue - answer.current_revenue
  const none = wanted.adherence_adjustment === 0 && wanted.price_per_script_adjustment === 0
  return (
    <>
      <table className={styles.result} aria-label="Result of the calculator">
        <thead>
          <tr>
            <td />
            <th scope="col" className="num">
              Now
            </th>
            <th scope="col" className="num">
              Could be
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, unit, now, then]) => (
            <tr key={label} title={label === COVERED ? sureOf(answer, country) : undefined}>
              <th scope="row">{label}</th>
              <td className="num">
                {label === COVERED ? coverageText(answer, country, now) : unitText(country, unit, now)}
              </td>
              <td className={`num ${label === 'Revenue' ? styles.strong : ''}`}>{unitText(country, unit, then)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {answer.growth_capped ? (
        <p className={styles.none}>Scripts are counted as doubled at most: nobody has seen covered days bring more.</p>
      ) : null}
      <p className={styles.gain} aria-live="polite">
        {none ? (
          <>Enter points of days covered or a price change. </>
        ) : (
          <>
            <b className={gain < 0 ? styles.loss : undefined}>
              {gain > 0 ? '+' : ''}
              {formatMoney(country, gain)}
            </b>{' '}
            this period <span className="faint">·</span>{' '}
          </>
        )}
        <button type="button" className={styles.link} onClick={() => setExplained(true)}>
          How this is calculated
        </button>
      </p>
      <Dialog
        opened={explained}
        onClose={() => setExplained(false)}
        title="How the opportunity is calculated"
        size="confirm"
      >
        <Working answer={answer} wanted={wanted} country={country} subcategory={subcategory} />
      </Dialog>
    </>
  )
}

/** Present coverage; words if it has fewer than 10 observations. */
function coverageText({ current_adherence_n: n }: Answer, country: Country, value: number | null): string {
  return shareText(country, { value, n })
}

/** The bounds of the coverage. */
function sureOf(answer: Answer, country: Country): string | undefined {
  const { current_adherence: value, current_adherence_n: n } = answer
  const text = sureText(
    country,
    { value, n, low: answer.current_adherence_low, high: answer.current_adherence_high },
    'measured',
  )
  return text === null ? undefined : capital(text)
}

/** The calculation with its actual figures, step by step. */
function Working({ answer, wanted, country, subcategory }: ResultProps) {
  const { measured_script: measured, total_script: scripts, current_revenue: revenue } = answer
  const price = scripts > 0 ? revenue / scripts : 0
  const changed = Math.max(0, price + wanted.price_per_script_adjustment)
  const count = (value: number) => formatNumber(country, value)
  const scriptsOf = (value: number) => formatCounted(country, value, 'script', 'scripts')
  const money = (value: number) => formatMoney(country, value, 2)
  const share = (value: number | null) => unitText(country, 'fraction', value)
  return (
    <ol className={styles.working}>
      <li>
        {subcategory} has {scriptsOf(scripts)} this period, at {money(price)}
        {scripts === 1 ? '' : ' each on average'}.
      </li>
      <li>
        {count(measured)} of {scripts === 1 ? 'it belongs' : measured === 1 ? 'them belongs' : 'them belong'} to
        patients whose adherence is measured. Only these grow with the days covered; the other{' '}
        {count(scripts - measured)} stay as they are.
      </li>
      <li>
        Days covered by medicine are {share(answer.current_adherence)} of the days observed now, and{' '}
        {share(answer.potential_adherence)} after the change of {signedPoints(wanted.adherence_adjustment)} points
        (never below 0% or above 100%).
      </li>
      <li>
        {answer.growth_capped
          ? `${count(scripts - measured)} + ${count(measured)} × 2 = ${scriptsOf(answer.potential_script)}: more than double is not counted.`
          : answer.current_adherence
            ? `${count(scripts - measured)} + ${count(measured)} × ${share(answer.potential_adherence)} ÷ ${share(answer.current_adherence)} = ${scriptsOf(answer.potential_script)}.`
            : 'Too few are measured here, so the scripts stay as they are.'}
      </li>
      <li>
        {scriptsOf(answer.potential_script)} at {money(changed)} each = {formatMoney(country, answer.potential_revenue)}
        . Rounded only here, at the end.
      </li>
    </ol>
  )
}

function signedPoints(points: number): string {
  return `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points).toFixed(2)}`
}
