import type { StepUp } from '@pillar/contract/call'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { SaveAs } from './reauth-rules.ts'

export interface ReauthQuestion {
  title: string
  /** Who, how many, what it costs, what else changes. */
  consequence: ReactNode
  action: StepUp
  /** The id in the path of the call; null where something new is made. */
  object: string | null
  /** The button, carrying the consequence: 'Delete Repeat ready'. */
  button: string
  danger?: boolean
  /** Few words at the left of the foot: 'You can stop it at any time.' */
  note?: string
  /** Offers Save Changes or New. */
  saveAs?: SaveAs
}

/** Permission for one call: pass `grant` to `send` or `useGrantedWrite`. `as` and `name` say what was chosen with `saveAs`. */
export interface Granted {
  grant: string
  as: 'changes' | 'new'
  /** The name of the new one; null for changes. */
  name: string | null
}

export interface Asked extends ReauthQuestion {
  key: number
  answer: (granted: Granted | null) => void
}

let asked: Asked | null = null
let count = 0
const listeners = new Set<() => void>()

function put(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Asks for the password before an act. Resolves with the permission, or with null when the person goes back. */
export function askReauth(question: ReauthQuestion): Promise<Granted | null> {
  asked?.answer(null)
  count += 1
  return new Promise((answer) => {
    put({
      ...question,
      key: count,
      answer: (granted) => {
        put(null)
        answer(granted)
      },
    })
  })
}

/** The question now open; for the host alone. */
export function useAsked(): Asked | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => asked,
  )
}

/** `ask({ title, consequence, action, object, button, saveAs? })` opens the password dialog and returns the permission, or null. */
export function useReauth(): { ask: typeof askReauth } {
  return { ask: askReauth }
}
