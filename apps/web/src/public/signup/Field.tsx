import type { InputHTMLAttributes, ReactNode } from 'react'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  id: string
  label: string
  optional?: boolean
  /** A grey line between label and input. */
  hint?: ReactNode
  /** What is wrong with it, as a sentence. */
  wrong?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** A problem, shown beside its field: in a form of this length, the sentence at its end is out of sight. */
function Wrong({ id, words }: { id: string; words: string | undefined }) {
  return words ? (
    <p className="wrong-words" id={`${id}-wrong`}>
      {words}
    </p>
  ) : null
}

const describedBy = (id: string, hint: unknown, wrong: string | undefined) =>
  [hint ? `${id}-hint` : [], wrong ? `${id}-wrong` : []].flat().join(' ') || undefined

/** A labelled input of the sign-up page. */
export function Field({ id, label, optional, hint, wrong, value, onChange, ...input }: FieldProps) {
  return (
    <div className={wrong ? 'line wrong' : 'line'}>
      <label htmlFor={id}>
        {label} {optional ? <small>(optional)</small> : null}
      </label>
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <input
        id={id}
        className="entry"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        required={!optional}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy(id, hint, wrong)}
        {...input}
      />
      <Wrong id={id} words={wrong} />
    </div>
  )
}

interface ChoiceProps {
  id: string
  label: string
  options: readonly { value: string; label: string }[]
  wrong?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** A labelled list for a single choice. */
export function Choice({ id, label, options, wrong, value, onChange }: ChoiceProps) {
  return (
    <div className={wrong ? 'line wrong' : 'line'}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="entry"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy(id, null, wrong)}
      >
        <option value="">Select</option>
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
      <Wrong id={id} words={wrong} />
    </div>
  )
}

/** A tick with its sentence. */
export function Tick({
  id,
  on,
  onChange,
  children,
}: {
  id: string
  on: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <div className="person agree">
      <input type="checkbox" id={id} checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <label htmlFor={id}>{children}</label>
    </div>
  )
}
