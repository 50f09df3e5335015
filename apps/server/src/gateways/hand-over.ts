import type { Logger } from 'pino'
import type { HandOver } from './gateway.ts'
import type { HttpAnswer, NoAnswer } from './http-call.ts'
import { impersonal } from './report.ts'

/** After this no further message of a batch is started. Each started one ends within EACH_MS, so a batch takes 20 s at most. */
const BEGIN_MS = 6_000
const EACH_MS = 13_000
/** If this many are open before the first is settled, the gateway is in trouble, and more would be lost as well. */
const MOST_OPEN = 10
/** After this many refusals for one reason, with none accepted, the fault is not the messages', and all others would fail for good too. */
const MOST_REFUSED = 20

/** The outcome for somebody who opted out after their message was claimed: the next claim skips it. */
export const WITHDRAWN: HandOver = { kind: 'later', seconds: 0, reason: 'The person has opted out.' }

/**
 * Hands messages over one by one, `atOnce` at a time, without those withdrawn meanwhile. Messages not started in time, or before the gateway
 * turned out to be in trouble, are for later; those that throw or hang are unknown. @returns the outcomes, in their order
 */
export async function handOverEach<T>(
  messages: readonly T[],
  atOnce: number,
  one: (message: T) => Promise<HandOver>,
  isWithdrawn: (message: T) => boolean = () => false,
): Promise<HandOver[]> {
  const outcomes = messages.map((): HandOver => ({ kind: 'later', seconds: 1, reason: 'The gateway is slow.' }))
  const end = performance.now() + BEGIN_MS
  let next = 0
  let open = 0
  let settled = 0
  let refused = 0
  let taken = false
  let reason = ''
  const inTrouble = () => !taken && ((settled === 0 && open >= MOST_OPEN) || refused >= MOST_REFUSED)
  const lane = async () => {
    while (next < messages.length && performance.now() < end && !inTrouble()) {
      const at = next++
      if (isWithdrawn(messages[at]!)) {
        outcomes[at] = WITHDRAWN
        continue
      }
      const outcome = await inTime(one(messages[at]!))
      outcomes[at] = outcome
      if (outcome.kind === 'unknown') open++
      else if (outcome.kind !== 'later') settled++
      if (outcome.kind === 'accepted') taken = true
      if (outcome.kind !== 'rejected') continue
      refused = sameRefusal(outcome.reason, reason) ? refused + 1 : 1
      reason = outcome.reason
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, messages.length) }, lane))
  return outcomes
}

/** Whether two refusals give the same reason, ignoring recipients and numbers in them. */
const sameRefusal = (one: string, other: string): boolean => impersonal(one) === impersonal(other)

async function inTime(work: Promise<HandOver>): Promise<HandOver> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<HandOver>((resolve) => {
    timer = setTimeout(resolve, EACH_MS, { kind: 'unknown', reason: 'The gateway did not answer in time.' })
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    return { kind: 'unknown', reason: `The gateway's answer could not be read: ${String(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

/** What a missing answer means: later if the request was never sent, unknown if it may have been. */
export function outcomeOfSilence(error: NoAnswer): HandOver {
  return error.left
    ? { kind: 'unknown', reason: `The gateway took the request, and then ${error.message}.` }
    : { kind: 'later', seconds: 30, reason: `The gateway cannot be reached: ${error.message}.` }
}

/** Envoy also answers 503 when the request had already reached the server behind it. Its text tells the two apart. */
const BROKEN_OFF = /disconnect\/reset before headers(?!.*(connection (fail|time)|overflow))/

/**
 * What an HTTP status other than 2xx means. Refused credentials, an empty account and a wrong address are faults of the installation, not
 * of the message, so it waits. A server error may have come before or after the message was accepted. @param words the gateway's own reason
 */
export function outcomeOfStatus({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>, words: string): HandOver {
  const said = words ? `: ${words}` : '.'
  if (status === 503 && BROKEN_OFF.test(words))
    return { kind: 'unknown', reason: `What stands before the gateway lost it after the request had left${said}` }
  if (status === 429 || status === 503) {
    const asked = Number(headers['retry-after'])
    const seconds = asked > 0 ? Math.min(asked, 3600) : status === 429 ? 5 : 30
    return { kind: 'later', seconds, reason: `The gateway is busy${said}` }
  }
  if (status === 401 || status === 403 || status === 407) {
    return { kind: 'later', seconds: 60, reason: `The gateway refuses our credentials${said}` }
  }
  if (status === 402) return { kind: 'later', seconds: 60, reason: `The account at the gateway has no credit${said}` }
  // 303 means the request was carried out, and says where to read the result.
  if (status >= 300 && status < 400 && status !== 303) {
    return {
      kind: 'later',
      seconds: 60,
      reason: `The gateway's address has moved (status ${status}); check the setting.`,
    }
  }
  // Not the message's fault: every message goes to this address.
  if (status === 404 || status === 405) {
    return {
      kind: 'later',
      seconds: 60,
      reason: `Nothing takes texts at the gateway's address (status ${status}); check the setting.`,
    }
  }
  if (status >= 400 && status < 500 && status !== 408) {
    return { kind: 'rejected', reason: words || `The gateway refused it (status ${status}).` }
  }
  return { kind: 'unknown', reason: `The gateway answered with an error (status ${status})${said}` }
}

export const LONGEST_PAUSE = 60

/** How long a gateway is left alone, and why. */
export interface Pause {
  seconds: number
  reason: string
}

export const isSettled = ({ kind }: HandOver): boolean => kind === 'accepted' || kind === 'rejected'

/** Seconds a gateway is left alone, the first time, for each message of a claim with an unknown outcome. */
const DOUBT_SECONDS = 3

/** What makes a process doubt a gateway. */
interface Doubt {
  /** It is tried with one message at a time. */
  doubted: boolean
  /** Messages refused for the same reason since the gateway last accepted one, and that reason. */
  refused: number
  reason: string
}

/** Stands for a process: its services. */
type Process = { log: Logger }

const known = new WeakMap<Process, Map<string, Doubt>>()

function doubtAbout(services: Process, pace: string): Doubt {
  const own = known.get(services) ?? new Map<string, Doubt>()
  known.set(services, own)
  const doubt = own.get(pace) ?? { doubted: false, refused: 0, reason: '' }
  own.set(pace, doubt)
  return doubt
}

/** Whether this process saw a gateway leave its last claims open or refuse them alike. It is then tried with one message at a time. */
export const isDoubted = (services: Process, pace: string): boolean => doubtAbout(services, pace).doubted

/**
 * How long to pause a gateway, and why; null if it need not pause. It pauses after settling nothing of a claim and leaving some messages open,
 * because open messages are never resent and more could be lost. It also pauses when it refuses message after message for the same reason:
 * then the fault is not the messages', which would all fail for good.
 */
export function doubtOf(services: Process, pace: string, answers: readonly HandOver[]): Pause | null {
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
