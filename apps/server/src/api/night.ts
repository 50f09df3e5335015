import { formatDay } from '@pillar/domain/time/day'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { refuseDoubtfulTime } from '../db/clock.ts'
import type { Job, Services } from './context.ts'
import { repeat } from './repeat.ts'

/** How long after midnight a night's work begins. */
const AFTER_MIDNIGHT_MS = 2 * 3_600_000
const ASK_EVERY_MS = 3_600_000

/** The night whose work is due, by the day it falls on where the installation is: '2026-12-01' from two in the morning on. */
export const nightOf = ({ env, now }: Pick<Services, 'env' | 'now'>): string =>
  formatDay(dayIn(zoneOf(env.COUNTRY, null), new Date(now().getTime() - AFTER_MIDNIGHT_MS)))

/**
 * Enqueues the nightly jobs now and every hour, in every worker process. Each runs once a night, and is made up for after a night without a
 * worker. None is enqueued while the time is in doubt. @returns stops enqueueing
 */
export function startNights(services: Services, jobs: readonly Job[]): () => Promise<void> {
  const stops = jobs
    .filter(({ nightly }) => nightly !== undefined)
    .map((one) =>
      repeat(services, `asking for ${one.name}`, ASK_EVERY_MS, async () => {
        refuseDoubtfulTime(services)
        await services.queue.onceFor(nightOf(services), one, one.nightly)
      }),
    )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
