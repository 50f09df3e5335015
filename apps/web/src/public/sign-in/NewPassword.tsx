import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { RefusedError } from '../../shared/refused.ts'
import { Alert } from '../icons.tsx'
import { isUnanswered, newPasswordRefusal } from './login-errors.ts'
import { PasswordField } from './PasswordField.tsx'

interface NewPasswordProps {
  title: string
  lead: string
  /** Shown before the new password, such as the current one. */
  children?: ReactNode
  /** Sends the two entries; throws the server's refusal. */
  send: (entries: { password: string; password_confirmation: string }) => Promise<unknown>
  words: {
    password: string
    confirmation: string
    /** On the button, before and during sending. */
    submit: readonly [string, string]
    /** Beside the button, during and after sending. */
    sending: string
    done: string
    /** Precedes the server's sentence. */
    refused: string
  }
  /** The link below the button for leaving. */
  foot: ReactNode
}

/** A new password, entered twice. The server decides whether a password is good enough. */
export function NewPassword({ title, lead, children, send, words, foot }: NewPasswordProps) {
  const entry = useNewPassword(send)
  const { state, error } = entry
  return (
    <form onSubmit={entry.submit} noValidate>
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      <div role="alert" className={error ? 'refused' : undefined}>
        {error ? (
          <>
            <Alert /> {words.refused}
            {error}
          </>
        ) : null}
      </div>
      {state === 'done' ? (
        <p className="finished" role="status">
          {words.done}
        </p>
      ) : (
        <>
          {children}
          <PasswordField
            ref={entry.first}
            label={words.password}
            value={entry.password}
            onChange={entry.setPassword}
            autoComplete="new-password"
          />
          <PasswordField
            ref={entry.second}
            label={words.confirmation}
            value={entry.confirmation}
            onChange={entry.setConfirmation}
            autoComplete="new-password"
          />
          <p className="note" role="status">
            {state === 'sending' ? words.sending : ''}
          </p>
          <button type="submit" className="primary" aria-disabled={state === 'sending'}>
            {words.submit[state === 'sending' ? 1 : 0]}
          </button>
        </>
      )}
      {foot}
    </form>
  )
}

/** Both entries and the result of sending them; focuses the first wrong one. */
function useNewPassword(send: NewPasswordProps['send']) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking')
  const [error, setError] = useState<string | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  /** An attempt went unanswered, so it may have changed the password. */
  const unanswered = useRef(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (state !== 'asking') return
    setState('sending')
    setError(null)
    try {
      await send({ password, password_confirmation: confirmation })
      setState('done')
    } catch (thrown) {
      const refused = thrown instanceof RefusedError ? thrown : null
      setError(newPasswordRefusal(thrown, unanswered.current))
      unanswered.current ||= isUnanswered(thrown)
      setState('asking')
      if (refused?.errors.password) first.current?.focus()
      if (refused?.errors.password_confirmation) second.current?.focus()
    }
  }
  return { password, setPassword, confirmation, setConfirmation, state, error, first, second, submit }
}
