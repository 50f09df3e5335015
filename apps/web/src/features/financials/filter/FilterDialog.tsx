import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import type { Day } from '@pillar/domain/time/day'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { useMemo, useState } from 'react'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { choiceOfDraft } from '../../../kit/period/PeriodDialog.tsx'
import { cleanPostcode, type Filters, type FinancialsSearch, periodSearch, STATISTIC_CHOICES } from '../search.ts'
import { CheckList } from './CheckList.tsx'
import styles from './Filter.module.css'
import { changeOf, type Draft, draftOf, emptyDraft, parts } from './filter-draft.ts'
import { PeriodFields } from './PeriodFields.tsx'
import { narrowed, postcodesOf, statesOf } from './pharmacies.ts'

interface FilterDialogProps {
  opened: boolean
  onClose: () => void
  filters: Filters
  pharmacies: readonly Pharmacy[]
  categories: readonly string[]
  country: Country
  today: Day
  onConfirm: (change: Partial<FinancialsSearch>) => void
}

/** All filters in one dialog. Nothing changes on the screen behind until Confirm. */
export function FilterDialog(props: FilterDialogProps) {
  const { opened, onClose, filters, pharmacies, categories, country, today, onConfirm } = props
  const [draft, setDraft] = useState<Draft>(() => draftOf(filters, pharmacies))
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const offered = useMemo(
    () => narrowed(pharmacies, draft.states, parts(draft.postcode)),
    [pharmacies, draft.states, draft.postcode],
  )
  // Only some countries' pharmacies have states.
  const states = useMemo(() => statesOf(pharmacies), [pharmacies])
  const picked = draft.picked ?? new Set(offered.map(({ pharmacy_id }) => pharmacy_id))
  const choice = choiceOfDraft({ ...draft.period })
  const missing = missingOf(choice, offered.length, picked.size)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Filter Category"
      size="M"
      footLeft={
        <Button variant="subtle" onClick={() => setDraft(emptyDraft(country, today))}>
          Reset
        </Button>
      }
      foot={
        <Foot
          missing={missing}
          onConfirm={() =>
            typeof choice !== 'string' &&
            onConfirm({ ...periodSearch(choice, country, today), ...changeOf(draft, filters, offered) })
          }
        />
      }
    >
      <div className={styles.form}>
        <NativeSelect
          label="Category"
          value={draft.category}
          data={[...new Set([draft.category, ...categories])]}
          onChange={(event) => set({ category: event.currentTarget.value })}
        />
        <StatisticField value={draft.statistic} onChange={(statistic) => set({ statistic })} />
        <PeriodFields draft={draft.period} onChange={(period) => set({ period })} country={country} today={today} />
        <PostcodeField {...{ draft, pharmacies, country, set }} />
        {states.length > 0 ? (
          <States states={states} chosen={draft.states} onChange={(chosen) => set({ states: chosen, picked: null })} />
        ) : null}
        <Pharmacies offered={offered} picked={picked} onChange={(next) => set({ picked: next })} />
      </div>
    </Dialog>
  )
}

interface PharmaciesProps {
  offered: readonly Pharmacy[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
}

function Pharmacies({ offered, picked, onChange }: PharmaciesProps) {
  const options = useMemo(() => offered.map(optionOf), [offered])
  return (
    <div className={styles.wide}>
      <span className={styles.label}>Pharmacies</span>
      <CheckList label="Pharmacies" many="pharmacies" options={options} checked={picked} onChange={onChange} />
    </div>
  )
}

function optionOf({ pharmacy_id, pharmacy_name, state, postcode }: Pharmacy) {
  const note = [state, postcode].filter((part) => part !== null).join(' ')
  return { value: pharmacy_id, label: pharmacy_name, note }
}

function postcodeHint(pharmacies: readonly Pharmacy[], states: readonly string[]): string {
  const all = postcodesOf(pharmacies, states)
  const some = all.slice(0, 3).map(({ postcode }) => postcode)
  return `Full or partial postcodes, separated by commas${some.length > 0 ? `, such as ${some.join(', ')}` : ''}`
}

/** What must be chosen before the filters can be confirmed; null for nothing. */
function missingOf(choice: ReturnType<typeof choiceOfDraft>, offered: number, picked: number): string | null {
  if (typeof choice === 'string') return choice
  if (offered === 0) return 'No pharmacy matches'
  return picked === 0 ? 'Please select at least one pharmacy' : null
}

function Foot({ missing, onConfirm }: { missing: string | null; onConfirm: () => void }) {
  return (
    <>
      {missing ? <span className="muted">{missing}</span> : null}
      <Button variant="filled" disabled={missing !== null} onClick={onConfirm}>
        Confirm
      </Button>
    </>
  )
}

function StatisticField({
  value,
  onChange,
}: {
  value: Draft['statistic']
  onChange: (value: Draft['statistic']) => void
}) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>Statistic</span>
      <Segments
        label="Statistic"
        options={STATISTIC_CHOICES.map(({ wire }) => ({ value: wire, label: wire }))}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}

interface PostcodeFieldProps extends Pick<FilterDialogProps, 'pharmacies' | 'country'> {
  draft: Draft
  set: (change: Partial<Draft>) => void
}

function PostcodeField({ draft, pharmacies, country, set }: PostcodeFieldProps) {
  return (
    <TextInput
      className={styles.wide}
      label={LOCALES[country].postcodeName}
      placeholder="All"
      description={postcodeHint(pharmacies, draft.states)}
      inputMode={country === 'GB' ? 'text' : 'numeric'}
      value={draft.postcode}
      onChange={(event) => set({ postcode: cleanPostcode(country, event.currentTarget.value), picked: null })}
    />
  )
}

interface StatesProps {
  states: readonly string[]
  chosen: Draft['states']
  onChange: (chosen: string[]) => void
}

function States({ states, chosen, onChange }: StatesProps) {
  return (
    <Checkbox.Group className={styles.wide} label="State" value={[...chosen]} onChange={onChange}>
      <div className={styles.states}>
        {states.map((state) => (
          <Checkbox key={state} value={state} label={state} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  )
}
