import type { ReplyOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import { shareText, sureText } from '@pillar/domain/figure/format'
import { capital } from '@pillar/domain/text/sentence'
import { parseDay } from '@pillar/domain/time/day'
import { formatCounted, formatSpan, formatWeekday } from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { NONE, unitText } from '../figures.ts'
import { Compared } from './Compared.tsx'
import styles from './Explain.module.css'
import type { ExplainTarget, Where } from './explain-target.ts'
import { Parts } from './Parts.tsx'

type Reply = ReplyOf<typeof financials.explain>

/** Formula, numerator, denominator, period, data age, and each pharmacy's part, visibly adding up. */
export function Explanation({ target, where }: { target: ExplainTarget; where: Where }) {
  const { number, category, subcategory } = target
  const pharmacy_ids = [...(target.pharmacyIds ?? [])]
  const answer = useRead(financials.explain, { number, pharmacy_ids, category, subcategory, ...where.choice })
  return (
    <Loaded read={answer} what="the explanation" rows={5}>
      {(reply) => (
        <>
          <Sum reply={reply} target={target} where={where} />
          <Parts reply={reply} where={where} />
        </>
      )}
    </Loaded>
  )
}

interface ReplyProps {
  reply: Reply
  where: Where
}

function Sum({ reply, target, where }: ReplyProps & { target: ExplainTarget }) {
  const { country } = where
  const { numerator, denominator, period, unit, share, comparison } = reply
  const partUnit = unit === 'fraction' || unit === 'rate' ? 'count' : unit
  const average = target.dividedBy && reply.value !== null ? reply.value / target.dividedBy : null
  return (
    <>
      <p className={styles.number}>
        <span>{reply.title}</span>
        <b>{valueText(reply, country, average ?? reply.value)}</b>
      </p>
      <dl className={styles.facts}>
        <dt>Formula</dt>
        <dd>{reply.formula}</dd>
        <dt>{numerator.label}</dt>
        <dd className={styles.figure}>{unitText(country, partUnit, numerator.value)}</dd>
        {denominator ? (
          <>
            <dt>{denominator.label}</dt>
            <dd className={styles.figure}>{unitText(country, partUnit, denominator.value)}</dd>
          </>
        ) : null}
        {share ? (
          <>
            <dt>{share.label}</dt>
            <dd>{shareWords(reply, country)}</dd>
          </>
        ) : null}
        {comparison && average === null ? <Compared comparison={comparison} unit={unit} where={where} /> : null}
        {average !== null ? (
          <>
            <dt>Average</dt>
            <dd className={styles.figure}>
              {unitText(country, unit, reply.value)} ÷{' '}
              {formatCounted(country, target.dividedBy ?? 0, 'pharmacy', 'pharmacies')} ={' '}
              {unitText(country, unit, average)}
            </dd>
          </>
        ) : null}
        <dt>Period</dt>
        <dd>
          {period.label}, {spanText(reply, country)}
          {period.running ? ' (as far as the data goes)' : ''}
        </dd>
        <dt>Data</dt>
        <dd>{dataAge(reply, country)}</dd>
      </dl>
      {reply.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  )
}

/** The number itself; for a share of fewer than 10, words. */
function valueText({ unit, share }: Reply, country: Where['country'], value: number | null): string {
  return unit === 'fraction' ? shareText(country, { value, n: share?.n ?? null }) : unitText(country, unit, value)
}

/** 'Between 70.0% and 85.0%, from 34 measured'; for a count of patients, preceded by its share of those measured. */
function shareWords({ unit, share }: Reply, country: Where['country']): string {
  if (!share) return ''
  const own = unit === 'fraction' ? '' : `${shareText(country, share)}, `
  const sure = sureText(country, share, share.of)
  if (sure === null) return `Too few to tell: ${unitText(country, 'count', share.n)} ${share.of}`
  const text = `${own}${sure}`
  return capital(text)
}

function spanText({ period }: Reply, country: Where['country']): string {
  const from = parseDay(period.from)
  const to = parseDay(period.to)
  return from === null || to === null ? NONE : formatSpan(country, from, to)
}

/** 'All to Thu 19 Nov 2026', or from the oldest to the newest. */
function dataAge({ pharmacies }: Reply, country: Where['country']): string {
  const known = pharmacies.map(({ data_to }) => data_to).filter((day) => day !== null)
  const days = known.map(parseDay).filter((day) => day !== null)
  const without = pharmacies.length - days.length
  const rest = without > 0 ? `; ${without} without data` : ''
  if (days.length === 0) return 'none uploaded yet'
  const oldest = Math.min(...days)
  const newest = Math.max(...days)
  const text =
    oldest === newest
      ? `to ${formatWeekday(country, newest)}`
      : `to ${formatWeekday(country, newest)}, the oldest to ${formatWeekday(country, oldest)}`
  return text + rest
}
