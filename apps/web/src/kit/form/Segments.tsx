import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import styles from './Segments.module.css'

export interface Segment<T extends string> {
  value: T
  label: string
  disabled?: boolean
}

interface SegmentsProps<T extends string> {
  /** The name of the choice, for screen readers. */
  label: string
  options: readonly Segment<T>[]
  /** Null until something is selected. */
  value: T | null
  onChange: (value: T) => void
  /** 'tabs' when each option shows another panel (give the panel's id), 'choice' when it is a setting. */
  kind?: 'choice' | 'tabs'
  panelId?: string
  /** Fills the width. */
  full?: boolean
  /** Its selected option takes the focus when it appears: selecting an option replaced the page around it. */
  takesFocus?: boolean
  /** The id of the problem's text, if it is shown beside it. */
  problemId?: string | undefined
}

/** The option an arrow, Home or End key leads to from `index`, skipping disabled ones and wrapping; null for other keys. */
export function segmentAfter(key: string, index: number, options: readonly { disabled?: boolean }[]): number | null {
  const count = options.length
  const step = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0
  const walk = (from: number, by: number): number | null => {
    for (let turn = 0; turn < count; turn++) {
      const at = (((from + by * turn) % count) + count) % count
      if (!options[at]?.disabled) return at
    }
    return null
  }
  if (step !== 0) return walk(index + step, step)
  if (key === 'Home') return walk(0, 1)
  if (key === 'End') return walk(count - 1, -1)
  return null
}

/** The option the Tab key leads to: the selected one, or while none is, the first that can be. */
export function tabStopOf<T extends string>(options: readonly Segment<T>[], value: T | null): number {
  const chosen = options.findIndex((option) => option.value === value)
  return chosen < 0 ? options.findIndex((option) => !option.disabled) : chosen
}

/** A row of options of which exactly one is on. One tab stop; arrows move and select. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { label, options, value, onChange, kind = 'choice', panelId, full = false, problemId, takesFocus } = props
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) row.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
  }, [takesFocus])
  const reachable = tabStopOf(options, value)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = segmentAfter(event.key, reachable, options)
    if (next === null) return
    event.preventDefault()
    onChange(options[next]!.value)
    row.current?.querySelectorAll<HTMLElement>('button')[next]?.focus()
  }
  const tabs = kind === 'tabs'
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles it can have take a label.
    <div
      ref={row}
      className={full ? `${styles.segments} ${styles.full}` : styles.segments}
      role={tabs ? 'tablist' : 'radiogroup'}
      aria-label={label}
      aria-invalid={problemId === undefined ? undefined : true}
      aria-describedby={problemId}
    >
      {options.map((option, index) => {
        const on = option.value === value
        const state = tabs ? { 'aria-selected': on, 'aria-controls': panelId } : { 'aria-checked': on }
        return (
          <button
            key={option.value}
            type="button"
            role={tabs ? 'tab' : 'radio'}
            {...state}
            tabIndex={index === reachable ? 0 : -1}
            disabled={option.disabled}
            className={on ? styles.on : undefined}
            onClick={() => onChange(option.value)}
            onKeyDown={onKeyDown}
          >
            {option.label}
          </button>
        )
      })}
    </div>
  )
}
