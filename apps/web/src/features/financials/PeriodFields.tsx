import { NativeSelect } from '@mantine/core'
import type { Day } from '@pillar/domain/day'
import { type Country, monthName, monthShort } from '@pillar/domain/locale'
import { kindOf, type PeriodChoice, type PeriodKind, periodLabel, periodOf, yearsOffered } from '@pillar/domain/period'
import styles from './Filter.module.css'

/** A period being put together: the quarter or month may still be missing after the kind changed. */
export interface PeriodDraft {
  readonly kind: PeriodKind
  readonly year: number
  readonly unit: number | null
}

export const periodDraft = (choice: PeriodChoice): PeriodDraft => ({
  kind: kindOf(choice),
  year: choice.year,
  unit: choice.month ?? choice.quarter ?? null,
})

/** Another kind: a quarter is no month, so the unit is cleared, and the year becomes one that is offered. */
export function withKind(draft: PeriodDraft, kind: PeriodKind, country: Country, today: Day): PeriodDraft {
  const years = yearsOffered(today, country, kind)
  return { kind, unit: null, year: years.includes(draft.year) ? draft.year : years[0]! }
}

/** Quarters or months of a year that have begun. */
export function begunUnits({ kind, year }: Pick<PeriodDraft, 'kind' | 'year'>, country: Country, today: Day): number[] {
  if (kind === 'year') return []
  const units = Array.from({ length: kind === 'quarter' ? 4 : 12 }, (_, index) => index + 1)
  return units.filter((unit) => periodOf(country, { year, [kind]: unit }).from <= today)
}

interface PeriodFieldsProps {
  draft: PeriodDraft
  onChange: (draft: PeriodDraft) => void
  country: Country
  today: Day
}

/** Kind, year, and the quarter or month, side by side. */
export function PeriodFields({ draft, onChange, country, today }: PeriodFieldsProps) {
  const { kind, year, unit } = draft
  const quarterText = (quarter: number) => `Q${quarter} (${monthShort(quarter * 3 - 2)}–${monthShort(quarter * 3)})`
  const changeYear = (next: number) => {
    const kept = unit !== null && begunUnits({ kind, year: next }, country, today).includes(unit)
    onChange({ kind, year: next, unit: kept ? unit : null })
  }
  return (
    <div className={`${styles.period} ${styles.wide}`}>
      <NativeSelect
        label="Period"
        value={kind}
        onChange={(event) => onChange(withKind(draft, event.currentTarget.value as PeriodKind, country, today))}
        data={[
          { value: 'year', label: 'Financial Year' },
          { value: 'quarter', label: 'Quarter' },
          { value: 'month', label: 'Month' },
        ]}
      />
      <NativeSelect
        label="Year"
        value={year}
        onChange={(event) => changeYear(Number(event.currentTarget.value))}
        data={[...new Set([...yearsOffered(today, country, kind), year])].map((offered) => ({
          value: String(offered),
          label:
            kind === 'year' ? periodLabel(country, { year: offered }).replace('Financial year ', '') : String(offered),
        }))}
      />
      {kind === 'year' ? null : (
        <NativeSelect
          label={kind === 'quarter' ? 'Quarter' : 'Month'}
          value={unit ?? ''}
          onChange={(event) => onChange({ kind, year, unit: Number(event.currentTarget.value) || null })}
          data={[
            { value: '', label: kind === 'quarter' ? 'Please select a quarter' : 'Please select a month' },
            ...begunUnits(draft, country, today).map((offered) => ({
              value: String(offered),
              label: kind === 'quarter' ? quarterText(offered) : monthName(offered),
            })),
          ]}
        />
      )}
    </div>
  )
}
