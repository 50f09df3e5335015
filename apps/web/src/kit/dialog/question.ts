import type { StepUp } from '@pillar/contract/wire/call'
import type { ReactNode } from 'react'
import { signal } from '../../shared/signal.ts'
import type { SaveAs } from './reauth-rules.ts'

/** What is asked before an act. */
export interface Question {
  title: string
  /** Who, how many, what it costs, what else changes. */
  consequence: ReactNode
  /** The button, carrying the consequence: 'Delete 3 templates'. */
  button: string
  danger?: boolean
  /** Few words at the left of the foot: 'You can stop it at any time.' */
  note?: string
}

/** Permission for one call, and what was chosen with `saveAs`. */
export interface Granted {
  grant: string
  as: 'changes' | 'new'
  /** The name of the new one; null for changes. */
  name: string | null
}

interface Confirmation extends Question {
  /** Done when confirmed; the dialog stays open with the words of whatever it throws. */
  act?: () => Promise<unknown>
}

interface Verification extends Question {
  action: StepUp
  /** What the grant is for: the id in the path of the call; null where something new is made. */
  object: string | null
  /** Offers to update what is there or to save a copy. */
  saveAs?: SaveAs
  /** Done with the permission while the dialog is open. What belongs beside a field or to a newer version is thrown on. */
  act?: (granted: Granted) => Promise<unknown>
}

export interface Asked extends Question {
  key: number
  /** Present: the password is asked for as well. */
  password: Pick<Verification, 'action' | 'object' | 'saveAs'> | null
  act: (granted: Granted | null) => Promise<unknown>
  answer: (granted: Granted | null | true) => void
  fail: (error: unknown) => void
}

let asked: Asked | null = null
let count = 0
/** The question whose act is being done. */
let acting: number | null = null
const { subscribe, announce } = signal()
/** Tells the host that another question is open, or none. */
export const onQuestion = subscribe

function put(next: Asked | null): void {
  asked = next
  announce()
}

type About = Question & Pick<Asked, 'password' | 'act'>

/** A question takes the place of one that is still open: that one is answered with no, and not acted upon any more. */
function ask(about: About): Promise<Granted | null | true> {
  asked?.answer(null)
  count += 1
  const key = count
  const isOpen = () => asked?.key === key
  return new Promise((resolve, reject) => {
    const closing =
      <T>(tell: (value: T) => void) =>
      (value: T) => {
        if (isOpen()) put(null)
        tell(value)
      }
    const act = async (granted: Granted | null) => {
      if (!isOpen()) return
      acting = key
      try {
        return await about.act(granted)
      } finally {
        if (acting === key) acting = null
      }
    }
    put({ ...about, act, key, answer: closing(resolve), fail: closing(reject) })
  })
}

/** Whether what the open question asked is being done at this moment: it cannot be gone back on. */
export const isActing = (): boolean => asked !== null && asked.key === acting

/** Asks before an act. Resolves true once the act is done, false when the person goes back. */
export async function confirm({ act = async () => {}, ...question }: Confirmation): Promise<boolean> {
  return (await ask({ ...question, password: null, act: () => act() })) !== null
}

/** Asks for the password before an act. Resolves with the permission once the act is done, with null when the person goes back. */
export async function verify(question: Verification): Promise<Granted | null> {
  const { action, object, saveAs, act, ...shown } = question
  const password = saveAs ? { action, object, saveAs } : { action, object }
  const answer = await ask({ ...shown, password, act: async (granted) => granted && act?.(granted) })
  return answer === true ? null : answer
}

/** The question now open; for the host alone. */
export const openQuestion = (): Asked | null => asked
