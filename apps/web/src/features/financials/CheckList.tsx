import { TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { Icon } from '../../kit/Icon.tsx'
import styles from './CheckList.module.css'
import { type CheckOption, matching } from './check-options.ts'

interface CheckListProps {
  label: string
  options: readonly CheckOption[]
  checked: ReadonlySet<string>
  onChange: (checked: ReadonlySet<string>) => void
  /** Word for several: 'pharmacies'. */
  many: string
}

const ROW = 32

/** Many to choose from: a search, Select all that match, and a list that draws only what is seen. Arrows move, Space ticks. */
export function CheckList({ label, options, checked, onChange, many }: CheckListProps) {
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const found = useMemo(() => matching(options, search), [options, search])
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6,
  })
  const allOn = found.length > 0 && found.every(({ value }) => checked.has(value))
  const toggleAll = () => {
    const next = new Set(checked)
    for (const { value } of found) {
      if (allOn) next.delete(value)
      else next.add(value)
    }
    onChange(next)
  }
  const toggle = (index: number) => {
    const value = found[index]?.value
    if (value === undefined) return
    const next = new Set(checked)
    if (!next.delete(value)) next.add(value)
    onChange(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(found.length - 1, to))
      setAt(index)
      rows.scrollToIndex(index)
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      toggle(at)
    }
  }
  return (
    <div className={styles.list}>
      <TextInput
        size="sm"
        aria-label={`Search ${many}`}
        placeholder={`Search ${many}`}
        leftSection={<Icon of={Search} />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setAt(0)
        }}
      />
      <div className={styles.bar}>
        <span aria-live="polite">
          {checked.size.toLocaleString('en-AU')} of {options.length.toLocaleString('en-AU')} chosen
        </span>
        <button type="button" onClick={toggleAll} disabled={found.length === 0}>
          {allOn ? 'Clear' : 'Select'} {search.trim() === '' ? 'all' : `all ${found.length} that match`}
        </button>
      </div>
      <div
        ref={box}
        className={styles.box}
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {found.length === 0 ? <p className={styles.none}>No records found</p> : null}
        <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const option = found[index]
            if (!option) return null
            const on = checked.has(option.value)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list, which holds the focus
              // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus and names the active option
              <div
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={on}
                aria-setsize={found.length}
                aria-posinset={index + 1}
                className={`${styles.option} ${index === at ? styles.at : ''}`}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setAt(index)
                  toggle(index)
                }}
              >
                <span className={`${styles.tick} ${on ? styles.on : ''}`} aria-hidden />
                <span className={styles.text}>{option.label}</span>
                {option.note ? <span className={styles.note}>{option.note}</span> : null}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
