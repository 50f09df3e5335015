import { ActionIcon } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { firstOf } from '@pillar/domain/text/sentence'
import type { Day } from '@pillar/domain/time/day'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { Chip } from '../../../kit/list/chip/Chip.tsx'
import { ChipMenu } from '../../../kit/list/chip/ChipMenu.tsx'
import { PeriodPicker } from '../../../kit/period/PeriodPicker.tsx'
import { PeriodPresets } from '../../../kit/period/PeriodPresets.tsx'
import {
  type Filters,
  type FinancialsSearch,
  groupSearch,
  periodSearch,
  placeSearch,
  STATISTIC_CHOICES,
  statisticSearch,
} from '../search.ts'
import styles from './Filter.module.css'
import { FilterDialog } from './FilterDialog.tsx'

interface FilterBarProps {
  filters: Filters
  pharmacies: readonly Pharmacy[]
  chosen: readonly Pharmacy[]
  categories: readonly string[]
  country: Country
  today: Day
  /** The last day of the figures. */
  until: Day | null
  change: (change: Partial<FinancialsSearch>) => void
  onReset: () => void
}

const VIEWS = [
  { value: 'table', label: 'Table' },
  { value: 'chart', label: 'Chart' },
] as const

/** Period, statistic, group, active filters, and how many pharmacies they leave unless it is all. */
export function FilterBar(props: FilterBarProps) {
  const { filters, pharmacies, chosen, categories, country, today, until, change, onReset } = props
  const [dialog, setDialog] = useState(false)
  const open = () => setDialog(true)
  const all = chosen.length === pharmacies.length
  const onPeriod = (choice: Filters['choice']) => change(periodSearch(choice, country, today))
  return (
    <section className={styles.bar} aria-label="Filters">
      <div className={styles.choices}>
        <PeriodPicker country={country} today={today} until={until} value={filters.choice} onChange={onPeriod} />
        <PeriodPresets {...{ country, today }} value={filters.choice} onChange={onPeriod} />
        <Segments
          label="Statistic"
          options={STATISTIC_CHOICES.map(({ wire }) => ({ value: wire, label: wire }))}
          value={filters.statistic}
          onChange={(statistic) => change(statisticSearch(statistic))}
        />
        <ChipMenu
          label="Group"
          options={[...new Set([filters.category, ...categories])].map((name) => ({ value: name, label: name }))}
          value={filters.category}
          onChange={(category) => change(groupSearch(category))}
        />
        <PlaceChips {...{ filters, chosen, country, change }} onOpen={open} />
        <Chip label="Filter" onClick={open} />
        <ActionIcon aria-label="Reset" title="Reset period, statistic, group and filters" onClick={onReset}>
          <Icon of={RotateCcw} size={15} />
        </ActionIcon>
      </div>
      <div className={styles.shown}>
        <span aria-live="polite" className={all ? 'sr' : undefined}>
          {pharmacies.length > 0 ? countText(chosen.length, pharmacies.length) : null}
        </span>
        <Segments
          label="Show as"
          options={VIEWS}
          value={filters.view}
          onChange={(view) => change({ view: view === 'chart' ? view : undefined })}
        />
      </div>
      {dialog ? (
        <FilterDialog
          opened
          onClose={() => setDialog(false)}
          onConfirm={(confirmed) => {
            setDialog(false)
            change(confirmed)
          }}
          {...{ filters, pharmacies, country }}
        />
      ) : null}
    </section>
  )
}

/** '3 of 24 pharmacies'. */
const countText = (count: number, all: number) =>
  `${count.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')} ${all === 1 ? 'pharmacy' : 'pharmacies'}`

interface PlaceChipsProps extends Pick<FilterBarProps, 'filters' | 'chosen' | 'country' | 'change'> {
  onOpen: () => void
}

/** The active place filters; each opens the dialog and can be removed. */
function PlaceChips({ filters, chosen, country, change, onOpen }: PlaceChipsProps) {
  const { states, postcodes } = filters
  const picked = filters.chosen !== null || filters.without.length > 0
  return (
    <>
      {states.length > 0 ? (
        <Chip
          label="State"
          value={firstOf(states)}
          onClick={onOpen}
          onRemove={() => change(placeSearch([], postcodes))}
        />
      ) : null}
      {postcodes.length > 0 ? (
        <Chip
          label={LOCALES[country].postcodeName}
          value={firstOf(postcodes)}
          onClick={onOpen}
          onRemove={() => change(placeSearch(states, []))}
        />
      ) : null}
      {picked ? (
        <Chip
          label="Pharmacies"
          value={pickedText(filters, chosen)}
          onClick={onOpen}
          onRemove={() => change({ pharmacies: undefined, without: undefined })}
        />
      ) : null}
    </>
  )
}

/** 'all but 2', or up to three names. */
function pickedText({ without, chosen }: Filters, pharmacies: readonly Pharmacy[]): string {
  if (chosen === null) return `all but ${without.length}`
  return pharmacies.length === 0 ? 'none here' : firstOf(pharmacies.map(({ pharmacy_name }) => pharmacy_name))
}
