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
 * Keeps a form's typed values across the end of a session: after signing in again in this tab, the same person finds them when opening the same
 * form. `form` includes the initial values, so that older work never fills a record that has changed since.
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
