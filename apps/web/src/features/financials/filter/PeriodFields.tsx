import { NativeSelect } from '@mantine/core'
import type { Day } from '@pillar/domain/time/day'
import { type Country, monthName, monthShort } from '@pillar/domain/time/locale'
import { type PeriodKind, periodLabel, yearsOffered } from '@pillar/domain/time/period'
import styles from './Filter.module.css'
import { begunUnits, type PeriodDraft, withKind } from './filter-draft.ts'

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
