import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { kindOf, type PeriodChoice } from '@pillar/domain/time/period'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import { PeriodDialog } from './PeriodDialog.tsx'
import styles from './PeriodPicker.module.css'
import { FINANCIAL, type PeriodRules } from './period-rules.ts'

interface PeriodPickerProps {
  country: Country
  today: Day
  value: PeriodChoice
  onChange: (value: PeriodChoice) => void
  /** Last day of the figures, where the dates of a running period end. Default today. */
  until?: Day | null
  /** Financial periods unless the screen uses others. */
  rules?: PeriodRules
}

/** ‹ label with real dates ›. The label opens the dialog; the arrows stop at the running and the oldest period. */
export function PeriodPicker({ country, today, value, onChange, until, rules = FINANCIAL }: PeriodPickerProps) {
  const [opened, setOpened] = useState(false)
  // Each opening starts from the current period; closing must not recreate the dialog, or the focus would be lost.
  const [openings, setOpenings] = useState(0)
  const back = rules.previous(country, value, today)
  const forward = rules.next(country, value, today)
  const unit = rules.kinds[kindOf(value)].toLowerCase()
  return (
    <>
      <div className={styles.picker}>
        {back ? (
          <button type="button" className={styles.arrow} aria-label={`Back one ${unit}`} onClick={() => onChange(back)}>
            <Icon of={ChevronLeft} />
          </button>
        ) : null}
        <button
          type="button"
          className={styles.label}
          aria-haspopup="dialog"
          onClick={() => {
            setOpenings(openings + 1)
            setOpened(true)
          }}
        >
          {rules.label(country, value)} <span>{rules.dates(country, value, until ?? today)}</span>
        </button>
        {forward ? (
          <button
            type="button"
            className={styles.arrow}
            aria-label={`Forward one ${unit}`}
            onClick={() => onChange(forward)}
          >
            <Icon of={ChevronRight} />
          </button>
        ) : null}
      </div>
      <PeriodDialog
        key={openings}
        opened={opened}
        country={country}
        today={today}
        value={value}
        until={until ?? today}
        rules={rules}
        onClose={() => setOpened(false)}
        onConfirm={(choice) => {
          setOpened(false)
          onChange(choice)
        }}
      />
    </>
  )
}
