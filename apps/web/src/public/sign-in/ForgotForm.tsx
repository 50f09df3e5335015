import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { requestReset } from '../calls.ts'
import { Alert } from '../icons.tsx'

/** Shown whether the name exists or not, so that nobody learns which names do. */
const ALWAYS = 'If the username you entered exists, you will receive an email with a link to reset your password.'

/** Requests a reset link. Only a missing answer, too many requests and an empty field give a different message. */
export function ForgotForm({ name: given, onBack }: { name: string; onBack: () => void }) {
  const id = useId()
  const { name, setName, state, error, input, submit } = useResetRequest(given)
  useEffect(() => input.current?.focus(), [input])
  if (state === 'sent') return <Sent onBack={onBack} />
  return (
    <form onSubmit={submit} noValidate>
      <h1>Forgot password</h1>
      <p className="lead">Enter your username or email. A link to choose a new password is sent to you.</p>
      <div className={error ? 'field wrong' : 'field'}>
        <label htmlFor={id}>Username or email</label>
        <div role="alert">
          {error ? (
            <p className="error" id={`${id}-error`}>
              <Alert /> {error}
            </p>
          ) : null}
        </div>
        <div className="input">
          <input
            ref={input}
            id={id}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
          />
        </div>
      </div>
      <button type="submit" className="primary" aria-disabled={state === 'sending'}>
        {state === 'sending' ? 'Sending...' : 'Send the link'}
      </button>
      <button type="button" className="link back" onClick={onBack}>
        Back to sign in
      </button>
    </form>
  )
}

function Sent({ onBack }: { onBack: () => void }) {
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <h1>Check your email</h1>
      <p className="lead" role="status">
        {ALWAYS}
      </p>
      <button type="button" className="primary" onClick={onBack}>
        Back to sign in
      </button>
    </form>
  )
}

/** Any answer about the name itself is shown as sent. */
function useResetRequest(given: string) {
  const [name, setName] = useState(given)
  const [state, setState] = useState<'asking' | 'sending' | 'sent'>('asking')
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (state === 'sending') return
    if (name.trim() === '') {
      setError('Please enter your username.')
      input.current?.focus()
      return
    }
    setState('sending')
    setError(null)
    try {
      await requestReset({ username: name.trim() })
      setState('sent')
    } catch (thrown) {
      if (thrown instanceof RefusedError && thrown.status > 0 && thrown.status < 429) {
        setState('sent')
        return
      }
      setError(wordsOf(thrown))
      setState('asking')
    }
  }
  return { name, setName, state, error, input, submit }
}
