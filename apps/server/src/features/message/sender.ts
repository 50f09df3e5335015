import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHANNELS } from '@pillar/domain/consent'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { HandOver } from '../../gateways/sms.ts'
import { claimMessages } from './claim.ts'
import { handOver } from './hand-over.ts'
import { type Channel, leaseBatch, pauseGateway, reservePace, returnLease, returnPace } from './lease.queries.ts'
import { recordAnswers } from './record.ts'

export interface SenderOptions {
  /** Claims of each channel that one worker has in hand at once. */
  lanes: number
  /** Messages of one claim, at most. */
  hand: number
  /** After so many seconds a message in hand counts as lost sight of. Longer than a gateway may take, with its claim and its record. */
  leaseSeconds: number
  /** How often an idle lane looks for work. */
  idleMs: number
}

export const SENDER: SenderOptions = { lanes: 2, hand: 250, leaseSeconds: 60, idleMs: 500 }

/** What one turn of a lane came to. */
export type Turn = 'sent' | 'nothing' | 'wait'

/**
 * One turn: leases a batch with work due, waits for the gateway's pace, claims, hands over, records. A batch that fails is left to its
 * lease and logged; it does not hold up the others.
 */
export async function takeTurn(
  services: Services,
  channel: Channel,
  worker: string,
  options: SenderOptions = SENDER,
  signal?: AbortSignal,
): Promise<Turn> {
  const { gate } = services.pools
  const gateway = channel === 'sms' ? services.sms : services.bulkEmail
  const batch = await leaseBatch(gate, channel, worker, services.now())
  if (!batch) return 'nothing'
  const count = handSize(options.hand, gateway.perSecond)
  // The simulator is one name for both channels; each goes at its own rate.
  const pace = `${gateway.name} ${channel}`
  const wait = await reservePace(gate, pace, count, gateway.perSecond)
  if (wait === null || signal?.aborted) {
    if (wait !== null) await returnPace(gate, pace, count, gateway.perSecond)
    await returnLease(gate, batch, worker)
    return 'wait'
  }
  // Not cut short by a stop: it is a second at most, and the place in the row is taken.
  if (wait > 0) await sleep(wait)
  const began = performance.now()
  const claim = await claimMessages(services, batch, worker, count, options.leaseSeconds)
  const claimed = claim?.messages.length ?? 0
  await returnPace(gate, pace, count - claimed, gateway.perSecond)
  // Others may have in hand what is left: looking again at once would only turn in a circle.
  if (!claim || claimed === 0) return claim?.moved ? 'sent' : 'wait'
  // A process that was asleep meanwhile may have lost what it claimed: it hands nothing over, and says so.
  const stale = performance.now() - began > (options.leaseSeconds * 1000) / 4
  const answers = stale ? claim.messages.map(() => NOT_TRIED) : await handOver(services, claim)
  await recordAnswers(services, claim, answers)
  const pause = pauseOf(answers)
  if (pause > 0) await pauseGateway(gate, pace, pause)
  return 'sent'
}

const NOT_TRIED: HandOver = { kind: 'later', seconds: 0, reason: 'Claimed too long ago' }

/** At most half a second of the gateway's pace, so that a stop is felt at once and workers share evenly. */
function handSize(hand: number, perSecond: number): number {
  return Number.isFinite(perSecond) ? Math.max(1, Math.min(hand, Math.floor(perSecond / 2))) : hand
}

const LONGEST_PAUSE = 60

/** Seconds to leave a gateway alone that took none of a hand and said so. */
function pauseOf(answers: readonly HandOver[]): number {
  const waits = answers.map((answer) => (answer.kind === 'later' ? answer.seconds : 0))
  return Math.min(LONGEST_PAUSE, ...waits)
}

/** Runs the lanes of both channels until stopped. @returns stops them, once what is in hand is recorded */
export function startLanes(services: Services, options: SenderOptions): () => Promise<void> {
  const stopping = new AbortController()
  const worker = randomUUID()
  const lane = async (channel: Channel) => {
    while (!stopping.signal.aborted) {
      const turn = await takeTurn(services, channel, worker, options, stopping.signal).catch((error: unknown) => {
        services.log.error({ channel, reason: reasonOf(error) }, 'sending messages')
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
