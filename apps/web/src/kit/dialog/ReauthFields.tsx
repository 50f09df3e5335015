import { PasswordInput, TextInput } from '@mantine/core'
import { session as sessionCalls } from '@pillar/contract/access/session'
import type { StepUp } from '@pillar/contract/wire/call'
import { type RefObject, useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { useSession } from '../../session/session.ts'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import styles from './Reauth.module.css'
import { type ReauthField, reauthProblem } from './reauth-rules.ts'

export interface ReauthState {
  username: string
  password: string
  setUsername: (value: string) => void
  setPassword: (value: string) => void
  /** Why the last attempt was refused; shown above the dialog's foot. */
  error: string | null
  setError: (error: string | null) => void
  busy: boolean
  inputs: { username: RefObject<HTMLInputElement | null>; password: RefObject<HTMLInputElement | null> }
  /** Checks the password and returns the grant for this action on this object (null for something new), or null if refused. */
  confirm: (action: StepUp, object: string | null) => Promise<string | null>
  focus: (field: Exclude<ReauthField, 'name'>) => void
}

/** State of username and password, for a dialog that has them among its own fields. */
export function useReauthFields(): ReauthState {
  const [username, setUsername] = useState(useSession().username)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const inputs = { username: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) }
  const focus: ReauthState['focus'] = (field) => inputs[field].current?.focus()
  const confirm: ReauthState['confirm'] = async (action, object) => {
    const problem = reauthProblem({ username, password, as: 'changes', name: '' }, null)
    if (problem) {
      setError(problem.message)
      if (problem.field !== 'name') focus(problem.field)
      return null
    }
    setBusy(true)
    setError(null)
    try {
      const about = object === null ? { action } : { action, object }
      return (await send(sessionCalls.confirm, { name: username.trim(), password, ...about })).grant
    } catch (thrown) {
      setError(refusalWords(thrown))
      focus('password')
      inputs.password.current?.select()
      return null
    } finally {
      setBusy(false)
    }
  }
  return { username, password, setUsername, setPassword, error, setError, busy, inputs, confirm, focus }
}

function refusalWords(thrown: unknown): string {
  if (!(thrown instanceof RefusedError)) return wordsOf(thrown)
  const left = thrown.errors.attempts_remaining?.[0]
  return left ? `${thrown.message} ${left} ${left === '1' ? 'attempt' : 'attempts'} remaining` : thrown.message
}

/** Username (filled in) and password, side by side. The error belongs above the dialog's foot. */
export function ReauthFields({ state, autoFocus = false }: { state: ReauthState; autoFocus?: boolean }) {
  return (
    <div className={styles.pair}>
      <TextInput
        ref={state.inputs.username}
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={state.username}
        onChange={(event) => state.setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        ref={state.inputs.password}
        label="Password"
        name="password"
        autoComplete="current-password"
        data-autofocus={autoFocus || undefined}
        value={state.password}
        onChange={(event) => state.setPassword(event.currentTarget.value)}
      />
    </div>
  )
}
