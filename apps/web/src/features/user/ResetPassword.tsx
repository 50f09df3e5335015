import { Button, PasswordInput } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { wordsOf } from '../../shared/refused.ts'
import styles from './User.module.css'

/** Sets a password for a user, separately from the surrounding form, so that nothing typed here is kept. */
export function ResetPassword({ user }: { user: User }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const reset = useWrite(contract.user.resetPassword, {
    ask: {
      title: 'Reset the password?',
      consequence: `${user.name} is signed out everywhere, told by email, and must choose a new password at the next sign-in.`,
      button: 'Reset password',
    },
    done: ({ message }) => message,
  })
  const submit = async () => {
    if (password === '') return setError('Enter a password')
    setError(null)
    try {
      if (await reset.mutateAsync({ uuid: user.uuid, password })) setPassword('')
    } catch (thrown) {
      setError(wordsOf(thrown))
    }
  }
  return (
    <section className={styles.reset} aria-label="Reset password">
      <PasswordInput
        label="New password"
        description="Give it to them by phone: it is not emailed. At the next sign-in they must choose a new one."
        autoComplete="new-password"
        value={password}
        error={error}
        aria-invalid={error ? true : undefined}
        disabled={user.state === 'disabled'}
        onChange={(event) => setPassword(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter here submits the password, not the surrounding form.
          event.preventDefault()
          void submit()
        }}
      />
      <Button
        onClick={() => void submit()}
        loading={reset.isPending}
        disabled={user.state === 'disabled'}
        title={user.state === 'disabled' ? 'Enable the user first' : undefined}
      >
        Reset password
      </Button>
    </section>
  )
}
