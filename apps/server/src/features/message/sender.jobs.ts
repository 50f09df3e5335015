import { randomUUID } from 'node:crypto'
import { CHANNELS } from '@pillar/domain/consent'
import type { Services } from '../../api/context.ts'
import { repeat } from '../../api/repeat.ts'
import { workOffEvents } from './events.ts'
import { turnRuns, wakeForgotten } from './lease.queries.ts'
import { reconcile } from './reconcile.ts'
import { recountDue, recountDueStats } from './recount.ts'
import { SENDER, type SenderOptions, startLanes, takeTurn } from './sender.ts'

export interface LoopOptions extends SenderOptions {
  /** How often runs are begun and ended. */
  runsMs: number
  eventsMs: number
  recountMs: number
  /** The sums of periods need not be as live as a run's progress. */
  statsMs: number
  reconcileMs: number
}

const LOOPS: LoopOptions = {
  ...SENDER,
  runsMs: 1_000,
  eventsMs: 500,
  recountMs: 2_000,
  statsMs: 10_000,
  reconcileMs: 15_000,
}

/**
 * Everything that moves messages, run by every worker process: lanes that send, and loops that begin and end runs, work off what gateways
 * told, ask about what was lost sight of, and count. Any number of processes may. @returns stops it, once what is in hand is recorded
 */
export function startSender(services: Services, options: Partial<LoopOptions> = {}): () => Promise<void> {
  const { runsMs, eventsMs, recountMs, statsMs, reconcileMs, ...lanes } = { ...LOOPS, ...options }
  const { gate } = services.pools
  const stops = [
    startLanes(services, lanes),
    repeat(services, 'beginning and ending runs', runsMs, async () => {
      await turnRuns(gate, services.now())
      return false
    }),
    repeat(services, 'working off what gateways told', eventsMs, async () => (await workOffEvents(services)) > 0),
    repeat(services, 'asking about lost messages', reconcileMs, async () => {
      const woken = await wakeForgotten(gate, services.now())
      if (woken > 0) services.log.warn({ batches: woken }, 'queued messages that no sender would have looked at')
      await reconcile(services)
      return false
    }),
    repeat(services, 'counting messages', recountMs, async () => {
      await recountDue(services)
      return false
    }),
    repeat(services, 'counting messages of periods', statsMs, async () => {
      await recountDueStats(services)
      return false
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/**
 * Moves everything that is due by the clock of `services`, in this one process, and works off what gateways told, and counts: for a world whose clock
 * is moved by hand. The loops must not run meanwhile.
 */
export async function sendDue(services: Services): Promise<void> {
  const worker = randomUUID()
  await turnRuns(services.pools.gate, services.now())
  for (const channel of CHANNELS) {
    while ((await takeTurn(services, channel, worker)) === 'sent');
  }
  while ((await workOffEvents(services)) > 0);
  await recountDue(services)
  await turnRuns(services.pools.gate, services.now())
}
