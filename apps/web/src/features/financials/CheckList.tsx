import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { matching, type SelectOption } from '../../kit/form/multi-select-model.ts'
import { TickList } from '../../kit/list/TickList.tsx'
import styles from './CheckList.module.css'

interface CheckListProps {
  label: string
  options: readonly SelectOption[]
  checked: ReadonlySet<string>
  onChange: (checked: ReadonlySet<string>) => void
  /** Word for several: 'pharmacies'. */
  many: string
}

/** Many to choose from: a search, Select all that match, and the list to tick. */
export function CheckList({ label, options, checked, onChange, many }: CheckListProps) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => matching(options, search), [options, search])
  const allOn = found.length > 0 && found.every(({ value }) => checked.has(value))
  const toggleAll = () => {
    const next = new Set(checked)
    for (const { value } of found) {
      if (allOn) next.delete(value)
      else next.add(value)
    }
    onChange(next)
  }
  const toggle = ({ value }: SelectOption) => {
    const next = new Set(checked)
    if (!next.delete(value)) next.add(value)
    onChange(next)
  }
  return (
    <div className={styles.list}>
      <TextInput
        size="sm"
        aria-label={`Search ${many}`}
        placeholder={`Search ${many}`}
        leftSection={<Icon of={Search} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={styles.bar}>
        <span aria-live="polite">
          {checked.size.toLocaleString('en-AU')} of {options.length.toLocaleString('en-AU')} chosen
        </span>
        <button type="button" onClick={toggleAll} disabled={found.length === 0}>
          {allOn ? 'Clear' : 'Select'} {search.trim() === '' ? 'all' : `all ${found.length} that match`}
        </button>
      </div>
      <TickList
        key={search}
        label={label}
        className={styles.box}
        rows={found}
        idOf={({ value }) => value}
        ticked={checked}
        onTick={toggle}
      >
        {(option) => (
          <>
            <span className={styles.text}>{option.label}</span>
            {option.note ? <span className={styles.note}>{option.note}</span> : null}
          </>
        )}
      </TickList>
    </div>
  )
}
