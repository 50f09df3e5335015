import { Button, NativeSelect } from '@mantine/core'
import type { Day } from '@pillar/domain/time/day'
import { type Country, monthShort } from '@pillar/domain/time/locale'
import type { PeriodChoice, PeriodKind } from '@pillar/domain/time/period'
import { useState } from 'react'
import { Dialog } from '../dialog/Dialog.tsx'
import { Segments } from '../form/Segments.tsx'
import styles from './PeriodPicker.module.css'
import { choiceOfDraft, type Draft, draftOf, hasBegun } from './period-draft.ts'
import { FINANCIAL, type PeriodRules } from './period-rules.ts'

interface PeriodDialogProps {
  opened: boolean
  country: Country
  today: Day
  value: PeriodChoice
  /** Last day of the figures, as the picker shows it. */
  until: Day
  rules?: PeriodRules
  onClose: () => void
  onConfirm: (value: PeriodChoice) => void
}

const KINDS = ['year', 'quarter', 'month'] as const

/** Picks a year, quarter or month. Periods that have not begun cannot be selected. */
export function PeriodDialog(props: PeriodDialogProps) {
  const { opened, country, today, value, until, rules = FINANCIAL, onClose, onConfirm } = props
  const [draft, setDraft] = useState(() => draftOf(value))
  const choice = choiceOfDraft(draft)
  const missing = typeof choice === 'string' ? choice : null
  const changeKind = (kind: PeriodKind) => {
    const offered = rules.years(today, country, kind)
    setDraft({ kind, unit: null, year: offered.includes(draft.year) ? draft.year : offered[0]! })
  }
  const changeYear = (year: number) => {
    const kept = draft.unit !== null && hasBegun(rules, country, today, { ...draft, year }, draft.unit)
    setDraft({ ...draft, year, unit: kept ? draft.unit : null })
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={rules.title}
      footLeft={
        <Button variant="subtle" onClick={() => setDraft(draftOf(rules.initial(country, today)))}>
          Reset
        </Button>
      }
      foot={
        <>
          {missing ? <span className="muted">{missing}</span> : null}
          <Button
            variant="filled"
            disabled={missing !== null}
            onClick={() => typeof choice !== 'string' && onConfirm(choice)}
          >
            Confirm
          </Button>
        </>
      }
    >
      <Segments
        label="Kind of period"
        options={KINDS.map((kind) => ({ value: kind, label: rules.kinds[kind] }))}
        value={draft.kind}
        onChange={changeKind}
        full
      />
      <Year {...{ draft, rules, country, today }} onPick={changeYear} />
      <Units
        draft={draft}
        rules={rules}
        country={country}
        today={today}
        onPick={(unit) => setDraft({ ...draft, unit })}
      />
      {typeof choice === 'string' ? null : (
        <p className={styles.dates}>
          {rules.label(country, choice)}: {rules.dates(country, choice, until)}
        </p>
      )}
    </Dialog>
  )
}

interface UnitsProps {
  draft: Draft
  rules: PeriodRules
  country: Country
  today: Day
  /** The unit, or the year. */
  onPick: (number: number) => void
}

/** The year: alone, or that of the quarter or month. */
function Year({ draft, rules, country, today, onPick }: UnitsProps) {
  return (
    <NativeSelect
      className={styles.year}
      label={draft.kind === 'year' ? rules.kinds.year : 'Year'}
      value={draft.year}
      onChange={(event) => onPick(Number(event.currentTarget.value))}
      data={rules.years(today, country, draft.kind).map((year) => ({
        value: String(year),
        label: draft.kind === 'year' ? rules.yearName(country, year) : String(year),
      }))}
    />
  )
}

function Units({ draft, rules, country, today, onPick }: UnitsProps) {
  if (draft.kind === 'year') return null
  const quarters = draft.kind === 'quarter'
  const units = Array.from({ length: quarters ? 4 : 12 }, (_, index) => index + 1)
  return (
    <div className={quarters ? styles.units : `${styles.units} ${styles.months}`}>
      {units.map((unit) => {
        const begun = hasBegun(rules, country, today, draft, unit)
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
