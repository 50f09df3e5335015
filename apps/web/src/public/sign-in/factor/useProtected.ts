import type { StepUp } from '@pillar/contract/wire/call'
import { useState } from 'react'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import { confirmPassword } from './factor-calls.ts'

export interface PasswordQuestion {
  error: string | null
  busy: boolean
  answer: (password: string) => void
  back: () => void
}

export interface Protected {
  error: string | null
  /** Set when an act needs the password again. */
  question: PasswordQuestion | null
  /** Runs an act; if the server wants the password again, asks for it and then repeats the act. */
  run: (action: StepUp, object: string | null, act: (grant?: string) => Promise<unknown>) => void
  /** Drops the error: it belongs to the view it was shown in. */
  forget: () => void
}

interface Pending {
  action: StepUp
  object: string | null
  act: (grant?: string) => Promise<unknown>
}

/**
 * Runs actions that may need the password again. A wrong password shows its error in the password form. After a correct one the form closes,
 * and any other error shows where the action started.
 */
export function useProtected(username: string): Protected {
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState<Pending | null>(null)
  const [busy, setBusy] = useState(false)
  const attempt = async (act: () => Promise<unknown>, wanted: Pending) => {
    setBusy(true)
    setError(null)
    try {
      await act()
      setPending(null)
    } catch (thrown) {
      if (thrown instanceof RefusedError && thrown.code === 'step_up_needed') setPending(wanted)
      else setError(wordsOf(thrown))
    }
    setBusy(false)
  }
  return {
    error,
    forget: () => setError(null),
    run: (action, object, act) => {
      // Pressing twice runs it once: of two sets of recovery codes only the later would work.
      if (!busy) void attempt(act, { action, object, act })
    },
    question: pending && {
      error,
      busy,
      back: () => {
        setPending(null)
        setError(null)
      },
      answer: (password) => {
        const { action, object, act } = pending
        void attempt(async () => {
          const about = object === null ? {} : { object }
          const { grant } = await confirmPassword({ name: username, password, action, ...about })
          // The password form stays until the action has finished, so that no other view flashes in between.
          await act(grant).finally(() => setPending(null))
        }, pending)
      },
    },
  }
}
