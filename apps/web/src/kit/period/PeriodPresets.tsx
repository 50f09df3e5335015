import { Tooltip } from '@mantine/core'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { choiceAt, kindOf, type PeriodChoice, type PeriodKind, periodLabel } from '@pillar/domain/time/period'
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

const NOTHING_SHORTER =
  'You are looking at the period that runs today. Figures are counted by month, quarter and year, not by day.'

const same = (a: PeriodChoice, b: PeriodChoice) =>
  a.year === b.year && (a.month ?? 0) === (b.month ?? 0) && (a.quarter ?? 0) === (b.quarter ?? 0)

/** One click to the running month, quarter or financial year; Today leads from an older period to the running one of the same kind. */
export function PeriodPresets({ country, today, value, onChange }: PeriodPresetsProps) {
  const here = choiceAt(country, kindOf(value), today)
  const running = same(here, value)
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups buttons, not fields.
    <div className={styles.presets} role="group" aria-label="Running period">
      <Tooltip
        label={running ? NOTHING_SHORTER : `Back to ${periodLabel(country, here)}`}
        events={{ hover: true, focus: true, touch: true }}
        multiline
        maw={260}
      >
        <button type="button" aria-disabled={running} onClick={() => running || onChange(here)}>
          Today
        </button>
      </Tooltip>
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
