import { PASSKEY_NAME_LIMIT } from '@pillar/domain/access/second-factor'
import { type FormEvent, useId, useState } from 'react'
import { confirmPasskey, startPasskey } from './factor-calls.ts'
import { Refused } from './Refused.tsx'
import type { Protected } from './useProtected.ts'

interface AddProps {
  guarded: Protected
  onDone: (codes: string[] | null) => void
  onBack: () => void
}

/** Asks for the passkey's name, then opens the browser's own dialog. */
export function AddPasskey({ guarded, onDone, onBack }: AddProps) {
  const id = useId()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    guarded.run('save', null, async (grant) => {
      const { options } = await startPasskey({}, grant)
      const { makePasskey } = await import('./passkey.ts')
      const passkey = await makePasskey(options)
      onDone((await confirmPasskey({ name: name.trim() || 'Passkey', passkey })).recovery_codes)
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <h1>Add a passkey</h1>
      <p className="lead">Your browser asks for a fingerprint, a face, a PIN or a security key.</p>
      <Refused>{guarded.error}</Refused>
      <div className="field">
        <label htmlFor={id}>Name</label>
        <div className="input">
          <input
            id={id}
            value={name}
            maxLength={PASSKEY_NAME_LIMIT}
            placeholder="Work laptop"
            autoComplete="off"
            onChange={(event) => setName(event.currentTarget.value)}
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
