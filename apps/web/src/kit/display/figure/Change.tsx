import { type Country, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { Icon } from '../Icon.tsx'
import styles from './Change.module.css'

interface ChangeProps {
  country: Country
  /** As a fraction: 0.0418 is 4.18%. Null without a comparison. */
  value: number | null
  /** For a share: shows the difference, in points. */
  points?: boolean
  /** Which direction is good; left out, neither is. */
  goodWhen?: 'up' | 'down'
  /** Shown instead of a missing figure. */
  reason?: string
}

/** A change: the arrow shows the direction, the colour good or bad; grey is neither. */
export function Change({ country, value, points, goodWhen, reason = 'Nothing to compare with' }: ChangeProps) {
  if (value === null) {
    return (
      <span className={styles.change} title={reason}>
        – <span className="sr">{reason}</span>
      </span>
    )
  }
  const size = Math.abs(value)
  const text = points ? `${formatNumber(country, size * 100, 2)} points` : formatPercent(country, size)
  const direction = !/[1-9]/.test(text) ? 'none' : value > 0 ? 'up' : 'down'
  const tone = goodWhen && direction !== 'none' ? (direction === goodWhen ? styles.good : styles.bad) : ''
  const words = direction === 'none' ? 'unchanged' : direction
  return (
    <span className={`${styles.change} ${tone}`}>
      <Icon of={direction === 'up' ? ArrowUp : direction === 'down' ? ArrowDown : Minus} size={12} />
      <span className="sr">{words} </span>
      {text}
    </span>
  )
}
