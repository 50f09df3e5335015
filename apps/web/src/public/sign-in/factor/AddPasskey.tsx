import { PASSKEY_NAME_LIMIT } from '@pillar/domain/access/second-factor'
import { useId } from 'react'
import { Refused } from './Refused.tsx'
import type { NewPasskey } from './useNewPasskey.ts'

interface AddProps {
  passkey: NewPasskey
  error: string | null
  onBack: () => void
}

/** Asks for the passkey's name, then opens the browser's own dialog. */
export function AddPasskey({ passkey, error, onBack }: AddProps) {
  const id = useId()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        passkey.add()
      }}
    >
      <h1>Add a passkey</h1>
      <p className="lead">Your browser asks for a fingerprint, a face, a PIN or a security key.</p>
      <Refused>{error}</Refused>
      <div className="field">
        <label htmlFor={id}>Name</label>
        <div className="input">
          <input
            id={id}
            value={passkey.name}
            maxLength={PASSKEY_NAME_LIMIT}
            placeholder="Work laptop"
            autoComplete="off"
            onChange={(event) => passkey.setName(event.currentTarget.value)}
          />
        </div>
      </div>
      <button type="submit" className="primary">
        Add the passkey
      </button>
      <button type="button" className="link back" onClick={onBack}>
        Back
      </button>
    </form>
  )
}
