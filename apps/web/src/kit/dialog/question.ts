import type { StepUp } from '@pillar/contract/wire/call'
import type { ReactNode } from 'react'
import { signal } from '../../shared/signal.ts'
import type { SaveAs } from './reauth-rules.ts'

/** The question before an act. */
export interface Question {
  title: string
  /** Who, how many, the cost, and other changes. */
  consequence: ReactNode
  /** The button, naming the consequence: 'Delete 3 templates'. */
  button: string
  danger?: boolean
  /** A few words at the left of the foot: 'You can stop it at any time.' */
  note?: string
}

/** Permission for one call, and the choice made with `saveAs`. */
export interface Granted {
  grant: string
  as: 'changes' | 'new'
  /** The name of the new object; null for changes. */
  name: string | null
}

interface Confirmation extends Question {
  /** Runs once confirmed; if it throws, the dialog stays open with the message. */
  act?: () => Promise<unknown>
}

interface Verification extends Question {
  action: StepUp
  /** The object of the grant: the id in the path of the call; null when something new is created. */
  object: string | null
  /** Offers to update the existing object or to save a copy. */
  saveAs?: SaveAs
  /** Runs with the permission while the dialog is open. Errors about a field or a newer version are rethrown. */
  act?: (granted: Granted) => Promise<unknown>
}

export interface Asked extends Question {
  key: number
  /** If present, the password is asked for as well. */
  password: Pick<Verification, 'action' | 'object' | 'saveAs'> | null
  act: (granted: Granted | null) => Promise<unknown>
  answer: (granted: Granted | null | true) => void
  fail: (error: unknown) => void
}

let asked: Asked | null = null
let count = 0
/** The question whose act is running. */
let acting: number | null = null
const { subscribe, announce } = signal()
/** Notifies the host that another question is open, or none. */
export const onQuestion = subscribe

function put(next: Asked | null): void {
  asked = next
  announce()
}

type About = Question & Pick<Asked, 'password' | 'act'>

/** A new question replaces one that is still open, which is answered with no and has no further effect. */
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

/** Whether the open question's act is running now, so that it cannot be cancelled. */
export const isActing = (): boolean => asked !== null && asked.key === acting

/** Asks before an act. Resolves true once the act is done, false if the person goes back. */
export async function confirm({ act = async () => {}, ...question }: Confirmation): Promise<boolean> {
  return (await ask({ ...question, password: null, act: () => act() })) !== null
}

/** Asks for the password before an act. Resolves with the permission once the act is done, with null if the person goes back. */
export async function verify(question: Verification): Promise<Granted | null> {
  const { action, object, saveAs, act, ...shown } = question
  const password = saveAs ? { action, object, saveAs } : { action, object }
  const answer = await ask({ ...shown, password, act: async (granted) => granted && act?.(granted) })
  return answer === true ? null : answer
}

/** The question now open; only for the host. */
export const openQuestion = (): Asked | null => asked
