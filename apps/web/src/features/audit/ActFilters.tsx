import { Popover } from '@mantine/core'
import { ACTION_KINDS } from '@pillar/domain/audit/action-words'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { DateField } from '../../kit/form/DateField.tsx'
import { Chip } from '../../kit/list/chip/Chip.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import styles from './Audit.module.css'

const LABELS = {
  change: 'Changes',
  look: 'Looked at',
  'sign-in': 'Sign-in',
  patient: 'Patients',
  platform: 'Automatic',
} as const
const KINDS = ACTION_KINDS.map((value) => ({ value, label: LABELS[value] }))

interface Days {
  from?: string
  to?: string
}

/** Which kind of act, and between which days. */
export function ActFilters() {
  return (
    <>
      <FilterChip field="act" label="Kind" options={KINDS} />
      <DaysChip />
    </>
  )
}

/** Between which days, both included; either may be left open. */
function DaysChip() {
  const country = useCountry()
  const { state, change } = useListState<Days>()
  const [opened, setOpened] = useState(false)
  const shown = (day: string) => formatDate(country, parseDay(day)!)
  const value = state.from
    ? state.to
      ? `${shown(state.from)} – ${shown(state.to)}`
      : `from ${shown(state.from)}`
    : state.to && `until ${shown(state.to)}`
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal closeOnEscape>
      <Popover.Target>
        <Chip
          label="Days"
          value={value}
          opens
          aria-expanded={opened}
          onClick={() => setOpened((was) => !was)}
          onRemove={() => change({ from: undefined, to: undefined })}
        />
      </Popover.Target>
      <Popover.Dropdown className={styles.days} data-mantine-stop-propagation="true">
        <DateField label="From" value={state.from ?? ''} onChange={(from) => change({ from })} />
        <DateField label="To" value={state.to ?? ''} onChange={(to) => change({ to })} min={state.from} />
      </Popover.Dropdown>
    </Popover>
  )
}
