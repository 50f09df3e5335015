import type { Services } from '../../api/context.ts'
import type { HandOver } from '../../gateways/gateway.ts'
import { MOST_REFUSED, sameRefusal } from '../../gateways/hand-over.ts'
import { impersonal } from '../../gateways/report.ts'

export const LONGEST_PAUSE = 60

/** For how long a gateway is left alone, and why. */
export interface Pause {
  seconds: number
  reason: string
}

export const isSettled = ({ kind }: HandOver): boolean => kind === 'accepted' || kind === 'rejected'

/** Seconds a gateway is left alone for each message of a claim of which nothing is known, the first time. */
const DOUBT_SECONDS = 3

/** What a process knows of a gateway that gives cause for doubt. */
interface Doubt {
  /** It is tried with one message at a time. */
  doubted: boolean
  /** Messages refused for the same reason since it last took one, and that reason. */
  refused: number
  reason: string
}

const known = new WeakMap<Services, Map<string, Doubt>>()

function doubtAbout(services: Services, pace: string): Doubt {
  const own = known.get(services) ?? new Map<string, Doubt>()
  known.set(services, own)
  const doubt = own.get(pace) ?? { doubted: false, refused: 0, reason: '' }
  own.set(pace, doubt)
  return doubt
}

/** Whether a gateway's last claims left everything open, or were refused alike, as this process saw it. Then it is tried with one message. */
export const isDoubted = (services: Services, pace: string): boolean => doubtAbout(services, pace).doubted

/**
 * Seconds to pause a gateway, and why; null otherwise. One that settled nothing of a claim and left something open: whatever is handed to it
 * meanwhile may be lost, for what is open is not sent again. Or one that refuses message after message for the same reason and takes none: then
 * the fault is ours or its own, and not of the messages, which would all fail for good.
 */
export function doubtOf(services: Services, pace: string, answers: readonly HandOver[]): Pause | null {
  const doubt = doubtAbout(services, pace)
  if (answers.some(({ kind }) => kind === 'accepted')) {
    Object.assign(doubt, { doubted: false, refused: 0 })
    return null
  }
  const refusals = answers.flatMap((answer) => (answer.kind === 'rejected' ? [answer.reason] : []))
  for (const reason of refusals) {
    doubt.refused = sameRefusal(reason, doubt.reason) ? doubt.refused + 1 : 1
    doubt.reason = reason
  }
  if (refusals.length > 0) {
    doubt.doubted = doubt.refused >= MOST_REFUSED
    if (!doubt.doubted) return null
    const reason = `It refuses every message: ${doubt.reason}`
    services.log.error(
      { gateway: pace, messages: doubt.refused, reason: impersonal(reason) },
      'the gateway refuses every message',
    )
    return { seconds: LONGEST_PAUSE, reason }
  }
  const open = answers.flatMap((answer) => (answer.kind === 'unknown' ? [answer] : []))
  const [first] = open
  if (!first) return null
  const seconds = doubt.doubted ? LONGEST_PAUSE : Math.min(LONGEST_PAUSE, DOUBT_SECONDS * open.length)
  doubt.doubted = true
  return { seconds, reason: first.reason }
}
