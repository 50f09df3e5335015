import { useRef, useState } from 'react'
import { confirmPasskey, startPasskey } from './factor-calls.ts'
import type { Protected } from './useProtected.ts'

type Started = Awaited<ReturnType<typeof startPasskey>> & { at: number }

/** Milliseconds for which the browser's dialog may be opened again; the server takes an answer for one minute longer. */
const OPENS_AGAIN_MS = 240_000

export interface NewPasskey {
  name: string
  setName: (name: string) => void
  add: () => void
}

/** A passkey being added. Its name outlasts the question for the password, and a cancelled dialog opens again without another. */
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
      // The server takes one answer, whatever it says to it.
      started.current = null
      const { recovery_codes } = await confirmPasskey({ name: name.trim() || 'Passkey', passkey })
      setName('')
      onDone(recovery_codes)
    })
  return { name, setName, add }
}
