import { type Ref, useId } from 'react'

interface CodeFieldProps {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  /** Digits from an app, or a recovery code with letters. */
  digits: boolean
  ref?: Ref<HTMLInputElement>
}

/** A field for a code. */
export function CodeField({ label, hint, value, onChange, digits, ref }: CodeFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          ref={ref}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          inputMode={digits ? 'numeric' : 'text'}
          autoComplete={digits ? 'one-time-code' : 'off'}
          autoCapitalize={digits ? 'none' : 'characters'}
          spellCheck={false}
          maxLength={20}
          aria-describedby={hint ? `${id}-hint` : undefined}
        />
      </div>
      {hint ? (
        <p className="note" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}
