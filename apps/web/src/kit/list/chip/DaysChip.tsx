import { Button, Popover } from '@mantine/core'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useCountry } from '../../../session/session.ts'
import { DateField } from '../../form/DateField.tsx'
import { useListState } from '../useListState.ts'
import styles from './Chip.module.css'
import { Chip } from './Chip.tsx'

interface Days {
  from?: string
  to?: string
}

/** A named range, such as 'Last month': both days included; without days, the list's default. */
export interface DayRange extends Days {
  label: string
}

interface DaysChipProps {
  /** The usual ranges, as a bar of buttons above the dates. */
  ranges?: readonly DayRange[]
  /** The list's default while no day is selected: 'last year'. */
  unset?: string
}

/** A range of days, both included; either end may be open. */
export function DaysChip({ ranges = [], unset }: DaysChipProps) {
  const country = useCountry()
  const { state, change } = useListState<Days>()
  const [opened, setOpened] = useState(false)
  const shown = (day: string) => formatDate(country, parseDay(day)!)
  const chosen = state.from
    ? state.to
      ? `${shown(state.from)} – ${shown(state.to)}`
      : `from ${shown(state.from)}`
    : state.to && `until ${shown(state.to)}`
  const pick = ({ from, to }: DayRange) => {
    change({ from, to } as Days)
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal closeOnEscape>
      <Popover.Target>
        <Chip
          label="Days"
          value={chosen ?? unset}
          opens
          aria-expanded={opened}
          onClick={() => setOpened((was) => !was)}
          onRemove={chosen ? () => change({ from: undefined, to: undefined }) : undefined}
        />
      </Popover.Target>
      <Popover.Dropdown className={styles.days} data-mantine-stop-propagation="true">
        {ranges.length > 0 ? (
          <fieldset className={styles.presets} aria-label="Days by name">
            {ranges.map((range) => (
              <Button
                key={range.label}
                size="xs"
                variant={range.from === state.from && range.to === state.to ? 'filled' : 'default'}
                onClick={() => pick(range)}
              >
                {range.label}
              </Button>
            ))}
          </fieldset>
        ) : null}
        <DateField label="From" value={state.from ?? ''} onChange={(from) => change({ from })} />
        <DateField label="To" value={state.to ?? ''} onChange={(to) => change({ to })} min={state.from} />
      </Popover.Dropdown>
    </Popover>
  )
}
