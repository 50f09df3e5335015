import type { LoginAnswer } from '@pillar/contract/access/session'
import { type Countdown, countdown } from '@pillar/domain/access/session'
import type { Country } from '@pillar/domain/time/locale'
import { useSyncExternalStore } from 'react'
import { clearMarker, type Ending, keepEnding, signedInAt } from '../shared/marker.ts'
import { basePathOf, keepWanted } from '../shared/paths.ts'
import { post } from '../shared/post.ts'
import { RefusedError } from '../shared/refused.ts'
import { signal } from '../shared/signal.ts'
import { someoneThere } from './activity.ts'
import { keepBearer } from './bearer.ts'
import { lastTabStamp, listenToTabs, signalTabs } from './tabs.ts'

/** The login answer without its token, which never leaves the bearer keeper. */
export type Session = Omit<LoginAnswer, 'access_token'>

let session: Session | null = null
let lastRefresh = 0
let ending = false
const { subscribe, announce } = signal()

const keeper = keepBearer<LoginAnswer>({
  now: Date.now,
  refresh: () => post('/api/refresh', {}) as Promise<LoginAnswer>,
  minted({ access_token: _, ...answer }, at) {
    // Somebody else has signed in on this browser in another tab: the screen's content is not theirs, nor is what waits to be sent.
    if (session && session.session_id !== answer.session_id && session.username !== answer.username) {
      ending = true
      for (const work of endings) work()
      window.location.reload()
      throw new RefusedError(401, 'Somebody else has signed in on this browser. Nothing was sent.')
    }
    session = answer
    lastRefresh = at
    signalTabs({ kind: 'refreshed', at })
    announce()
  },
})

listenToTabs((news) => {
  if (!session) return
  if (news.kind === 'ended') void leave('signed-out', false)
  else lastRefresh = Math.max(lastRefresh, news.at)
})

/** A bearer fresh enough to send. A refused refresh ends the session; a missing answer is only thrown. */
export async function bearer(): Promise<string> {
  return keeper.bearer().catch(afterRefused)
}

/** Continue in the warning: refreshes now. */
export async function continueSession(): Promise<void> {
  await keeper.renew().catch(afterRefused)
}

function afterRefused(error: unknown): never {
  endIfExpired(error)
  throw error
}

/** Opens the login page if a refusal says that the session is over, or the page for a new password or the second factor if one is due. */
export function endIfExpired(error: unknown): void {
  if (!(error instanceof RefusedError)) return
  if (error.expired) void leave('expired', false)
  if (error.code === 'new_password_needed') toPublicPage('change-password')
  if (error.code === 'second_factor_needed') toPublicPage('second-factor')
}

/** Sends a person to a step their sign-in still needs, instead of the page they opened. */
function toPublicPage(page: 'change-password' | 'second-factor'): void {
  window.location.replace(`${basePathOf(window.location.pathname)}/${page}`)
}

let opening: Promise<Session> | null = null

/** Mints this page's first token from the cookie. A second call joins the first; a failure can be retried. */
export function openSession(): Promise<Session> {
  opening ??= bearer()
    .then(() => {
      if (!session) throw new RefusedError(0, 'The server did not say who is signed in.')
      const { must_change_password, second_factor } = session
      if (!must_change_password && second_factor === 'done') return session
      // The page itself redirects people it does not concern.
      toPublicPage(must_change_password && second_factor !== 'check' ? 'change-password' : 'second-factor')
      // The page is about to be left, and must not draw anything until then.
      return new Promise<never>(() => {})
    })
    .catch((error: unknown) => {
      opening = null
      throw error
    })
  return opening
}

const endings = new Set<() => void>()

/** Registers work to do when the session ends without its person signing out. @returns a function that unregisters it */
export function whenEnding(work: () => void): () => void {
  endings.add(work)
  return () => void endings.delete(work)
}

/** Whether this page's session is ending or has ended. */
export const isLeaving = () => ending

/** Ends the session here and, unless the server ended it, on the server; then opens the login page. */
export async function leave(reason: Ending, tellServer: boolean): Promise<void> {
  if (ending) return
  ending = true
  if (reason !== 'signed-out') for (const work of endings) work()
  // Nobody was signed in yet: a link was opened with the marker of an expired session.
  if (!session) keepWanted(window.location)
  keeper.forget()
  clearMarker()
  keepEnding(reason)
  if (tellServer) {
    signalTabs({ kind: 'ended' })
    // Waits, so that the answer cannot clear the cookie of a sign-in that follows at once; but never for long.
    await Promise.race([post('/api/logout', {}).catch(() => null), new Promise((done) => setTimeout(done, 3000))])
  }
  window.location.assign(`${basePathOf(window.location.pathname)}/login`)
}

/** The session's present state, counted from the last refresh in any tab of this browser. */
export function countdownNow(now: number = Date.now()): Countdown {
  const refreshed = Math.max(lastRefresh, Math.min(lastTabStamp(), now))
  return countdown(signedInAt() ?? refreshed, refreshed, now)
}

/** Whether automatic reads may repeat: somebody is at this page, and is not being asked whether to stay. */
export function mayRepeat(): boolean {
  return someoneThere() && countdownNow().state !== 'warning'
}

/** The signed-in person. Only inside the frame, where there always is one. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, () => session)
  if (!current) throw new Error('useSession outside a signed-in page')
  return current
}

/** The country whose currency and dates the signed-in company uses. */
export function useCountry(): Country {
  return useSession().company.country
}
