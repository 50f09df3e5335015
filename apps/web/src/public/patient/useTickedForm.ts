import { type FormEvent, useState } from 'react'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { type Person, UNCHECKED } from './person.ts'

interface Otherwise {
  /** Called if the server says that the link no longer works. Without it, that is shown like any other refusal. */
  onGone?: (error: RefusedError) => void
  /** The field to fill in first. */
  first?: string | undefined
}

/**
 * A form with the tick “I am a person”. It sends one request at a time, and only if `may` allows it; otherwise the missing part gets the focus: the
 * field `first`, else the tick. Errors are shown, and a used captcha is requested again.
 */
export function useTickedForm(
  may: (person: Person) => boolean,
  send: (captcha: string | null) => Promise<unknown>,
  onDone: () => void,
  { onGone, first = 'person' }: Otherwise = {},
) {
  const [person, setPerson] = useState<Person>(UNCHECKED)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const ready = may(person)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    if (!ready) {
      document.getElementById(first)?.focus()
      return
    }
    setSending(true)
    setError(null)
    try {
      await send(person.solution)
      onDone()
    } catch (thrown) {
      // Submitted before, perhaps by this page, whose answer was lost on the way.
      if (onGone && thrown instanceof RefusedError && thrown.code === 'not_found') return onGone(thrown)
      setError(wordsOf(thrown))
      setSending(false)
      setPerson(person.solution === null ? person : UNCHECKED)
    }
  }
  return { person, setPerson, sending, error, ready, submit }
}
