import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import { TickList } from '../list/pane/TickList.tsx'
import styles from './CheckList.module.css'
import { allThatMatch } from './common.ts'
import { allChosen, matching, type SelectOption, toggled, toggledAll } from './multi-select-model.ts'

interface CheckListProps {
  label: string
  options: readonly SelectOption[]
  checked: ReadonlySet<string>
  onChange: (checked: ReadonlySet<string>) => void
  /** The plural noun: 'pharmacies'. */
  many: string
}

/** Many options, all visible: a search, Select all for the matches, and the list to tick. */
export function CheckList({ label, options, checked, onChange, many }: CheckListProps) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => matching(options, search), [options, search])
  const possible = found.filter(({ disabled }) => !disabled).length
  const allOn = allChosen(found, checked)
  const change = (values: readonly string[]) => onChange(new Set(values))
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
          {checked.size.toLocaleString('en-AU')} of {options.length.toLocaleString('en-AU')} selected
        </span>
        <button
          type="button"
          onClick={() => change(toggledAll(options, found, [...checked]))}
          disabled={possible === 0}
          title={possible === 0 ? 'None of them can be selected' : undefined}
        >
          {allOn ? 'Clear' : 'Select'} {search.trim() === '' ? 'all' : allThatMatch(possible)}
        </button>
      </div>
      <TickList
        key={search}
        label={label}
        className={styles.box}
        rows={found}
        idOf={({ value }) => value}
        ticked={checked}
        onTick={({ value, disabled }) => disabled || change(toggled(options, [...checked], value))}
        isDisabled={({ disabled }) => disabled === true}
      >
        {(option) => (
          <>
            <span className={styles.text}>{option.label}</span>
            {option.note ? (
              <span className={styles.note} title={option.note}>
                {option.note}
              </span>
            ) : null}
          </>
        )}
      </TickList>
    </div>
  )
}
