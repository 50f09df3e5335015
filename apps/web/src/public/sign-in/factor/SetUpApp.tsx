import { type FormEvent, useRef, useState } from 'react'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import { isUnanswered } from '../login-errors.ts'
import { CodeField } from './CodeField.tsx'
import { confirmApp } from './factor-calls.ts'
import { QrCode } from './QrCode.tsx'
import { Refused } from './Refused.tsx'

interface SetUpProps {
  /** The secret, requested beforehand: the question for the password takes the place of this form. */
  made: { secret: string; uri: string }
  /** Gets the new recovery codes, if this is the first second factor. */
  onDone: (codes: string[] | null) => void
  /** No answer came: the app may be on. */
  onDoubt: () => void
  onBack: () => void
}

/** The secret for the app to scan or to type, then its first code. */
export function SetUpApp({ made, onDone, onDoubt, onBack }: SetUpProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      onDone((await confirmApp({ code })).recovery_codes)
    } catch (thrown) {
      if (isUnanswered(thrown)) return onDoubt()
      setError(thrown instanceof RefusedError && code.trim() === '' ? 'Please enter the code.' : wordsOf(thrown))
      input.current?.select()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <h1>Authenticator app</h1>
      <p className="lead">
        Scan this with the authenticator app on your phone or in your password manager, then enter the code it shows.
      </p>
      <Refused>{error}</Refused>
      <QrCode text={made.uri} label="QR code for the authenticator app" />
      <p className="note">
        Or enter this key: <code>{made.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <CodeField ref={input} label="Code" value={code} onChange={setCode} digits />
      <button type="submit" className="primary" aria-disabled={busy}>
        {busy ? 'Checking...' : 'Switch it on'}
      </button>
      <button type="button" className="link back" onClick={onBack}>
        Back
      </button>
    </form>
  )
}
