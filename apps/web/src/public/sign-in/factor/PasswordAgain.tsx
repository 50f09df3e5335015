import { useEffect, useRef, useState } from 'react'
import { PasswordField } from '../PasswordField.tsx'
import { Refused } from './Refused.tsx'
import type { Question } from './useProtected.ts'

/** Says what is about to happen, and asks for the password before anything a person who finds this screen open must not do. */
export function PasswordAgain({ asked }: { asked: Question }) {
  const { about, password: needed } = asked
  const [password, setPassword] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (needed) input.current?.focus()
  }, [needed])
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!asked.busy) asked.answer(password)
      }}
    >
      <h1>{about ? about.title : 'Your password, please'}</h1>
      <p className="lead">{about ? about.consequence : 'So that nobody else changes how you sign in.'}</p>
      <Refused>{asked.error}</Refused>
      {needed ? (
        <PasswordField
          ref={input}
          label="Password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
        />
      ) : null}
      <button type="submit" className="primary" aria-disabled={asked.busy}>
        {asked.busy ? 'Checking...' : (about?.button ?? 'Continue')}
      </button>
      <button type="button" className="link back" onClick={asked.back}>
        Back
      </button>
    </form>
  )
}
