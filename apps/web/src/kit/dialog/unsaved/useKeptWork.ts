import { useEffect, useRef } from 'react'
import { useSession, whenEnding } from '../../../session/session.ts'
import { toast } from '../../display/toast.tsx'
import { keepTyped, takeTyped } from './kept-work.ts'

interface Work<V extends object> {
  values: V
  /** Whether there is anything to keep. */
  dirty: boolean
  restore: (typed: Partial<V>) => void
}

/**
 * Keeps what is typed in a form over the end of a session: the same person finds it, signed in again in this tab, as soon as the same form is
 * opened. `form` names it together with what it opened with, so that a record changed meanwhile is never filled with older work.
 */
export function useKeptWork<V extends object>(form: string, work: Work<V>): void {
  const { username } = useSession()
  const owner = useRef(`${username} ${form}`).current
  const newest = useRef(work)
  newest.current = work
  useEffect(() => {
    const typed = takeTyped(owner)
    if (!typed) return
    newest.current.restore(typed as Partial<V>)
    toast('What you typed before you were signed out is back. It is not saved yet.')
  }, [owner])
  useEffect(
    () =>
      whenEnding(() => {
        const { dirty, values } = newest.current
        if (dirty) keepTyped(owner, values)
      }),
    [owner],
  )
}
