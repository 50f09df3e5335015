import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { choiceAt, kindOf, type PeriodChoice, type PeriodKind } from '@pillar/domain/time/period'
import styles from './PeriodPicker.module.css'

interface PeriodPresetsProps {
  country: Country
  today: Day
  value: PeriodChoice
  onChange: (value: PeriodChoice) => void
}

const PRESETS = [
  { kind: 'month', label: 'Month' },
  { kind: 'quarter', label: 'Quarter' },
  { kind: 'year', label: 'Year' },
] as const satisfies readonly { kind: PeriodKind; label: string }[]

const same = (a: PeriodChoice, b: PeriodChoice) =>
  a.year === b.year && (a.month ?? 0) === (b.month ?? 0) && (a.quarter ?? 0) === (b.quarter ?? 0)

/** One click to the running month, quarter or financial year; Today leads from an older period to the running one of its kind. */
export function PeriodPresets({ country, today, value, onChange }: PeriodPresetsProps) {
  const here = choiceAt(country, kindOf(value), today)
  const running = same(here, value)
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups buttons, not fields.
    <div className={styles.presets} role="group" aria-label="Running period">
      <button
        type="button"
        disabled={running}
        title={running ? 'This period is running today' : undefined}
        onClick={() => onChange(here)}
      >
        Today
      </button>
      {PRESETS.map(({ kind, label }) => {
        const choice = choiceAt(country, kind, today)
        return (
          <button key={kind} type="button" aria-pressed={same(choice, value)} onClick={() => onChange(choice)}>
            {label}
          </button>
        )
      })}
    </div>
  )
}
