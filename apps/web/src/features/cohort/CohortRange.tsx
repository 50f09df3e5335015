import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import type { Country } from '@pillar/domain/time/locale'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Cohort.module.css'
import { CohortChips } from './CohortChips.tsx'
import { ownRange, type RangeKey, rangeOptions, unitOf, withRange } from './cohort-draft.ts'

interface CohortRangeProps {
  label: string
  filter: RangeKey
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  country: Country
}

/** A filter by ranges: the usual ones, and custom ones. */
export function CohortRange({ label, filter, chosen, onChange, country }: CohortRangeProps) {
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const options = rangeOptions(filter, chosen, country)
  const unit = unitOf(filter, country)
  const add = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const own = ownRange(typed, filter)
    if ('problem' in own) {
      setProblem(own.problem)
      return
    }
    onChange(withRange(chosen, own.range))
    setTyped('')
    setOpened(false)
  }
  return (
    <CohortChips label={label} options={options} chosen={chosen} onChange={onChange}>
      <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal closeOnEscape>
        <Popover.Target>
          <ActionIcon aria-label={`${label}: another range`} title="Another range" onClick={() => setOpened(!opened)}>
            <Icon of={Plus} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown data-mantine-stop-propagation="true">
          <form className={styles.own} onSubmit={add} noValidate>
            <TextInput
              label={unit ? `Range in ${unit}` : 'Range'}
              description="Such as 10-15 or 65+"
              error={problem}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setProblem(null)
              }}
              onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
              data-autofocus
            />
            <Button type="submit" variant="filled">
              Add
            </Button>
          </form>
        </Popover.Dropdown>
      </Popover>
    </CohortChips>
  )
}
