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
    // Someone else signed in on this browser in another tab: what is on screen is not theirs.
    if (session && session.session_id !== answer.session_id && session.username !== answer.username) {
      ending = true
      window.location.reload()
      return
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

/** Goes to the login page when a refusal says that the session is over, and to a new password or the second factor when it says that one is due. */
export function endIfExpired(error: unknown): void {
  if (!(error instanceof RefusedError)) return
  if (error.expired) void leave('expired', false)
  if (error.code === 'new_password_needed') toPublicPage('change-password')
  if (error.code === 'second_factor_needed') toPublicPage('second-factor')
}

/** Where someone first does what their sign-in still needs, instead of whatever they opened. */
function toPublicPage(page: 'change-password' | 'second-factor'): void {
  window.location.replace(`${basePathOf(window.location.pathname)}/${page}`)
}

let opening: Promise<Session> | null = null

/** Mints the first token of this page from the cookie. Asked twice it is done once; a failure can be tried again. */
export function openSession(): Promise<Session> {
  opening ??= bearer()
    .then(() => {
      if (!session) throw new RefusedError(0, 'The server did not say who is signed in.')
      const { must_change_password, second_factor } = session
      if (!must_change_password && second_factor === 'done') return session
      // The page itself sends on whom it does not concern.
      toPublicPage(must_change_password && second_factor !== 'check' ? 'change-password' : 'second-factor')
      // The page is being left; nothing may be drawn meanwhile.
      return new Promise<never>(() => {})
    })
    .catch((error: unknown) => {
      opening = null
      throw error
    })
  return opening
}

const endings = new Set<() => void>()

/** Has something done when the session ends without its person asking for it. @returns takes that back */
export function whenEnding(work: () => void): () => void {
  endings.add(work)
  return () => void endings.delete(work)
}

/** Whether the session of this page is being ended, or was. */
export const isLeaving = () => ending

/** Ends the session here and, unless the server ended it, there; then shows the login page. */
export async function leave(reason: Ending, tellServer: boolean): Promise<void> {
  if (ending) return
  ending = true
  if (reason !== 'signed-out') for (const work of endings) work()
  // Nobody was in yet: a link opened with the marker of a session that is over.
  if (!session) keepWanted(window.location)
  keeper.forget()
  clearMarker()
  keepEnding(reason)
  if (tellServer) {
    signalTabs({ kind: 'ended' })
    // Waited for, so that its answer cannot clear the cookie of a sign-in that follows at once; never for long.
    await Promise.race([post('/api/logout', {}).catch(() => null), new Promise((done) => setTimeout(done, 3000))])
  }
  window.location.assign(`${basePathOf(window.location.pathname)}/login`)
}

/** Where the session stands now, counted from the last refresh in any tab of this browser. */
export function countdownNow(now: number = Date.now()): Countdown {
  const refreshed = Math.max(lastRefresh, Math.min(lastTabStamp(), now))
  return countdown(signedInAt() ?? refreshed, refreshed, now)
}

/** Whether what repeats by itself may ask again: somebody is at this page, and is not being asked whether to stay. */
export function mayRepeat(): boolean {
  return someoneThere() && countdownNow().state !== 'warning'
}

/** Who is signed in. Only inside the frame, where someone always is. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, () => session)
  if (!current) throw new Error('useSession outside a signed-in page')
  return current
}

/** The country whose currency and dates the signed-in company uses. */
export function useCountry(): Country {
  return useSession().company.country
}
