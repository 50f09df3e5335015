import { NumberInput, Switch } from '@mantine/core'
import { FAULTY_STATES, SILENCE } from '@pillar/domain/upload/faulty-upload'
import { statusWord } from '../../kit/display/status.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { type FaultySearch, silenceOf } from './faulty-search.ts'
import styles from './Upload.module.css'

const STATES = FAULTY_STATES.map((value) => ({ value, label: statusWord(value) }))
const ASSIGNED = [
  { value: 'me', label: 'To me' },
  { value: 'nobody', label: 'To nobody' },
] as const

/** How long a pharmacy may be silent, and which part of the work to show. */
export function FaultyFilters({ search, snoozed }: { search: FaultySearch; snoozed: number | undefined }) {
  const { change } = useListState<FaultySearch & Record<string, unknown>>()
  const { by, limit } = silenceOf(search)
  const on = search.silence !== 'off'
  const most = by === 'hours' ? SILENCE.mostHours : SILENCE.mostBusinessDays
  return (
    <>
      <span className={styles.silence}>
        <Switch
          label="No upload for"
          checked={on}
          onChange={(event) => change({ silence: event.currentTarget.checked ? undefined : 'off' } as never)}
        />
        <NumberInput
          aria-label={by === 'hours' ? 'Hours' : 'Business days'}
          size="xs"
          w={72}
          min={1}
          max={most}
          allowDecimal={false}
          clampBehavior="strict"
          disabled={!on}
          title={on ? undefined : 'Turn on No upload for first'}
          value={limit}
          onChange={(value) => typeof value === 'number' && value > 0 && change({ limit: value }, 'replace')}
        />
        <Segments
          label="Counted in"
          options={[
            { value: 'days', label: 'Business Days', disabled: !on },
            { value: 'hours', label: 'Hours', disabled: !on },
          ]}
          value={by}
          onChange={(next) => change({ by: next === 'hours' ? 'hours' : undefined, limit: undefined } as never)}
        />
      </span>
      <FilterChip field="state" label="Status" options={STATES} />
      <FilterChip field="assigned" label="Assigned" options={ASSIGNED} />
      <FilterChip
        field="rest"
        label={snoozed === undefined ? 'Snoozed' : `Snoozed (${snoozed})`}
        options={[{ value: 'only', label: 'only these' }]}
      />
    </>
  )
}
