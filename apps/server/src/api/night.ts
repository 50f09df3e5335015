import { formatDay } from '@pillar/domain/time/day'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import type { Job, Services } from './context.ts'
import { repeat } from './repeat.ts'

/** The work of a night begins so long after midnight. */
const AFTER_MIDNIGHT_MS = 2 * 3_600_000
const ASK_EVERY_MS = 3_600_000

/** The night whose work is due: the day it belongs to where the installation is, '2026-12-01' from two in the morning on. */
export const nightOf = ({ env, now }: Pick<Services, 'env' | 'now'>): string =>
  formatDay(dayIn(zoneOf(env.COUNTRY, null), new Date(now().getTime() - AFTER_MIDNIGHT_MS)))

/**
 * Asks for the jobs of every night now and every hour, in every worker process: each is done once a night, and made up for after one without a
 * worker. @returns stops asking
 */
export function startNights(services: Services, jobs: readonly Job[]): () => Promise<void> {
  const stops = jobs
    .filter(({ nightly }) => nightly !== undefined)
    .map((one) =>
      repeat(services, `asking for ${one.name}`, ASK_EVERY_MS, () =>
        services.queue.nightly(one, one.nightly, nightOf(services)),
      ),
    )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
