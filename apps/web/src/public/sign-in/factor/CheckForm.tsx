import type { LoginAnswer } from '@pillar/contract/access/session'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { keepSignedInAt } from '../../../shared/marker.ts'
import { wordsOf } from '../../../shared/refused.ts'
import { CodeField } from './CodeField.tsx'
import { askChallenge, type FactorStatus, verify } from './factor-calls.ts'
import { Refused } from './Refused.tsx'

interface CheckFormProps {
  status: FactorStatus
  onDone: (who: LoginAnswer, recovery: boolean) => void
  onLeave: () => void
}

/** The second step of a sign-in: a code from the app, a passkey, or a recovery code. */
export function CheckForm({ status, onDone, onLeave }: CheckFormProps) {
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [remember, setRemember] = useState(false)
  const check = useCheck((who) => onDone(who, recovery))
  const typed = recovery ? 'recovery' : status.app ? 'app' : null
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (typed) input.current?.focus()
  }, [typed])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!typed) return void check.withPasskey(remember)
    if (code.trim() === '') {
      check.refuse('Please enter the code.')
      return input.current?.focus()
    }
    void check
      .run(() => verify(recovery ? { recovery_code: code, remember } : { code, remember }))
      .then(() => input.current?.select())
  }
  const passkey = status.passkeys.length > 0 && status.passkeys_possible
  return (
    <form onSubmit={submit} noValidate>
      <h1>Second factor</h1>
      <p className="lead">{leadOf(recovery, status)}</p>
      <Refused>{check.error}</Refused>
      {typed ? (
        <CodeField
          ref={input}
          label={recovery ? 'Recovery code' : 'Code'}
          hint={recovery ? 'One of the codes you saved, such as K7M2P-9QXRT. Each works once.' : undefined}
          value={code}
          onChange={setCode}
          digits={!recovery}
        />
      ) : null}
      <div className="between">
        <label className="tick">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          Don’t ask again on this browser for 30 days
        </label>
      </div>
      <button type="submit" className="primary" aria-disabled={check.busy}>
        {check.busy ? 'Checking...' : typed ? 'Continue' : 'Use a passkey'}
      </button>
      {passkey && typed ? (
        <button type="button" className="secondary wide" onClick={() => void check.withPasskey(remember)}>
          Use a passkey
        </button>
      ) : null}
      <p className="ways">
        <button
          type="button"
          className="link"
          onClick={() => {
            setRecovery(!recovery)
            setCode('')
            check.refuse(null)
          }}
        >
          {recovery ? 'Back' : 'Use a recovery code'}
        </button>
        <button type="button" className="link" onClick={onLeave}>
          Sign out
        </button>
      </p>
      <p className="note">Lost everything? Support can reset it after calling you back.</p>
    </form>
  )
}

const leadOf = (recovery: boolean, { app }: FactorStatus) =>
  recovery
    ? 'Enter a recovery code.'
    : app
      ? 'Enter the six digits your authenticator app shows now.'
      : 'Use this login’s passkey.'

function useCheck(onDone: (who: LoginAnswer) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = async (act: () => Promise<LoginAnswer>) => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      const who = await act()
      keepSignedInAt(Date.now())
      onDone(who)
    } catch (thrown) {
      setError(wordsOf(thrown))
      setBusy(false)
    }
  }
  const withPasskey = (remember: boolean) =>
    run(async () => {
      const { options } = await askChallenge({})
      const { signWithPasskey } = await import('./passkey.ts')
      return verify({ passkey: await signWithPasskey(options), remember })
    })
  return { busy, error, refuse: setError, run, withPasskey }
}
