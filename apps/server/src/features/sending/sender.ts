import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHANNELS } from '@pillar/domain/consent/consent'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { refuseDoubtfulTime } from '../../db/clock.ts'
import type { HandOver } from '../../gateways/gateway.ts'
import { doubtOf, isDoubted, isSettled, LONGEST_PAUSE, type Pause } from '../../gateways/hand-over.ts'
import { impersonal } from '../../gateways/report.ts'
import { rarely } from '../../gateways/telemetry/rarely.ts'
import { traced } from '../../gateways/telemetry/trace.ts'
import { claimMessages } from './claim.ts'
import { handOver } from './hand-over.ts'
import {
  type Channel,
  endRefusal,
  type LeasedBatch,
  leaseBatch,
  pauseGateway,
  reservePace,
  returnLease,
  returnPace,
} from './lease.queries.ts'
import { watchOptedOut } from './opted-out.ts'
import { recordAnswers } from './record.ts'

export interface SenderOptions {
  /** Concurrent claims per channel in one worker. */
  lanes: number
  /** Most messages per claim. */
  hand: number
  /** Seconds after which a message in progress counts as unresolved. Longer than a gateway may take, including claim and record. */
  leaseSeconds: number
  /** How often an idle lane looks for work. */
  idleMs: number
}

export const SENDER: SenderOptions = { lanes: 2, hand: 250, leaseSeconds: 60, idleMs: 500 }

/** The result of one turn of a lane. */
export type Turn = 'sent' | 'nothing' | 'wait'

/**
 * One turn: leases a batch with due messages, waits for the gateway's rate, claims, sends, records. A batch that fails keeps its
 * lease and is logged; the others go on.
 */
export async function sendBatch(
  services: Services,
  channel: Channel,
  worker: string,
  options: SenderOptions = SENDER,
  signal?: AbortSignal,
): Promise<Turn> {
  const { system } = services.pools
  const gateway = channel === 'sms' ? services.sms : services.bulkEmail
  const batch = await leaseBatch(system, channel, worker, services.now())
  if (!batch) return 'nothing'
  // The simulator has one name for both channels; each has its own rate.
  const pace = `${gateway.name} ${channel}`
  const count = isDoubted(services, pace) ? 1 : handSize(options.hand, gateway.perSecond)
  const wait = await reservePace(system, pace, count, gateway.perSecond)
  if (wait === null || signal?.aborted) {
    if (wait !== null) await returnPace(system, pace, count, gateway.perSecond)
    await returnLease(system, batch, worker)
    return 'wait'
  }
  // A stop does not cut this short: it is at most a second, and the place is reserved.
  if (wait > 0) await sleep(wait)
  const marks = { channel, company: batch.companyId, location: batch.locationId, run: batch.runId }
  const send = () => claimAndSend(services, batch, worker, { count, pace, leaseSeconds: options.leaseSeconds })
  return traced('send batch', marks, send, { parent: batch.trace })
}

/** The turn itself: claims up to `count` messages of a leased batch, hands them over and records the answers. */
async function claimAndSend(
  services: Services,
  batch: LeasedBatch,
  worker: string,
  { count, pace, leaseSeconds }: { count: number; pace: string; leaseSeconds: number },
): Promise<Turn> {
  const { system } = services.pools
  const gateway = batch.channel === 'sms' ? services.sms : services.bulkEmail
  // After the machine slept it may be night, and the process would not notice for a minute.
  await services.readClock?.()
  try {
    refuseDoubtfulTime(services)
  } catch (error) {
    await returnPace(system, pace, count, gateway.perSecond)
    await returnLease(system, batch, worker)
    throw error
  }
  const began = performance.now()
  const claim = await traced('claim messages', {}, async (span) => {
    const made = await claimMessages(services, batch, worker, count, leaseSeconds)
    span.mark({ messages: made?.messages.length ?? 0 })
    return made
  })
  const claimed = claim?.messages.length ?? 0
  await returnPace(system, pace, count - claimed, gateway.perSecond)
  // Others may hold the rest: checking again at once would only spin.
  if (!claim || claimed === 0) return claim?.moved ? 'sent' : 'wait'
  // Not in the claim's transaction: a STOP has to wait for that one, not for the gateway.
  const out = await traced('check consent', {}, () => watchOptedOut(services, claim)).catch((error: unknown) => {
    services.log.error(
      { channel: batch.channel, reason: reasonOf(error) },
      'reading consent before messages are handed over',
    )
    return null
  })
  // While this process was suspended, another may have taken over its claim: it sends nothing.
  const stale = performance.now() - began > (leaseSeconds * 1000) / 4
  const send =
    stale || out === null ? async () => claim.messages.map(() => NOT_TRIED) : () => handOver(services, claim, out)
  const answers = await send().finally(() => out?.end())
  const until = began + leaseSeconds * 1000
  await traced('record answers', {}, () => insist(services, until, () => recordAnswers(services, claim, answers)))
  // Some of the simulator’s numbers lose their answers or are refused on purpose.
  const doubt = gateway.simulated ? null : doubtOf(services, pace, answers)
  const pause = doubt ?? pauseOf(answers)
  if (pause) await pauseGateway(system, pace, pause.seconds, impersonal(pause.reason))
  else if (answers.some(isSettled)) await endRefusal(system, pace)
  return 'sent'
}

const RECORD_AGAIN_MS = 1_000

/** Tries until the claim has ended: a gateway answers only once, and without its answer a message may stay unknown for ever. */
async function insist({ log }: Services, until: number, record: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await record()
    } catch (error) {
      if (performance.now() + RECORD_AGAIN_MS > until) throw error
      log.warn({ reason: reasonOf(error) }, 'what a gateway answered could not be recorded yet')
      await sleep(RECORD_AGAIN_MS)
    }
  }
}

const NOT_TRIED: HandOver = { kind: 'later', seconds: 0, reason: 'Claimed too long ago' }

/** At most half a second of the gateway's rate, so that a stop takes effect at once and workers share evenly. */
function handSize(hand: number, perSecond: number): number {
  return Number.isFinite(perSecond) ? Math.max(1, Math.min(hand, Math.floor(perSecond / 2))) : hand
}

/** Seconds to pause a gateway that accepted none of a claim and said so, and why; null otherwise. */
function pauseOf(answers: readonly HandOver[]): Pause | null {
  const waits = answers.flatMap((answer) => (answer.kind === 'later' && answer.seconds > 0 ? [answer] : []))
  const [first, ...others] = waits
  if (!first || waits.length < answers.length) return null
  const { seconds, reason } = others.reduce((least, one) => (one.seconds < least.seconds ? one : least), first)
  return { seconds: Math.min(LONGEST_PAUSE, seconds), reason }
}

/** Runs the lanes of both channels until stopped. @returns a function that stops them once messages in progress are recorded */
export function startLanes(services: Services, options: SenderOptions): () => Promise<void> {
  const stopping = new AbortController()
  const worker = randomUUID()
  const lane = async (channel: Channel) => {
    const failed = rarely((reason, times) => services.log.error({ channel, reason, times }, 'sending messages'))
    while (!stopping.signal.aborted) {
      const turn = await sendBatch(services, channel, worker, options, stopping.signal).catch((error: unknown) => {
        failed(reasonOf(error))
        return 'wait' as const
      })
      if (turn !== 'sent') await sleep(options.idleMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }
  const lanes = CHANNELS.flatMap((channel) => Array.from({ length: options.lanes }, () => lane(channel)))
  return async () => {
    stopping.abort()
    await Promise.all(lanes)
  }
}
