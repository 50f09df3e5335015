import { type FormEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { type Ending, hasMarker, keepSignedInAt, takeEnding } from '../../shared/marker.ts'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { login } from '../calls.ts'
import { Alert } from '../icons.tsx'
import { addressAfter } from './after-sign-in.ts'
import { type LoginRefusal, loginRefusal, NO_COOKIE } from './login-errors.ts'
import { PasswordField } from './PasswordField.tsx'
import { forgetName, rememberedName, rememberName } from './remembered.ts'

const ENDINGS: Record<Ending, string | null> = {
  'signed-out': null,
  'timed-out': 'You were signed out after 15 minutes of inactivity.',
  expired: 'Your session has expired. Please sign in again.',
}

const isBlank = (entry: string) => entry.trim() === ''

/** Username, password, Remember username. After signing in, the portal opens on this person's last page, or their landing page. */
export function LoginForm({ demo, onForgot }: { demo: boolean; onForgot: (name: string) => void }) {
  const form = useLogin()
  const { name, password, refusal, busy } = form
  const [ended] = useState(takeEndingOnce)
  const wrong = refusal !== null
  return (
    <form onSubmit={form.submit} noValidate>
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
      <NameField
        ref={form.nameInput}
        value={name}
        onChange={form.setName}
        wrong={refusal?.blank === true && isBlank(name)}
      />
      <PasswordField
        ref={form.passwordInput}
        label="Password"
        value={password}
        onChange={form.setPassword}
        autoComplete="current-password"
        wrong={refusal?.blank === true && isBlank(password)}
        note={refusal?.attempts}
      />
      <div className="between">
        <label className="tick">
          <input
            type="checkbox"
            checked={form.remember}
            onChange={(event) => form.setRemember(event.currentTarget.checked)}
          />
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

interface NameFieldProps {
  value: string
  onChange: (value: string) => void
  wrong: boolean
  ref: Ref<HTMLInputElement>
}

function NameField({ value, onChange, wrong, ref }: NameFieldProps) {
  const id = useId()
  return (
    <div className={wrong ? 'field wrong' : 'field'}>
      <label htmlFor={id}>Username or email</label>
      <div className="input">
        <input
          ref={ref}
          id={id}
          name="username"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={wrong ? true : undefined}
        />
      </div>
    </div>
  )
}

/** The entries, and the sign-in itself; focuses the first empty field. */
function useLogin() {
  const [name, setName] = useState(() => rememberedName() ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(() => rememberedName() !== null)
  const [refusal, setRefusal] = useState<LoginRefusal | null>(null)
  const [busy, setBusy] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const first = nameInput.current?.value ? passwordInput.current : nameInput.current
    first?.focus()
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (isBlank(name) || isBlank(password)) {
      setRefusal({ message: 'Username and password are required.', attempts: null, blank: true })
      ;(isBlank(name) ? nameInput : passwordInput).current?.focus()
      return
    }
    setBusy(true)
    setRefusal(null)
    try {
      const answer = await login({ name: name.trim(), password })
      if (!hasMarker()) {
        setRefusal(NO_COOKIE)
        return setBusy(false)
      }
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
  return {
    ...{ name, setName, password, setPassword, remember, setRemember },
    ...{ refusal, busy, nameInput, passwordInput, submit },
  }
}

let ending: Ending | null | undefined
/** Reading the reason removes it, and a component may be created twice, so it is read once per page. */
function takeEndingOnce(): string | null {
  ending ??= takeEnding()
  return ending ? ENDINGS[ending] : null
}
