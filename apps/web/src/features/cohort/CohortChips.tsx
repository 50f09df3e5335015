import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { segmentAfter } from '../../kit/form/Segments.tsx'
import styles from './Cohort.module.css'
import { type Option, toggled } from './cohort-draft.ts'

interface CohortChipsProps<T extends string | number> {
  label: string
  options: readonly Option<T>[]
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
  /** Only one can be on; pressing it again turns it off. */
  single?: boolean
  /** After the last chip, such as a custom range. */
  children?: ReactNode
}

/** One filter as a row of chips that are on or off. One tab stop: arrows move, Space switches. */
export function CohortChips<T extends string | number>(props: CohortChipsProps<T>) {
  const { label, options, chosen, onChange, single = false, children } = props
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const order = options.map(({ value }) => value)
  const press = (value: T) => {
    if (single) onChange(chosen.includes(value) ? [] : [value])
    else onChange(toggled(chosen, value, order))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = segmentAfter(
      event.key,
      at,
      options.map(() => ({})),
    )
    if (next === null) return
    event.preventDefault()
    setAt(next)
    row.current?.querySelectorAll<HTMLElement>('[data-chip]')[next]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have this row's layout.
    <div className={styles.filter} role="group" aria-labelledby={id}>
      <div className={styles.label} id={id}>
        {label}
      </div>
      <div className={styles.chips} ref={row}>
        {options.map(({ value, label: words, mark }, index) => {
          const on = chosen.includes(value)
          return (
            <button
              key={value}
              type="button"
              data-chip
              aria-pressed={on}
              tabIndex={index === Math.min(at, options.length - 1) ? 0 : -1}
              className={on ? `${styles.chip} ${styles.on}` : styles.chip}
              onClick={() => {
                setAt(index)
                press(value)
              }}
              onKeyDown={onKeyDown}
            >
              {on ? <Icon of={Check} size={14} /> : null}
              {mark ? <b>{mark}</b> : null}
              {words}
            </button>
          )
        })}
        {children}
      </div>
    </div>
  )
}
