import { Button, NativeSelect, NumberInput, Radio, Switch } from '@mantine/core'
import {
  SIXTY_DAY_CATEGORIES,
  SIXTY_DAY_STATES,
  type SixtyDayCategory,
  TRANCHES,
} from '@pillar/domain/sixty-day/choices'
import { SIXTY_DAY_STATISTICS, type SixtyDayStatistic } from '@pillar/domain/sixty-day/figure'
import { useState } from 'react'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { MultiSelect } from '../../../kit/form/MultiSelect.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { Chip } from '../../../kit/list/chip/Chip.tsx'
import styles from '../SixtyDay.module.css'
import type { SixtyDayFilters } from '../search.ts'
import {
  draftOf,
  type FilterDraft,
  filledPlaces,
  filtersOfDraft,
  isUptake,
  optionsOf,
  type Places,
} from './filter-draft.ts'

interface FilterDialogProps {
  filters: SixtyDayFilters
  places: Places
  onClose: () => void
  onConfirm: (next: Partial<SixtyDayFilters>) => void
  onReset: () => void
}

/** All filters at once; nothing changes before Confirm. Selecting states selects the places in them. */
export function FilterDialog({ filters, places, onClose, onConfirm, onReset }: FilterDialogProps) {
  const [draft, setDraft] = useState<FilterDraft>(() => draftOf(filters, places))
  const set = (more: Partial<FilterDraft>) => setDraft((was) => ({ ...was, ...more }))
  const blocked = !isUptake(draft.uptake)
    ? 'Uptake is a number from 0 to 100.'
    : draft.states.length === 0
      ? 'Choose at least one state.'
      : null
  return (
    <Dialog
      opened
      size="confirm"
      title="Filter Category"
      onClose={onClose}
      footLeft={
        <Button variant="subtle" onClick={onReset}>
          Reset
        </Button>
      }
      foot={
        <>
          {blocked ? <span className="muted">{blocked}</span> : null}
          <Button variant="filled" disabled={blocked !== null} onClick={() => onConfirm(filtersOfDraft(draft, places))}>
            Confirm
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <NumberInput
          label="Uptake"
          value={draft.uptake}
          onChange={(uptake) => set({ uptake })}
          min={0}
          max={100}
          clampBehavior="strict"
          decimalScale={2}
          suffix="%"
        />
        <NativeSelect
          label="Category"
          value={draft.category}
          data={SIXTY_DAY_CATEGORIES.map(({ key, label }) => ({ value: key, label }))}
          onChange={(event) => set({ category: event.currentTarget.value as SixtyDayCategory })}
        />
        <NativeSelect
          label="Statistic"
          value={draft.statistic}
          data={SIXTY_DAY_STATISTICS.map(({ key, label }) => ({ value: key, label }))}
          onChange={(event) => set({ statistic: event.currentTarget.value as SixtyDayStatistic })}
        />
        <div className={styles.field}>
          <span>Filter By</span>
          <Segments
            label="Filter By"
            options={TRANCHES.map(({ key, label }) => ({ value: key, label }))}
            value={draft.tranche}
            onChange={(tranche) => set({ tranche })}
          />
        </div>
        <Switch
          label="Less the supply support paid for 60-day scripts"
          checked={draft.net}
          onChange={(event) => set({ net: event.currentTarget.checked })}
        />
        {places.kind === 'guild' ? (
          <Radio.Group
            label="Location Grouping"
            value={draft.grouping}
            onChange={(value) => set({ grouping: value === 'postcode' ? 'postcode' : 'state' })}
          >
            <Radio value="state" label="State" />
            <Radio value="postcode" label="Postcode" />
          </Radio.Group>
        ) : null}
        <MultiSelect
          label="States"
          options={SIXTY_DAY_STATES.map((state) => ({ value: state, label: state }))}
          value={draft.states}
          onChange={(states) => set({ states, inside: filledPlaces(states, places) })}
        />
        <Inside {...{ draft, places, set }} />
      </div>
    </Dialog>
  )
}

/** Postcodes of the states, or pharmacies in them, each of which can be removed. */
function Inside({
  draft,
  places,
  set,
}: {
  draft: FilterDraft
  places: Places
  set: (more: Partial<FilterDraft>) => void
}) {
  const options = optionsOf(draft.states, places)
  const closed = places.kind === 'guild' ? closedReason(draft, options.length) : undefined
  const chips = options.filter(({ value }) => draft.inside.includes(value))
  return (
    <>
      <MultiSelect
        label={places.kind === 'guild' ? 'Postcodes' : 'Pharmacies'}
        options={options}
        value={draft.inside}
        onChange={(inside) => set({ inside })}
        {...(closed ? { disabledReason: closed } : {})}
      />
      {closed || chips.length === options.length ? null : (
        <div className={styles.chips}>
          {chips.map(({ value, label }) => (
            <Chip
              key={value}
              label=""
              value={label}
              onRemove={() => set({ inside: draft.inside.filter((one) => one !== value) })}
            />
          ))}
        </div>
      )}
    </>
  )
}

function closedReason({ grouping }: FilterDraft, published: number): string | undefined {
  if (grouping === 'state') return 'Choose postcode grouping to pick postcodes.'
  return published === 0 ? 'No postcode of these states can be shown.' : undefined
}
