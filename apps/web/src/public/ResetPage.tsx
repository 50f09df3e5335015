import { type FormEvent, useEffect, useState } from 'react'
import { Mark } from '../shared/Mark.tsx'
import { basePathOf } from '../shared/paths.ts'
import { RefusedError } from '../shared/refused.ts'
import { Contacts } from './Contacts.tsx'
import { type PortalInfo, resetPassword } from './calls.ts'
import { Alert } from './icons.tsx'
import { PasswordField } from './PasswordField.tsx'
import { PillarDrawing } from './PillarDrawing.tsx'

/** Long enough to read the sentence before the login page comes. */
const REDIRECT_MS = 2500
const login = () => `${basePathOf(window.location.pathname)}/login`

/** Chooses a new password with a mailed link. What makes a password good is the server's to say. */
export function ResetPage({ info, token }: { info: PortalInfo | null; token: string }) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking')
  const [error, setError] = useState<string | null>(null)
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `Reset Password - ${product}`
  }, [product])
  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(() => window.location.assign(login()), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [state])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (state !== 'asking') return
    setState('sending')
    setError(null)
    try {
      await resetPassword({ reset_token: token, password, password_confirmation: confirmation })
      setState('done')
    } catch (thrown) {
      setError(thrown instanceof RefusedError ? thrown.message : 'Something went wrong on this page. Please try again.')
      setState('asking')
    }
  }
  return (
    <div className="login">
      <main>
        <div className="brand">
          <Mark size={28} />
          <b>{product}</b>
        </div>
        <form onSubmit={submit} noValidate>
          <h1>Reset password</h1>
          <p className="lead">
            Choose a password of at least 15 characters. Several words in a row are easy to remember.
          </p>
          <div role="alert" className={error ? 'refused' : undefined}>
            {error ? (
              <>
                <Alert /> Warning: {error}
              </>
            ) : null}
          </div>
          {state === 'done' ? (
            <p className="finished" role="status">
              Password successfully reset! Redirecting to Login...
            </p>
          ) : (
            <>
              <PasswordField label="Password" value={password} onChange={setPassword} autoComplete="new-password" />
              <PasswordField
                label="Confirm Password"
                value={confirmation}
                onChange={setConfirmation}
                autoComplete="new-password"
              />
              <p className="note" role="status">
                {state === 'sending' ? 'Your password is being reset...' : ''}
              </p>
              <button type="submit" className="primary" aria-disabled={state === 'sending'}>
                {state === 'sending' ? 'Submitting...' : 'Submit'}
              </button>
            </>
          )}
          <a className="back" href={login()}>
            Back to sign in
          </a>
        </form>
        {info ? <Contacts info={info} /> : <footer className="contacts" />}
      </main>
      <PillarDrawing />
    </div>
  )
}
