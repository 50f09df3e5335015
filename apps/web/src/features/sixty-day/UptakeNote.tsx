import { DEFAULT_UPTAKE } from '@pillar/domain/sixty-day/choices'
import { MONTH_NAMES } from '@pillar/domain/time/locale'
import { Info } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './SixtyDay.module.css'
import type { SixtyDayFilters, SixtyDaySearch } from './search.ts'
import { percent, type SixtyDayStats } from './words.ts'

interface UptakeNoteProps {
  kind: 'company' | 'guild'
  filters: SixtyDayFilters
  stats: SixtyDayStats
  change: (change: Partial<SixtyDaySearch>) => void
}

/** Explains that 63% is a forecast, shows the actual uptake, and offers to use it. */
export function UptakeNote({ kind, filters, stats, change }: UptakeNoteProps) {
  const { national, sixty_day_share: own, basis } = stats
  const real = own.value === null ? null : Math.round(own.value * 10_000) / 100
  const [year, month] = (national?.month ?? '').split('-')
  return (
    <div className={styles.note} role="note">
      <Icon of={Info} />
      <p>
        <b>
          {filters.uptake === DEFAULT_UPTAKE
            ? '63% was the 2023 forecast, not what has happened. '
            : `${filters.uptake}% is an assumption; 63% was the 2023 forecast. `}
        </b>
        {national
          ? `Across Australia ${percent(national.share)} of eligible tranche ${national.tranche} supplies were for 60 days in ${MONTH_NAMES[Number(month) - 1]} ${year}; `
          : ''}
        {own.value === null
          ? 'here none are counted yet. '
          : `${kind === 'guild' ? 'in these pharmacies' : 'in your pharmacies'} it is ${percent(own.value)}. `}
        {basis.fee.estimated ? 'The dispensing fee from July 2025 on is an estimate.' : ''}
      </p>
      {real !== null && real !== filters.uptake ? (
        <button type="button" className={styles.use} onClick={() => change({ uptake: real })}>
          Use {percent(own.value)} instead
        </button>
      ) : null}
    </div>
  )
}
