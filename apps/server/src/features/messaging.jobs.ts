import { randomUUID } from 'node:crypto'
import { CHANNELS } from '@pillar/domain/consent/consent'
import type { Services } from '../api/context.ts'
import { repeat } from '../api/repeat.ts'
import { refuseDoubtfulTime } from '../db/clock.ts'
import { processEvents } from './inbound/events.ts'
import { skipCancelled } from './run/cancel/skip-cancelled.ts'
import { prepareOverlooked } from './run/prepare-run.jobs.ts'
import { advanceRuns, wakeOverlooked } from './sending/lease.queries.ts'
import { reconcile } from './sending/reconcile.ts'
import { recountQueued, recountQueuedStats } from './sending/recount.ts'
import { SENDER, type SenderOptions, sendBatch, startLanes } from './sending/sender.ts'

export interface LoopOptions extends SenderOptions {
  /** How often runs are started and ended. */
  runsMs: number
  eventsMs: number
  recountMs: number
  /** Statistics of periods need not be as current as a run's progress. */
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

/** What gateways report, each kind in a loop of its own. A STOP waits for other work at its pharmacy: those of other pharmacies need not. */
const EVENTS = [
  ...Array.from({ length: 3 }, () => ['consent', 'STOPs and complaints'] as const),
  ['replies', 'replies'],
  ['receipts', 'receipts'],
] as const

/**
 * Everything that moves messages, in every worker process: lanes that send, and loops that start and end runs, skip cancelled messages,
 * process gateway events, look up lost messages, and count. Any number of processes may run it.
 * @returns stops it, once the current work is recorded
 */
export function startSender(services: Services, options: Partial<LoopOptions> = {}): () => Promise<void> {
  const { runsMs, eventsMs, recountMs, statsMs, reconcileMs, ...lanes } = { ...LOOPS, ...options }
  const { system } = services.pools
  const stops = [
    startLanes(services, lanes),
    repeat(services, 'starting and ending runs', runsMs, async () => {
      refuseDoubtfulTime(services)
      await advanceRuns(system, services.now())
      return false
    }),
    repeat(services, 'skipping cancelled messages', runsMs, () => skipCancelled(services)),
    // Receipts of a large campaign take seconds for each thousand, and replies are stored one by one: a STOP waits for neither.
    ...EVENTS.map(([kind, what]) =>
      repeat(
        services,
        `processing ${what} of gateways`,
        eventsMs,
        async () => (await processEvents(services, kind)) > 0,
      ),
    ),
    repeat(services, 'asking about lost messages', reconcileMs, async () => {
      const woken = await wakeOverlooked(system, services.now())
      if (woken > 0) services.log.warn({ batches: woken }, 'queued messages that no sender would have looked at')
      const unwritten = await prepareOverlooked(services)
      if (unwritten > 0) services.log.warn({ runs: unwritten }, 'activated campaigns whose messages nobody was writing')
      await reconcile(services)
      return false
    }),
    repeat(services, 'counting messages', recountMs, async () => {
      await recountQueued(services)
      return false
    }),
    repeat(services, 'counting messages of periods', statsMs, async () => {
      await recountQueuedStats(services)
      return false
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/**
 * Sends everything that is due by the clock of `services` in this one process, processes gateway events, and counts: for a world whose
 * clock is moved by hand. The loops must not run meanwhile.
 */
export async function sendDue(services: Services): Promise<void> {
  const worker = randomUUID()
  await advanceRuns(services.pools.system, services.now())
  for (const channel of CHANNELS) {
    while ((await sendBatch(services, channel, worker)) === 'sent');
  }
  while ((await processEvents(services)) > 0);
  await recountQueued(services)
  await advanceRuns(services.pools.system, services.now())
}
