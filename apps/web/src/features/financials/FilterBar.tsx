import { Button } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import type { Day } from '@pillar/domain/day'
import { type Country, LOCALES } from '@pillar/domain/locale'
import { useState } from 'react'
import { Segments } from '../../kit/form/Segments.tsx'
import { Chip } from '../../kit/list/Chip.tsx'
import { ChipMenu } from '../../kit/list/ChipMenu.tsx'
import { PeriodPicker } from '../../kit/period/PeriodPicker.tsx'
import styles from './Filter.module.css'
import { FilterDialog } from './FilterDialog.tsx'
import { named } from './pharmacies.ts'
import {
  type Filters,
  type FinancialsSearch,
  groupSearch,
  periodSearch,
  placeSearch,
  STATISTIC_CHOICES,
  statisticSearch,
} from './search.ts'

interface FilterBarProps {
  filters: Filters
  pharmacies: readonly Pharmacy[]
  chosen: readonly Pharmacy[]
  categories: readonly string[]
  country: Country
  today: Day
  /** Last day the figures reach. */
  until: Day | null
  change: (change: Partial<FinancialsSearch>) => void
  onReset: () => void
}

/** Period, statistic, group, the filters that are on, and how many pharmacies they leave. */
export function FilterBar(props: FilterBarProps) {
  const { filters, pharmacies, chosen, categories, country, today, until, change, onReset } = props
  const [dialog, setDialog] = useState(false)
  const open = () => setDialog(true)
  const { states, postcodes } = filters
  const picked = filters.chosen !== null || filters.without.length > 0
  return (
    <section className={styles.bar} aria-label="Filters">
      <PeriodPicker
        country={country}
        today={today}
        until={until}
        value={filters.choice}
        onChange={(choice) => change(periodSearch(choice, country, today))}
      />
      <span className={styles.rule} />
      <Segments
        label="Statistic"
        options={STATISTIC_CHOICES.map(({ wire, label }) => ({ value: wire, label }))}
        value={filters.statistic}
        onChange={(statistic) => change(statisticSearch(statistic))}
      />
      <ChipMenu
        label="Group"
        options={[...new Set([filters.category, ...categories])].map((name) => ({ value: name, label: name }))}
        value={filters.category}
        onChange={(category) => change(groupSearch(category))}
      />
      {states.length > 0 ? (
        <Chip label="State" value={named(states)} onClick={open} onRemove={() => change(placeSearch([], postcodes))} />
      ) : null}
      {postcodes.length > 0 ? (
        <Chip
          label={LOCALES[country].postcodeName}
          value={named(postcodes)}
          onClick={open}
          onRemove={() => change(placeSearch(states, []))}
        />
      ) : null}
      {picked ? (
        <Chip
          label="Pharmacies"
          value={pickedText(filters, chosen)}
          onClick={open}
          onRemove={() => change({ pharmacies: undefined, without: undefined })}
        />
      ) : null}
      <Chip label="Filter" onClick={open} />
      <Button variant="subtle" size="xs" onClick={onReset}>
        Reset
      </Button>
      <span className={styles.count} aria-live="polite">
        {chosen.length.toLocaleString('en-AU')} of {pharmacies.length.toLocaleString('en-AU')}{' '}
        {pharmacies.length === 1 ? 'pharmacy' : 'pharmacies'}
      </span>
      {dialog ? (
        <FilterDialog
          opened
          onClose={() => setDialog(false)}
          onConfirm={(confirmed) => {
            setDialog(false)
            change(confirmed)
          }}
          {...{ filters, pharmacies, categories, country, today }}
        />
      ) : null}
    </section>
  )
}

/** 'all but 2', or the names up to three. */
function pickedText({ without, chosen }: Filters, pharmacies: readonly Pharmacy[]): string {
  if (chosen === null) return `all but ${without.length}`
  return pharmacies.length === 0 ? 'none here' : named(pharmacies.map(({ pharmacy_name }) => pharmacy_name))
}
