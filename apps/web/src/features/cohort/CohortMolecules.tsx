import { Checkbox } from '@mantine/core'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { allThatMatch } from '../../kit/form/common.ts'
import { TickList } from '../../kit/list/pane/TickList.tsx'
import styles from './CohortMolecules.module.css'
import { type Molecule, marked, matchingMolecules, toggledShown } from './molecule-list.ts'

interface CohortMoleculesProps {
  all: readonly Molecule[]
  /** ATC codes. */
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Picks molecules: a search, Select All for the matches, and the list to tick. */
export function CohortMolecules({ all, chosen, onChange }: CohortMoleculesProps) {
  const [typed, setTyped] = useState('')
  const shown = useMemo(() => matchingMolecules(all, typed), [all, typed])
  const ticked = shown.filter(({ atc_code }) => chosen.has(atc_code)).length
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
          // Escape first clears the typed text, and then closes the dialog around the field.
          data-mantine-stop-propagation={typed === '' ? undefined : 'true'}
          onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Checkbox
          size="sm"
          label="Select All"
          aria-label={typed.trim() ? `Select ${allThatMatch(shown.length)}` : 'Select All'}
          checked={shown.length > 0 && ticked === shown.length}
          indeterminate={ticked > 0 && ticked < shown.length}
          disabled={shown.length === 0}
          onChange={() => onChange(toggledShown(chosen, shown))}
        />
      </div>
      <TickList
        key={typed}
        label="Molecules"
        className={styles.moleculeBox}
        rowHeight={34}
        rows={shown}
        idOf={({ atc_code }) => atc_code}
        ticked={chosen}
        onTick={(one) => onChange(toggledShown(chosen, [one]))}
      >
        {(one) => {
          const [before, match, after] = marked(one.molecule, typed)
          return (
            <>
              <span className={styles.moleculeName}>
                {before}
                {match ? <mark>{match}</mark> : null}
                {after}
              </span>
              <code>{one.atc_code}</code>
            </>
          )
        }}
      </TickList>
    </div>
  )
}
