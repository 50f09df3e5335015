import { parseDay } from '@pillar/domain/time/day'
import { formatSpan } from '@pillar/domain/time/locale'
import { Clock } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './SixtyDay.module.css'
import { count, type SixtyDayStats } from './words.ts'

/** The days the figures cover, and the pharmacies whose data does not cover all of them. */
export function AsAt({ stats }: { stats: SixtyDayStats | undefined }) {
  const span = stats ? spanText(stats.basis) : null
  if (!stats || span === null) return null
  const { incomplete, pharmacies } = stats.basis
  const late =
    incomplete === 0
      ? ''
      : ` · ${count(incomplete)} of ${count(pharmacies)} ${pharmacies === 1 ? 'pharmacy' : 'pharmacies'} with less`
  return (
    <span className={styles.asAt}>
      <Icon of={Clock} size={14} />
      <span>
        {span}
        {late}
      </span>
    </span>
  )
}

/** '1 Nov 2025 – 31 Oct 2026, 12 complete months'; null before the first figures. */
export function spanText({ from, to }: SixtyDayStats['basis']): string | null {
  const [first, last] = [parseDay(from ?? ''), parseDay(to ?? '')]
  return first === null || last === null ? null : `${formatSpan('AU', first, last)}, 12 complete months`
}
