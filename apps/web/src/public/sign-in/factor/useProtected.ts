import type { StepUp } from '@pillar/contract/wire/call'
import { useState } from 'react'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import { isUnanswered } from '../login-errors.ts'
import { confirmPassword } from './factor-calls.ts'

/** What is about to happen, in the words of the question. */
export interface Consequence {
  title: string
  consequence: string
  button: string
}

export interface Question {
  /** Null if only the password is asked for. */
  about: Consequence | null
  /** Whether the password is needed as well. */
  password: boolean
  error: string | null
  busy: boolean
  answer: (password: string) => void
  /** Changes nothing and closes the question. */
  back: () => void
}

export interface Protected {
  error: string | null
  /** Set when an act needs the password again, or has a consequence to agree to. */
  question: Question | null
  /**
   * Runs an act; if the server wants the password again, asks for it and then repeats the act. With `about` it asks before the first try as
   * well; only deleting does not, because that always needs the password, and the question about the password says what follows.
   */
  run: (action: StepUp, object: string | null, act: (grant?: string) => Promise<unknown>, about?: Consequence) => void
  /** Drops the error: it belongs to the view it was shown in. */
  forget: () => void
  /** Says that an act got no answer, and has its outcome read again. */
  doubt: () => void
}

interface Pending {
  about: Consequence | null
  password: boolean
  action: StepUp
  object: string | null
  act: (grant?: string) => Promise<unknown>
}

const UNANSWERED =
  'The server did not answer, so it may or may not have been done. See below how things stand. If there are recovery codes that you have not seen, get new codes.'

/**
 * Runs actions that may need the password again. A wrong password shows its error in the password form. After a correct one the form closes,
 * and any other error shows where the action started.
 * @param onDoubt called when an act got no answer and may have been done: reads again how things stand
 */
export function useProtected(username: string, onDoubt: () => void): Protected {
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState<Pending | null>(null)
  const [busy, setBusy] = useState(false)
  const doubt = () => {
    setPending(null)
    setError(UNANSWERED)
    onDoubt()
  }
  const attempt = async (act: () => Promise<unknown>, wanted: Pending) => {
    setBusy(true)
    setError(null)
    try {
      await act()
      setPending(null)
    } catch (thrown) {
      if (isUnanswered(thrown)) doubt()
      else if (thrown instanceof RefusedError && thrown.code === 'step_up_needed')
        setPending({ ...wanted, password: true })
      else setError(wordsOf(thrown))
    }
    setBusy(false)
  }
  return {
    error,
    forget: () => setError(null),
    doubt,
    run: (action, object, act, about) => {
      // Pressing twice runs it once: of two sets of recovery codes only the later would work.
      if (busy) return
      const wanted = { action, object, act, about: about ?? null, password: false }
      if (!about || action === 'delete') return void attempt(act, wanted)
      setError(null)
      setPending(wanted)
    },
    question: pending && {
      about: pending.about,
      password: pending.password,
      error,
      busy,
      back: () => {
        setPending(null)
        setError(null)
      },
      answer: (password) => {
        const { action, object, act } = pending
        if (!pending.password) return void attempt(act, pending)
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
