import { formatNumber } from '@pillar/domain/time/locale'
import { useCountry } from '../../../session/session.ts'
import styles from './TwoPane.module.css'

interface ListTotalProps {
  /** Null before the first answer. */
  total: number | null
  /** What is counted: 'campaign', 'campaigns'. */
  one: string
  many: string
}

/** How many rows a two-pane dialog's list has: on screen the number alone, read out with what it counts whenever it changes. */
export function ListTotal({ total, one, many }: ListTotalProps) {
  const country = useCountry()
  return (
    <span className={styles.total} aria-live="polite">
      {total === null ? null : (
        <>
          {formatNumber(country, total)}
          <span className="sr"> {total === 1 ? one : many}</span>
        </>
      )}
    </span>
  )
}
