import { CloseButton, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { openDialogs } from '../dialog/focus/useOpener.ts'
import { Icon } from '../display/Icon.tsx'

interface SearchFieldProps {
  /** What it searches, for screen readers; also the placeholder. */
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

/** The pause in typing before a search starts. */
export const SEARCH_PAUSE_MS = 400

/** Whether a key types a character. */
const isTyped = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** The key / moves to the first search field of the page, or of the open dialog. */
function useSlash(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (key !== '/' || ctrlKey || metaKey || altKey) return
      // In an empty search field that is already focused, the key does not become part of the search.
      const there = target === field.current && field.current?.value === ''
      if (isTyped(target) && !there) return
      const inReach = [...document.querySelectorAll('[role=searchbox]')].filter(
        (one) => (one.closest('[role=dialog]') !== null) === openDialogs.count > 0,
      )
      if (inReach[0] !== field.current) return
      event.preventDefault()
      field.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [field])
}

/** A search field that waits for a pause in typing; Enter does not wait, × clears, / focuses it. */
export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useSlash(field)
  const reported = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  // The value changed elsewhere (Back, Clear filters): the field follows.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])
  const say = (text: string) => {
    const next = text.trim()
    if (next === reported.current) return
    reported.current = next
    tell.current(next)
  }
  const latest = useRef(say)
  latest.current = say
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      ref={field}
      type="text"
      role="searchbox"
      className={className}
      size="xs"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      maxLength={200}
      value={typed}
      leftSection={<Icon of={Search} size={15} />}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            aria-label="Clear search"
            size={24}
            onClick={() => {
              setTyped('')
              say('')
            }}
          />
        )
      }
      // Escape first clears the typed text, then closes the surrounding dialog.
      data-mantine-stop-propagation={typed === '' ? undefined : 'true'}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') say(typed)
        if (event.key === 'Escape' && typed !== '') {
          event.stopPropagation()
          setTyped('')
          say('')
        }
      }}
    />
  )
}
