import type { Comparison } from '@pillar/contract/figure'
import type { FigureUnit } from '@pillar/domain/figure/figure-list'
import { parseDay } from '@pillar/domain/time/day'
import { formatChange, formatSpan } from '@pillar/domain/time/locale'
import { changeText, unitText } from '../figures.ts'
import styles from './Explain.module.css'
import { sumText, type Where } from './explain-target.ts'

interface ComparedProps {
  comparison: Comparison
  unit: FigureUnit
  where: Where
}

/** A number's comparison: the year before and the change, or the average and the distance from it. */
export function Compared({ comparison, unit, where: { country, product } }: ComparedProps) {
  const { kind, previous, value, reason } = comparison
  const from = parseDay(comparison.from)
  const to = parseDay(comparison.to)
  const dates = from === null || to === null ? '' : formatSpan(country, from, to)
  const count = unitText(country, 'count', comparison.pharmacies)
  const over = `${count} ${comparison.pharmacies === 1 ? 'pharmacy' : 'pharmacies'}`
  return (
    <>
      {previous === null ? null : (
        <>
          <dt>{kind === 'average' ? `${product} average` : comparison.label}</dt>
          <dd>
            <span className={styles.figure}>{unitText(country, kind === 'average' ? 'fraction' : unit, previous)}</span>
            , {dates}, {over}
          </dd>
        </>
      )}
      <dt>{kind === 'change' ? 'Change' : previous === null ? `${product} average` : 'Distance'}</dt>
      <dd>
        {value === null ? (
          reason
        ) : (
          <span className={styles.figure}>
            {sumText(comparison, unit, country)} ={' '}
            <b>{kind === 'average' ? formatChange(country, value) : changeText(country, unit, value)}</b>
          </span>
        )}
      </dd>
    </>
  )
}
