import { useEffect, useRef, useState } from 'react'
import { PasswordField } from '../PasswordField.tsx'
import { Refused } from './Refused.tsx'
import type { PasswordQuestion } from './useProtected.ts'

/** Asks for the password before anything a person who finds this screen open must not do. */
export function PasswordAgain({ asked }: { asked: PasswordQuestion }) {
  const [password, setPassword] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!asked.busy) asked.answer(password)
      }}
    >
      <h1>Your password, please</h1>
      <p className="lead">So that nobody else changes how you sign in.</p>
      <Refused>{asked.error}</Refused>
      <PasswordField
        ref={input}
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
      <button type="submit" className="primary" aria-disabled={asked.busy}>
        {asked.busy ? 'Checking...' : 'Continue'}
      </button>
      <button type="button" className="link back" onClick={asked.back}>
        Back
      </button>
    </form>
  )
}
