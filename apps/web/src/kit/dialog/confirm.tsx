import { Button } from '@mantine/core'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { RefusedError } from '../../shared/refused.ts'
import { Dialog } from './Dialog.tsx'

export interface Question {
  title: string
  /** Who, how many, what it costs, what else changes. */
  consequence: ReactNode
  /** The button, carrying the consequence: 'Delete 3 templates'. */
  label: string
  /** Done when confirmed; the dialog stays open with the words of whatever it throws. */
  act: () => Promise<unknown>
  danger?: boolean
}

interface Asked extends Question {
  answer: (done: boolean) => void
}

let asked: Asked | null = null
let listener: () => void = () => {}

function put(next: Asked | null): void {
  asked = next
  listener()
}

/** Asks before an act. Resolves true once the act is done, false when the person goes back. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((answer) => put({ ...question, answer }))
}

/** Where questions appear; once, in the frame. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (changed) => {
      listener = changed
      return () => {
        listener = () => {}
      }
    },
    () => asked,
  )
  return question ? <ConfirmDialog key={question.title} question={question} /> : null
}

function ConfirmDialog({ question }: { question: Asked }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const close = (done: boolean) => {
    put(null)
    question.answer(done)
  }
  const go = async () => {
    setBusy(true)
    setError(null)
    try {
      await question.act()
      close(true)
    } catch (thrown) {
      setError(thrown instanceof RefusedError ? thrown.message : 'Something went wrong on this page. Please try again.')
      setBusy(false)
    }
  }
  return (
    <Dialog
      opened
      onClose={() => close(false)}
      closable={!busy}
      title={question.title}
      error={error}
      foot={
        <>
          <Button onClick={() => close(false)} disabled={busy}>
            Back
          </Button>
          <Button variant="filled" color={question.danger ? 'brick' : undefined} onClick={go} loading={busy}>
            {question.label}
          </Button>
        </>
      }
    >
      {question.consequence}
    </Dialog>
  )
}
