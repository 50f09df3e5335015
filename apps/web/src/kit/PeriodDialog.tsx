import { Button, NativeSelect } from '@mantine/core'
import type { Day } from '@pillar/domain/day'
import { type Country, monthShort } from '@pillar/domain/locale'
import {
  choiceAt,
  type PeriodChoice,
  type PeriodKind,
  periodDates,
  periodLabel,
  periodOf,
  yearsOffered,
} from '@pillar/domain/period'
import { useState } from 'react'
import { Dialog } from './Dialog.tsx'
import styles from './PeriodPicker.module.css'
import { choiceOfDraft, type Draft, draftOf, hasBegun } from './period-draft.ts'

export { choiceOfDraft } from './period-draft.ts'

import { Segments } from './Segments.tsx'

interface PeriodDialogProps {
  opened: boolean
  country: Country
  today: Day
  value: PeriodChoice
  /** Last day the figures reach, as the picker shows it. */
  until: Day
  onClose: () => void
  onConfirm: (value: PeriodChoice) => void
}

const KINDS = [
  { value: 'year', label: 'Financial year' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'month', label: 'Month' },
] as const

/** Picks a financial year, quarter or month. Periods that have not begun cannot be chosen. */
export function PeriodDialog({ opened, country, today, value, until, onClose, onConfirm }: PeriodDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(value))
  const choice = choiceOfDraft(draft)
  const missing = typeof choice === 'string' ? choice : null
  const years = yearsOffered(today, country, draft.kind)
  const changeKind = (kind: PeriodKind) => {
    const offered = yearsOffered(today, country, kind)
    setDraft({ kind, unit: null, year: offered.includes(draft.year) ? draft.year : offered[0]! })
  }
  const changeYear = (year: number) => {
    const kept = draft.unit !== null && hasBegun(country, today, { ...draft, year }, draft.unit)
    setDraft({ ...draft, year, unit: kept ? draft.unit : null })
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Period"
      footLeft={
        <Button variant="subtle" onClick={() => setDraft(draftOf(choiceAt(country, 'year', today)))}>
          Reset
        </Button>
      }
      foot={
        <>
          {missing ? <span className="muted">{missing}</span> : null}
          <Button
            variant="filled"
            disabled={missing !== null}
            onClick={() => {
              if (typeof choice !== 'string') onConfirm(choice)
            }}
          >
            Confirm
          </Button>
        </>
      }
    >
      <Segments label="Kind of period" options={KINDS} value={draft.kind} onChange={changeKind} full />
      <NativeSelect
        className={styles.year}
        label={draft.kind === 'year' ? 'Financial year' : 'Year'}
        value={draft.year}
        onChange={(event) => changeYear(Number(event.currentTarget.value))}
        data={years.map((year) => ({
          value: String(year),
          label: draft.kind === 'year' ? periodLabel(country, { year }).replace('Financial year ', '') : String(year),
        }))}
      />
      <Units draft={draft} country={country} today={today} onPick={(unit) => setDraft({ ...draft, unit })} />
      {typeof choice === 'string' ? null : (
        <p className={styles.dates}>
          {periodLabel(country, choice)}: {periodDates(country, periodOf(country, choice), until)}
        </p>
      )}
    </Dialog>
  )
}

interface UnitsProps {
  draft: Draft
  country: Country
  today: Day
  onPick: (unit: number) => void
}

function Units({ draft, country, today, onPick }: UnitsProps) {
  if (draft.kind === 'year') return null
  const quarters = draft.kind === 'quarter'
  const units = Array.from({ length: quarters ? 4 : 12 }, (_, index) => index + 1)
  return (
    <div className={quarters ? styles.units : `${styles.units} ${styles.months}`}>
      {units.map((unit) => {
        const begun = hasBegun(country, today, draft, unit)
        return (
          <button
            key={unit}
            type="button"
            disabled={!begun}
            title={begun ? undefined : 'Has not begun yet'}
            aria-pressed={draft.unit === unit}
            onClick={() => onPick(unit)}
          >
            <b>{quarters ? `Q${unit}` : monthShort(unit)}</b>
            {quarters ? `${monthShort(unit * 3 - 2)} – ${monthShort(unit * 3)}` : null}
          </button>
        )
      })}
    </div>
  )
}
