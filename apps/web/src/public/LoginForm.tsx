import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type Ending, keepSignedInAt, takeEnding } from '../shared/marker.ts'
import { RefusedError, wordsOf } from '../shared/refused.ts'
import { addressAfter } from './after-sign-in.ts'
import { login } from './calls.ts'
import { Alert } from './icons.tsx'
import { type LoginRefusal, loginRefusal } from './login-errors.ts'
import { PasswordField } from './PasswordField.tsx'
import { forgetName, rememberedName, rememberName } from './remembered.ts'

const ENDINGS: Record<Ending, string | null> = {
  'signed-out': null,
  'timed-out': 'You were signed out because nothing was done for a while.',
  expired: 'Your session has expired. Please sign in again.',
}

/** Username, password, Remember username. After signing in the portal opens where this person was, or where they land. */
export function LoginForm({ demo, onForgot }: { demo: boolean; onForgot: (name: string) => void }) {
  const id = useId()
  const [name, setName] = useState(() => rememberedName() ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(() => rememberedName() !== null)
  const [refusal, setRefusal] = useState<LoginRefusal | null>(null)
  const [busy, setBusy] = useState(false)
  const [ended] = useState(takeEndingOnce)
  const nameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const first = nameInput.current?.value ? passwordInput.current : nameInput.current
    first?.focus()
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (name.trim() === '' || password.trim() === '') {
      setRefusal({ message: 'Username and password are required.', attempts: null })
      ;(name.trim() === '' ? nameInput : passwordInput).current?.focus()
      return
    }
    setBusy(true)
    setRefusal(null)
    try {
      const answer = await login({ name: name.trim(), password })
      if (remember) rememberName(name.trim())
      else forgetName()
      keepSignedInAt(Date.now())
      window.location.assign(addressAfter(answer))
    } catch (error) {
      setRefusal(error instanceof RefusedError ? loginRefusal(error) : { message: wordsOf(error), attempts: null })
      setBusy(false)
      passwordInput.current?.select()
    }
  }
  const wrong = refusal !== null
  return (
    <form onSubmit={submit} noValidate>
      <h1>Sign in</h1>
      <p className="lead">Analytics and patient messages for your pharmacies.</p>
      {ended && !wrong ? <p className="ended">{ended}</p> : null}
      <div role="alert" className={wrong ? 'refused' : undefined}>
        {wrong ? (
          <>
            <Alert /> {refusal.message}
          </>
        ) : null}
      </div>
      <div className="field">
        <label htmlFor={id}>Username or email</label>
        <div className="input">
          <input
            ref={nameInput}
            id={id}
            name="username"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        </div>
      </div>
      <PasswordField
        ref={passwordInput}
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        note={refusal?.attempts}
      />
      <div className="between">
        <label className="tick">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          Remember username
        </label>
        <button type="button" className="link" onClick={() => onForgot(name)}>
          Forgot password?
        </button>
      </div>
      <button type="submit" className="primary" aria-disabled={busy}>
        {busy ? 'Signing in...' : 'Sign in'}
      </button>
      {demo ? (
        <p className="demo">
          Demo network: sign in as <b>headoffice</b> with <b>Pillar-demo-2026</b>
        </p>
      ) : null}
    </form>
  )
}

let ending: Ending | null | undefined
/** Reading the reason forgets it, and a component may be made twice: read it once for the page. */
function takeEndingOnce(): string | null {
  ending ??= takeEnding()
  return ending ? ENDINGS[ending] : null
}
