import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Find.module.css'
import { moveIn } from './move.ts'

export interface FoundRow {
  key: string
  name: string
  detail?: string
  kind?: string
  open: () => void
}

interface FindBoxProps {
  title: string
  placeholder: string
  typed: string
  onType: (typed: string) => void
  rows: readonly FoundRow[]
  /** Announced while searching, and about the results. */
  said: string
  /** A new answer starts at its first row; pass the same object while the answer is unchanged. */
  answer: unknown
  /** The rows still belong to earlier text, so Enter opens none of them. */
  stale?: boolean
  failed?: ReactNode
  onClose: () => void
}

/** A search field and its results; arrow keys move between them, and Enter or a click opens one. */
export function FindBox({ title, placeholder, typed, onType, rows, said, answer, onClose, ...rest }: FindBoxProps) {
  const { stale = false, failed } = rest
  const [at, setAt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer starts at its first row.
  useEffect(() => setAt(0), [answer])
  const id = useId()
  const open = (row: FoundRow) => {
    onClose()
    row.open()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveIn(event.key, at, rows.length)
    const chosen = event.key === 'Enter' && !stale ? rows[at] : undefined
    if (next === null && !chosen) return
    event.preventDefault()
    if (next !== null) setAt(next)
    if (chosen) open(chosen)
  }
  return (
    <Dialog opened onClose={onClose} title={title} size="confirm">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={title}
        aria-expanded={rows.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        leftSection={<Icon of={Search} />}
        maxLength={200}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div aria-live="polite" className={styles.said}>
        {said}
      </div>
      {failed}
      <div role="listbox" id={`${id}-list`} aria-label="Found" className={styles.list}>
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, as in every combobox.
          <div
            key={row.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.option}
            ref={index === at ? intoView : undefined}
            onMouseMove={() => setAt(index)}
            onClick={() => open(row)}
          >
            <span className={styles.name}>{row.name}</span>
            {row.detail === undefined ? null : <span className={styles.detail}>{row.detail}</span>}
            {row.kind === undefined ? null : <span className={styles.kind}>{row.kind}</span>}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })
