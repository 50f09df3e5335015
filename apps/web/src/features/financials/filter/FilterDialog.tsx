import { Button, Checkbox, TextInput } from '@mantine/core'
import type { Pharmacy } from '@pillar/contract/financials'
import { type Country, formatNumber, LOCALES, postcodeWord } from '@pillar/domain/time/locale'
import { useMemo, useState } from 'react'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { CheckList } from '../../../kit/form/CheckList.tsx'
import { cleanPostcode, type Filters, type FinancialsSearch } from '../search.ts'
import styles from './Filter.module.css'
import { changeOf, type Draft, draftOf, EMPTY, offeredOf } from './filter-draft.ts'
import { postcodesOf, statesOf } from './pharmacies.ts'

interface FilterDialogProps {
  opened: boolean
  onClose: () => void
  filters: Filters
  pharmacies: readonly Pharmacy[]
  country: Country
  onConfirm: (change: Partial<FinancialsSearch>) => void
}

/** Picks pharmacies by postcode, by state or one by one. The screen behind does not change until it is confirmed. */
export function FilterDialog({ opened, onClose, filters, pharmacies, country, onConfirm }: FilterDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(filters, pharmacies))
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const offered = useMemo(() => offeredOf(draft, pharmacies), [draft, pharmacies])
  // Only some countries' pharmacies have states.
  const states = useMemo(() => statesOf(pharmacies), [pharmacies])
  const picked = draft.picked ?? new Set(offered.map(({ pharmacy_id }) => pharmacy_id))
  const confirm = () => onConfirm(changeOf(draft, offered))
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Filter Category"
      size="M"
      footLeft={
        <Button variant="subtle" onClick={() => setDraft(EMPTY)}>
          Reset
        </Button>
      }
      foot={<Foot offered={offered.length} picked={picked.size} country={country} onConfirm={confirm} />}
    >
      <div className={styles.form}>
        <TextInput
          label={LOCALES[country].postcodeName}
          placeholder="All"
          description={postcodeHint(pharmacies, draft.states, country)}
          inputMode={country === 'GB' ? 'text' : 'numeric'}
          value={draft.postcode}
          onChange={(event) => set({ postcode: cleanPostcode(country, event.currentTarget.value), picked: null })}
        />
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
    <div>
      <span className={styles.label}>Pharmacies</span>
      <CheckList label="Pharmacies" many="pharmacies" options={options} checked={picked} onChange={onChange} />
    </div>
  )
}

function optionOf({ pharmacy_id, pharmacy_name, state, postcode }: Pharmacy) {
  const note = [state, postcode].filter((part) => part !== null).join(' ')
  return { value: pharmacy_id, label: pharmacy_name, note }
}

function postcodeHint(pharmacies: readonly Pharmacy[], states: readonly string[], country: Country): string {
  const all = postcodesOf(pharmacies, states)
  const some = all.slice(0, 3).map(({ postcode }) => postcode)
  return `Full or partial ${postcodeWord(country)}s, separated by commas${some.length > 0 ? `, such as ${some.join(', ')}` : ''}`
}

interface FootProps {
  offered: number
  picked: number
  country: Country
  onConfirm: () => void
}

/** 'Show 12 pharmacies', or why none can be shown. */
function Foot({ offered, picked, country, onConfirm }: FootProps) {
  const missing = offered === 0 ? 'No pharmacy matches' : picked === 0 ? 'Please select at least one pharmacy' : null
  return (
    <>
      {missing ? <span className="muted">{missing}</span> : null}
      <Button variant="filled" disabled={missing !== null} onClick={onConfirm}>
        Show {picked === 1 ? '1 pharmacy' : `${formatNumber(country, picked)} pharmacies`}
      </Button>
    </>
  )
}

interface StatesProps {
  states: readonly string[]
  chosen: Draft['states']
  onChange: (chosen: string[]) => void
}

function States({ states, chosen, onChange }: StatesProps) {
  return (
    <Checkbox.Group label="State" value={[...chosen]} onChange={onChange}>
      <div className={styles.states}>
        {states.map((state) => (
          <Checkbox key={state} value={state} label={state} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  )
}
