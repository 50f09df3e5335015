import { CloseButton, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../display/Icon.tsx'

interface SearchFieldProps {
  /** What is searched, for those who do not see it; also the grey words inside. */
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

/** The pause in typing after which a search is made. */
export const SEARCH_PAUSE_MS = 400

/** A search field that waits for a pause in typing; Enter does not wait, × clears. */
export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  // The value changed elsewhere (Back, Clear filters): the field follows.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  const say = (text: string) => {
    const next = text.trim()
    if (next === told.current) return
    told.current = next
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
      type="text"
      role="searchbox"
      className={className}
      size="xs"
      aria-label={label}
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
      // Escape first clears what was typed, then closes the dialog around the field.
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
