import { Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { Icon } from '../../kit/Icon.tsx'
import styles from './Cohort.module.css'
import { type Molecule, marked, matchingMolecules, toggledShown } from './molecule-list.ts'

interface CohortMoleculesProps {
  all: readonly Molecule[]
  /** ATC codes. */
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

const ROW = 34

/** Which molecules: a search, Select all that match, and a list that draws only what is seen. Arrows move, Space ticks. */
export function CohortMolecules({ all, chosen, onChange }: CohortMoleculesProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => matchingMolecules(all, typed), [all, typed])
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6,
  })
  const ticked = shown.filter(({ atc_code }) => chosen.has(atc_code)).length
  const toggle = (index: number) => {
    const one = shown[index]
    if (one) onChange(toggledShown(chosen, [one]))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(shown.length - 1, to))
      setAt(index)
      rows.scrollToIndex(index)
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      toggle(at)
    }
  }
  return (
    <div className={styles.molecules}>
      <div className={styles.moleculeHead}>
        <Icon of={Search} />
        <input
          type="search"
          className={styles.moleculeSearch}
          aria-label="Search molecules"
          placeholder="Search molecules"
          value={typed}
          // Escape first clears what was typed, then closes the dialog around the field.
          data-mantine-stop-propagation={typed === '' ? undefined : 'true'}
          onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
        />
        <Checkbox
          size="sm"
          label="Select All"
          aria-label={typed.trim() ? `Select all ${shown.length} that match` : 'Select All'}
          checked={shown.length > 0 && ticked === shown.length}
          indeterminate={ticked > 0 && ticked < shown.length}
          disabled={shown.length === 0}
          onChange={() => onChange(toggledShown(chosen, shown))}
        />
      </div>
      {shown.length === 0 ? (
        // A list box of nothing but words would be read as a broken list.
        <div className={styles.moleculeBox} role="status">
          <p className={styles.none}>No records found</p>
        </div>
      ) : (
        <div
          ref={box}
          className={styles.moleculeBox}
          role="listbox"
          aria-label="Molecules"
          aria-multiselectable="true"
          aria-activedescendant={`${id}-${at}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const one = shown[index]
              if (!one) return null
              const on = chosen.has(one.atc_code)
              const [before, match, after] = marked(one.molecule, typed)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list, which holds the focus
                <div
                  key={one.atc_code}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={on}
                  aria-setsize={shown.length}
                  aria-posinset={index + 1}
                  className={index === at ? `${styles.molecule} ${styles.at}` : styles.molecule}
                  style={{ transform: `translateY(${start}px)` }}
                  onClick={() => {
                    setAt(index)
                    toggle(index)
                  }}
                >
                  <span className={on ? `${styles.tick} ${styles.ticked}` : styles.tick} />
                  <span className={styles.moleculeName}>
                    {before}
                    {match ? <mark>{match}</mark> : null}
                    {after}
                  </span>
                  <code>{one.atc_code}</code>
                </div>
              )
            })}
          </div>
        </div>
      )}
    </div>
  )
}
