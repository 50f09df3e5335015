import { useRef, useState } from 'react'
import { confirmPasskey, startPasskey } from './factor-calls.ts'
import type { Protected } from './useProtected.ts'

type Started = Awaited<ReturnType<typeof startPasskey>> & { at: number }

/** Milliseconds for which the browser's prompt may be opened again; the server accepts an answer for one minute longer. */
const OPENS_AGAIN_MS = 240_000

export interface NewPasskey {
  name: string
  setName: (name: string) => void
  add: () => void
}

/** Adds a passkey. Its name is kept while the password is asked for, and after a cancelled prompt the browser asks again without the password. */
export function useNewPasskey(guarded: Protected, onDone: (codes: string[] | null) => void): NewPasskey {
  const [name, setName] = useState('')
  const started = useRef<Started | null>(null)
  const add = () =>
    guarded.run('save', null, async (grant) => {
      const { makePasskey } = await import('./passkey.ts')
      if (!started.current || Date.now() - started.current.at > OPENS_AGAIN_MS) {
        started.current = { ...(await startPasskey({}, grant)), at: Date.now() }
      }
      const passkey = await makePasskey(started.current.options)
      // The server accepts one answer to a challenge, even a wrong one.
      started.current = null
      const { recovery_codes } = await confirmPasskey({ name: name.trim() || 'Passkey', passkey })
      setName('')
      onDone(recovery_codes)
    })
  return { name, setName, add }
}
