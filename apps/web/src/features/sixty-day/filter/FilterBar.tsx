import { ActionIcon, Button } from '@mantine/core'
import { SIXTY_DAY_CATEGORIES, TRANCHES } from '@pillar/domain/sixty-day/choices'
import { SIXTY_DAY_STATISTICS } from '@pillar/domain/sixty-day/figure'
import { firstOf } from '@pillar/domain/text/sentence'
import { Lock, RotateCw, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Chip } from '../../../kit/list/chip/Chip.tsx'
import { ChipMenu } from '../../../kit/list/chip/ChipMenu.tsx'
import styles from '../SixtyDay.module.css'
import { type SixtyDayFilters, type SixtyDaySearch, searchOf } from '../search.ts'
import { FilterDialog } from './FilterDialog.tsx'
import type { Places } from './filter-draft.ts'
import { UptakeField } from './UptakeField.tsx'

interface FilterBarProps {
  filters: SixtyDayFilters
  places: Places
  change: (change: Partial<SixtyDaySearch>) => void
  refresh: () => void
  onReset: () => void
}

/** Uptake first; then category, statistic, tranche and places. */
export function FilterBar({ filters, places, change, refresh, onReset }: FilterBarProps) {
  const [open, setOpen] = useState(false)
  const set = (more: Partial<SixtyDayFilters>) =>
    change({ ...searchOf({ ...filters, ...more }), sort: undefined, order: undefined })
  const where = { states: filters.states, postcodes: filters.postcodes, pharmacies: filters.pharmacies }
  return (
    <section className={styles.bar} aria-label="Filters">
      <UptakeField
        value={filters.uptake}
        onChange={(uptake) => change({ uptake: searchOf({ ...filters, uptake }).uptake })}
      />
      <ChipMenu
        label="Category"
        options={SIXTY_DAY_CATEGORIES.map(({ key, label }) => ({ value: key, label }))}
        value={filters.category}
        onChange={(category) => set({ category })}
      />
      <ChipMenu
        label="Show"
        options={SIXTY_DAY_STATISTICS.map(({ key, label }) => ({ value: key, label }))}
        value={filters.statistic}
        onChange={(statistic) => change({ show: searchOf({ ...filters, statistic }).show })}
      />
      <span className={styles.tranche} title="Changed under Filters">
        <Icon of={Lock} size={14} /> Tranche <b>{TRANCHES.find(({ key }) => key === filters.tranche)?.label}</b>
      </span>
      {where.states.length > 0 ? (
        <Chip
          label="State"
          value={firstOf(where.states)}
          onClick={() => setOpen(true)}
          onRemove={() => set({ states: [], postcodes: [] })}
        />
      ) : null}
      {filters.grouping === 'postcode' && where.postcodes.length > 0 ? (
        <Chip
          label="Postcode"
          value={firstOf(where.postcodes)}
          onClick={() => setOpen(true)}
          onRemove={() => set({ postcodes: [] })}
        />
      ) : null}
      {where.pharmacies.length > 0 && places.kind === 'company' ? (
        <Chip
          label="Pharmacies"
          value={firstOf(places.chosen.map(({ name }) => name))}
          onClick={() => setOpen(true)}
          onRemove={() => set({ pharmacies: [] })}
        />
      ) : null}
      <Chip
        label={places.kind === 'company' ? 'State or pharmacy' : 'State or postcode'}
        onClick={() => setOpen(true)}
      />
      <span className={styles.grow} />
      <ActionIcon aria-label="Refresh" onClick={refresh}>
        <Icon of={RotateCw} />
      </ActionIcon>
      <Button size="xs" leftSection={<Icon of={SlidersHorizontal} />} onClick={() => setOpen(true)}>
        Filters
      </Button>
      {open ? (
        <FilterDialog
          {...{ filters, places }}
          onClose={() => setOpen(false)}
          onConfirm={(next) => {
            setOpen(false)
            change({ ...searchOf({ ...filters, ...next }), sort: undefined, order: undefined })
          }}
          onReset={() => {
            setOpen(false)
            onReset()
          }}
        />
      ) : null}
    </section>
  )
}
