import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { CENTS_PER_PART } from '@pillar/domain/message/sms-text'
import { type Country, formatCents, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { CircleCheck, Clock, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { finishWords } from '../sending/time-words.ts'
import styles from './CohortCount.module.css'
import { forecastWords, moneyOfCents, partsWords } from './forecast-words.ts'
import type { CohortAnswer } from './useCohort.ts'
import { Warnings } from './Warnings.tsx'

interface CohortCountProps {
  answer: CohortAnswer
  country: Country
  pharmacies: number
  /** Whether templates are selected; without them consent is not checked and nothing costs anything. */
  withTemplates: boolean
  onList: () => void
}

/** Who would receive it, who is held back and why, the cost and the duration. Earlier figures stay, dimmed, while counting. */
export function CohortCount({ answer, country, pharmacies, withTemplates, onList }: CohortCountProps) {
  const { ledger, counting, error, retry } = answer
  if (pharmacies === 0) {
    return (
      <Quiet title="Nothing to count yet">
        Select the campaign’s pharmacies first. The count then updates as you filter.
      </Quiet>
    )
  }
  if (error && !counting) return <Failed title="Could not count the cohort" error={error} onRetry={retry} />
  if (!ledger) {
    return (
      <p className={styles.when} role="status">
        <Icon of={LoaderCircle} /> Counting…
      </p>
    )
  }
  const number = (value: number) => formatNumber(country, value)
  const one = ledger.will_receive === 1
  const across = `across ${number(ledger.pharmacies.length)} ${ledger.pharmacies.length === 1 ? 'pharmacy' : 'pharmacies'}`
  return (
    <>
      <p className={styles.when} role="status">
        <Icon of={counting ? LoaderCircle : CircleCheck} />
        {counting ? 'Counting…' : `Counted just now, ${across}`}
      </p>
      <div className={counting ? styles.dimmed : undefined} aria-busy={counting}>
        <div aria-live="polite">
          <div className={styles.big}>{number(ledger.will_receive)}</div>
          <div className={styles.bigLabel}>
            {one ? 'patient' : 'patients'} {withTemplates ? 'will receive this' : one ? 'matches' : 'match'}
          </div>
        </div>
        {withTemplates ? (
          <>
            <Share ledger={ledger} country={country} />
            {forecastWords(ledger, country).map((words) => (
              <p key={words} className={styles.small}>
                {words}
              </p>
            ))}
            <Reasons ledger={ledger} country={country} onList={onList} />
            <Cost ledger={ledger} country={country} />
            <Warnings pharmacies={ledger.pharmacies} />
          </>
        ) : (
          <p className={styles.small}>
            Select templates to see who can receive them, who is held back and what it costs.
          </p>
        )}
      </div>
    </>
  )
}

interface PartProps {
  ledger: CohortForecast
  country: Country
}

function Share({ ledger, country }: PartProps) {
  const share = ledger.selected === 0 ? null : ledger.will_receive / ledger.selected
  return (
    <div className={styles.share}>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${formatNumber(country, ledger.will_receive)} will receive, ${formatNumber(country, ledger.held_back)} held back`}
      >
        {ledger.will_receive > 0 ? <i className={styles.will} style={{ flexGrow: ledger.will_receive }} /> : null}
        {ledger.held_back > 0 ? <i className={styles.held} style={{ flexGrow: ledger.held_back }} /> : null}
        {ledger.selected === 0 ? <i className={styles.nobody} style={{ flexGrow: 1 }} /> : null}
      </div>
      <div className={styles.of}>
        <span>
          of <b>{formatNumber(country, ledger.selected)}</b> who match
        </span>
        <span>{formatPercent(country, share, 0)}</span>
      </div>
    </div>
  )
}

/** Held back, split by each person's one reason: the rows add up to the sum above them. */
export function Reasons({ ledger, country, onList }: PartProps & { onList?: () => void }) {
  const some = ledger.reasons.filter(({ count }) => count > 0)
  const most = Math.max(1, ...some.map(({ count }) => count))
  return (
    <>
      <div className={styles.sum}>
        <span>Held back because</span>
        <b>{formatNumber(country, ledger.held_back)}</b>
      </div>
      <dl className={styles.reasons}>
        {some.map(({ reason, text, count }) => (
          <div key={reason}>
            <dt>{text}</dt>
            <dd>
              <i style={{ width: Math.max(3, Math.round((count / most) * 62)) }} />
              {formatNumber(country, count)}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.small}>
        {ledger.held_back === 0
          ? 'Nobody is held back.'
          : 'Each person is counted once, under the first reason that applies.'}{' '}
        {onList ? (
          <button type="button" className={styles.link} onClick={onList}>
            See the list
          </button>
        ) : null}
      </p>
    </>
  )
}

/** Every text counted as it will read: the number of parts, the cost, and what pushes texts into another part. */
export function Cost({ ledger, country }: PartProps) {
  const sms = ledger.channels.find(({ channel }) => channel === 'sms')
  const email = ledger.channels.find(({ channel }) => channel === 'email')
  const number = (value: number) => formatNumber(country, value)
  return (
    <div className={styles.cost}>
      <dl>
        {sms?.by_parts.map(({ parts, messages }) => (
          <Line key={parts} label={partsWords(parts)} value={number(messages)} />
        ))}
        {email && email.messages > 0 ? <Line label="Emails, no charge" value={number(email.messages)} /> : null}
        <div className={styles.total}>
          <dt>
            {number(ledger.parts)} {ledger.parts === 1 ? 'part' : 'parts'} at {formatCents(country, CENTS_PER_PART)}
          </dt>
          <dd>{moneyOfCents(ledger.cents, country)}</dd>
        </div>
      </dl>
      {sms && sms.tipping.length > 0 ? <Tipping tipping={sms.tipping} country={country} /> : null}
      {ledger.will_receive > 0 ? (
        <p className={styles.when}>
          <Icon of={Clock} /> {finishWords(ledger, new Date(), country)}
        </p>
      ) : null}
      {ledger.simulated ? <p className={styles.small}>Test mode: no texts are sent, and nothing is charged.</p> : null}
    </div>
  )
}

function Line({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Tipping({ tipping, country }: { tipping: CohortForecast['channels'][0]['tipping']; country: Country }) {
  return (
    <div className={styles.tipping}>
      <h4>What makes texts longer</h4>
      <ul>
        {tipping.slice(0, 4).map(({ what, messages }) => (
          <li key={what}>
            <span>{what}</span>
            <span>
              {formatNumber(country, messages)} {messages === 1 ? 'text' : 'texts'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Quiet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.quiet}>
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
  )
}
