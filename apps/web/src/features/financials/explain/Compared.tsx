import type { Comparison } from '@pillar/contract/figure'
import { parseDay } from '@pillar/domain/time/day'
import { formatChange, formatSpan } from '@pillar/domain/time/locale'
import { unitText } from '../figures.ts'
import styles from './Explain.module.css'
import type { Where } from './explain-target.ts'

interface ComparedProps {
  comparison: Comparison
  unit: Parameters<typeof unitText>[1]
  where: Where
}

/** What a number is compared with and how: the year before and the change, or the average and the distance from it. */
export function Compared({ comparison, unit, where: { country, product } }: ComparedProps) {
  const { kind, now, previous, value, reason } = comparison
  const text = (one: number | null) => unitText(country, kind === 'average' ? 'fraction' : unit, one)
  const from = parseDay(comparison.from)
  const to = parseDay(comparison.to)
  const dates = from === null || to === null ? '' : formatSpan(country, from, to)
  const count = unitText(country, 'count', comparison.pharmacies)
  const over = `${count} ${comparison.pharmacies === 1 ? 'pharmacy' : 'pharmacies'}`
  const sum =
    kind === 'average'
      ? `${text(now)} ÷ ${text(previous)} − 1`
      : `(${text(now)} − ${text(previous)}) ÷ ${text(previous)}`
  return (
    <>
      {previous === null ? null : (
        <>
          <dt>{kind === 'average' ? `${product} average` : comparison.label}</dt>
          <dd>
            <span className={styles.figure}>{text(previous)}</span>, {dates}, {over}
          </dd>
        </>
      )}
      <dt>{kind === 'change' ? 'Change' : previous === null ? `${product} average` : 'Distance'}</dt>
      <dd>
        {value === null ? (
          reason
        ) : (
          <span className={styles.figure}>
            {sum} = <b>{formatChange(country, value)}</b>
          </span>
        )}
      </dd>
    </>
  )
}
