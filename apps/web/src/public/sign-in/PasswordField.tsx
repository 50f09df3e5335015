import { type Ref, useId, useState } from 'react'
import { Alert, EyeIcon } from '../icons.tsx'

interface PasswordFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  error?: string | null
  /** Marks it as wrong; the sentence is shown elsewhere. */
  wrong?: boolean
  /** A grey line under the input, such as the attempts left. */
  note?: string | null
  ref?: Ref<HTMLInputElement>
}

/** A password with Show. The error is between label and input, the note below. */
export function PasswordField({ label, value, onChange, autoComplete, error, wrong, note, ref }: PasswordFieldProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <div className={error || wrong ? 'field wrong' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {error ? (
        <p className="error" id={`${id}-error`}>
          <Alert /> {error}
        </p>
      ) : null}
      <div className="input">
        <input
          ref={ref}
          id={id}
          type={shown ? 'text' : 'password'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error || wrong ? true : undefined}
          aria-describedby={error ? `${id}-error` : note ? `${id}-note` : undefined}
        />
        <button
          type="button"
          className="show"
          aria-pressed={shown}
          aria-label={`Show ${label.toLowerCase()}`}
          onClick={() => setShown((was) => !was)}
        >
          <EyeIcon shown={shown} /> {shown ? 'Hide' : 'Show'}
        </button>
      </div>
      {note ? (
        <p className="note" id={`${id}-note`} role="status">
          {note}
        </p>
      ) : null}
    </div>
  )
}
