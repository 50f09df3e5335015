import { type FormEvent, useEffect, useRef, useState } from 'react'
import { basePathOf } from '../../shared/paths.ts'
import { RefusedError } from '../../shared/refused.ts'
import { PatientNotice } from '../patient/PatientFrame.tsx'
import { isUnanswered, newPasswordRefusal } from '../sign-in/login-errors.ts'
import { Field, Tick } from './Field.tsx'
import { checkLink, confirmSignup, type LinkAbout, type PageInfo } from './signup-calls.ts'

const base = () => basePathOf(window.location.pathname)

/** The page behind the mailed link: choosing a password confirms the address. Opening it changes nothing. */
export function ConfirmPage({ token, info }: { token: string; info: PageInfo | null }) {
  /** Null while loading. */
  const [about, setAbout] = useState<LinkAbout | Error | null>(null)
  const [done, setDone] = useState<string | null>(null)
  useEffect(() => {
    checkLink({ signup_token: token }).then(setAbout, setAbout)
  }, [token])
  if (done !== null) {
    return (
      <PatientNotice title="Thank you" focus>
        <p>{done}</p>
      </PatientNotice>
    )
  }
  if (about === null) return <PatientNotice title="Loading..." />
  if (!(about instanceof Error)) return <Passwords token={token} about={about} onDone={setDone} />
  const dead = about instanceof RefusedError && (about.status === 404 || about.status === 422)
  return (
    <PatientNotice title={dead ? 'This link does not work' : 'The page could not be loaded'}>
      <p>{about.message}</p>
      <a className="go" href={dead ? `${base()}/calculator` : window.location.pathname}>
        {dead ? 'Sign up again' : 'Try again'}
      </a>
      {info ? <p>If you have confirmed your address already, there is nothing more to do.</p> : null}
    </PatientNotice>
  )
}

function Passwords({ token, about, onDone }: { token: string; about: LinkAbout; onDone: (words: string) => void }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [shown, setShown] = useState(false)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  /** An attempt went unanswered, so it may have confirmed the address. */
  const unanswered = useRef(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setError(null)
    try {
      onDone((await confirmSignup({ signup_token: token, password, password_confirmation: again })).message)
    } catch (thrown) {
      setError(newPasswordRefusal(thrown, unanswered.current, 'confirmed'))
      unanswered.current ||= isUnanswered(thrown)
      setSending(false)
      const field = thrown instanceof RefusedError && thrown.errors.password_confirmation ? 'again' : 'password'
      document.getElementById(field)?.focus()
    }
  }
  const input = { type: shown ? 'text' : 'password', autoComplete: 'new-password', maxLength: 1000, spellCheck: false }
  return (
    <form onSubmit={submit} noValidate>
      <h1>Choose your password</h1>
      <p>
        For {about.pharmacy_name}. Your username will be <b>{about.username}</b>. Choosing a password also confirms your
        email address.
      </p>
      <Field
        id="password"
        label="Password"
        hint="At least 15 characters. Several words in a row are easy to remember."
        value={password}
        onChange={setPassword}
        {...input}
      />
      <Field id="again" label="Confirm Password" value={again} onChange={setAgain} {...input} />
      <Tick id="shown" on={shown} onChange={setShown}>
        Show the password
      </Tick>
      <button type="submit" className="go" aria-disabled={sending}>
        {sending ? 'Submitting...' : 'Submit'}
      </button>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
    </form>
  )
}
