import type { ReplyOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/time/day'
import { formatSpan } from '@pillar/domain/time/locale'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import { dayText, NONE, unitText } from '../figures.ts'
import styles from './Explain.module.css'
import type { Where } from './explain-target.ts'
import { addsUp, type ExplainTarget } from './explain-target.ts'

type Reply = ReplyOf<typeof financials.explain>
type Unit = Parameters<typeof unitText>[1]
const FIRST_SHOWN = 100

/** Formula, numerator, denominator, period, data age, and each pharmacy's part, added up before your eyes. */
export function Explanation({ target, where }: { target: ExplainTarget; where: Where }) {
  const { number, category, subcategory } = target
  const pharmacy_ids = [...(target.pharmacyIds ?? [])]
  const answer = useRead(financials.explain, { number, pharmacy_ids, category, subcategory, ...where.choice })
  if (answer.isError) {
    return <Failed title="Could not explain this number" error={answer.error} onRetry={() => void answer.refetch()} />
  }
  if (!answer.data) return <Loading rows={5} />
  return (
    <>
      <Sum reply={answer.data} target={target} where={where} />
      <Parts reply={answer.data} where={where} />
    </>
  )
}

interface ReplyProps {
  reply: Reply
  where: Where
}

function Sum({ reply, target, where: { country } }: ReplyProps & { target: ExplainTarget }) {
  const { numerator, denominator, period, unit } = reply
  const partUnit = unit === 'fraction' ? 'count' : unit
  const average = target.dividedBy && reply.value !== null ? reply.value / target.dividedBy : null
  return (
    <>
      <p className={styles.number}>
        <span>{reply.title}</span>
        <b>{unitText(country, unit, average ?? reply.value)}</b>
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
        {average !== null ? (
          <>
            <dt>Average</dt>
            <dd className={styles.figure}>
              {unitText(country, unit, reply.value)} ÷ {unitText(country, 'count', target.dividedBy)} pharmacies ={' '}
              {unitText(country, unit, average)}
            </dd>
          </>
        ) : null}
        <dt>Period</dt>
        <dd>
          {period.label}, {spanText(reply, country)}
          {period.running ? ' (still running)' : ''}
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
      ? `to ${dayText(country, newest)}`
      : `to ${dayText(country, newest)}, the oldest to ${dayText(country, oldest)}`
  return text + rest
}

function Parts({ reply, where: { country } }: ReplyProps) {
  const [all, setAll] = useState(false)
  const unit = reply.unit === 'fraction' ? 'count' : reply.unit
  const shown = all ? reply.pharmacies : reply.pharmacies.slice(0, FIRST_SHOWN)
  const right = addsUp(reply)
  if (reply.pharmacies.length === 0) return null
  return (
    <>
      <table className={styles.parts}>
        <PartsHead reply={reply} />
        <tbody>
          {shown.map((part) => (
            <tr key={part.pharmacy_id}>
              <th scope="row">
                {part.pharmacy_name}
                {part.late ? <span className={styles.late}> · late</span> : null}
              </th>
              <td className="num">{unitText(country, unit, part.numerator)}</td>
              {reply.denominator ? (
                <>
                  <td className="num">{unitText(country, unit, part.denominator)}</td>
                  <td className="num">{unitText(country, reply.unit, part.value)}</td>
                </>
              ) : null}
            </tr>
          ))}
        </tbody>
        <PartsFoot reply={reply} unit={unit} country={country} />
      </table>
      {shown.length < reply.pharmacies.length ? (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show all {reply.pharmacies.length.toLocaleString('en-AU')} pharmacies
        </button>
      ) : null}
      <p className={`${styles.check} ${right ? styles.good : styles.bad}`}>
        <Icon of={right ? CircleCheck : CircleX} size={14} />
        {right
          ? 'The parts add up to the number.'
          : 'The parts do not add up to the number: an upload may have come in between. Close this and open it again.'}
      </p>
    </>
  )
}

function PartsHead({ reply }: { reply: Reply }) {
  return (
    <thead>
      <tr>
        <th scope="col">Pharmacy</th>
        <th scope="col" className="num">
          {reply.numerator.label}
        </th>
        {reply.denominator ? (
          <>
            <th scope="col" className="num">
              {reply.denominator.label}
            </th>
            <th scope="col" className="num">
              Value
            </th>
          </>
        ) : null}
      </tr>
    </thead>
  )
}

/** The parts added up. */
function PartsFoot({ reply, unit, country }: { reply: Reply; unit: Unit; country: Where['country'] }) {
  return (
    <tfoot>
      <tr>
        <th scope="row">
          {reply.pharmacies.length === 1 ? 'Total' : `All ${reply.pharmacies.length.toLocaleString('en-AU')}`}
        </th>
        <td className="num">{unitText(country, unit, reply.numerator.value)}</td>
        {reply.denominator ? (
          <>
            <td className="num">{unitText(country, unit, reply.denominator.value)}</td>
            <td className="num">{unitText(country, reply.unit, reply.value)}</td>
          </>
        ) : null}
      </tr>
    </tfoot>
  )
}
