import { Combobox, Input, InputBase, useVirtualizedCombobox } from '@mantine/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import styles from './MultiSelect.module.css'
import { MultiSelectList } from './MultiSelectList.tsx'
import { matching, type SelectOption, toggled, toggledAll } from './multi-select-model.ts'

interface MultiSelectProps {
  label: string
  options: readonly SelectOption[]
  value: readonly string[]
  onChange: (value: string[]) => void
  placeholder?: string
  /** Disabled, with the reason under the label. */
  disabledReason?: string
  error?: string
  /** Why the options could not be read, with a way to try again. */
  failed?: ReactNode
  /** How many labels are shown before '+ n more'. */
  maxLabels?: number
  /** For thousands of options: the server searches, and the list grows as it scrolls. `options` then also contains the selected ones. */
  remote?: Remote
}

export interface Remote {
  shown: readonly SelectOption[]
  onSearch: (typed: string) => void
  /** Reads the next page; null at the end. */
  more: (() => void) | null
  busy: boolean
}

const NOTHING = 'No records found'

/** Selects many out of many: search, Select All, up to 3 labels. Only the visible rows are drawn, so thousands are fine. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, options, placeholder = 'All', disabledReason, error, failed, maxLabels = 3 } = props
  const picker = usePicker(props)
  const { id, combobox, chosen } = picker
  return (
    <Combobox store={combobox} onOptionSubmit={() => {}} shadow="md" returnFocus>
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          multiline
          id={id}
          // Without it, a label names the button and the selection is never read out.
          aria-labelledby={`${id}-label ${id}-value`}
          label={label}
          description={disabledReason}
          error={error ?? failed}
          disabled={disabledReason !== undefined}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          <Chosen
            id={`${id}-value`}
            options={options}
            chosen={chosen}
            placeholder={placeholder}
            maxLabels={maxLabels}
          />
        </InputBase>
      </Combobox.Target>
      <Choices label={label} picker={picker} remote={props.remote} empty={failed ? 'Could not be loaded' : NOTHING} />
    </Combobox>
  )
}

/** The typed text, the visible and selected options, and the keyboard's position. */
function usePicker({ options, value, onChange, remote }: MultiSelectProps) {
  const id = useId()
  const [typed, setText] = useState('')
  const setTyped = (text: string) => {
    setText(text)
    remote?.onSearch(text)
  }
  const [at, setAt] = useState(-1)
  const local = useMemo(() => (remote ? [] : matching(options, typed)), [options, typed, remote])
  const shown = remote?.shown ?? local
  const chosen = useMemo(() => new Set(value), [value])
  const toggle = (index: number) => {
    const option = shown[index]
    if (option) onChange(toggled(options, value, option.value))
  }
  const combobox = useVirtualizedCombobox({
    totalOptionsCount: shown.length,
    getOptionId: (index) => (shown[index] ? `${id}-${index}` : null),
    selectedOptionIndex: at,
    setSelectedOptionIndex: setAt,
    activeOptionIndex: at,
    onSelectedOptionSubmit: toggle,
    onDropdownClose: () => {
      setTyped('')
      setAt(-1)
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const toggleAll = () => onChange(toggledAll(options, shown, value))
  return { id, typed, setTyped, at, setAt, shown, chosen, toggle, toggleAll, combobox }
}

type Picker = ReturnType<typeof usePicker>

interface ChoicesProps {
  label: string
  picker: Picker
  remote: Remote | undefined
  /** Shown if there are no rows. */
  empty: string
}

/** The list that opens: its search and its rows. */
function Choices({ label, picker, remote, empty }: ChoicesProps) {
  const { id, typed, setTyped, at, setAt, shown, chosen, toggle, toggleAll, combobox } = picker
  return (
    <Combobox.Dropdown
      // Escape closes the list, wherever the focus is inside it, and not the surrounding dialog.
      data-mantine-stop-propagation="true"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        combobox.closeDropdown()
        combobox.focusTarget()
      }}
    >
      <Combobox.Search
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        placeholder="Search"
        role="combobox"
        aria-expanded
        aria-label={`Search ${label}`}
      />
      <MultiSelectList
        id={id}
        label={label}
        shown={shown}
        chosen={chosen}
        at={at}
        onToggle={toggle}
        onToggleAll={remote ? null : toggleAll}
        more={remote?.more ?? null}
        busy={remote?.busy ?? false}
        empty={empty}
      />
    </Combobox.Dropdown>
  )
}

interface ChosenProps {
  id: string
  options: readonly SelectOption[]
  chosen: ReadonlySet<string>
  placeholder: string
  maxLabels: number
}

function Chosen({ id, options, chosen, placeholder, maxLabels }: ChosenProps) {
  if (chosen.size === 0) return <Input.Placeholder id={id}>{placeholder}</Input.Placeholder>
  const first: SelectOption[] = []
  for (const option of options) {
    if (first.length === maxLabels) break
    if (chosen.has(option.value)) first.push(option)
  }
  const more = chosen.size - first.length
  return (
    <span id={id} className={styles.field}>
      {first.map((option) => (
        <span key={option.value} className={styles.label}>
          <span>{option.label}</span>
        </span>
      ))}
      {more > 0 ? <span className={styles.more}>+ {more} more</span> : null}
    </span>
  )
}
