import { Filters } from '@pillar/contract/campaign/cohort'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { atEach } from '../../api/repeat.ts'
import { inScope } from '../../db/scope.ts'
import { countEligible } from './participant.queries.ts'
import { countedPlaces, trialsToCount } from './trial-count.queries.ts'

/**
 * Counts eligible patients for one trial, or for every trial that has not ended, at every pharmacy, even if some fail: each in a transaction
 * that sees only that pharmacy. May be interrupted at any point and run again.
 * @returns pharmacies counted. @throws the first failed pharmacy's error
 */
export async function countTrials(services: Pick<Services, 'pools' | 'log'>, trialId: number | null, now: Date) {
  const { pools, log } = services
  // A day early: in a zone further west a trial may end later.
  const since = formatDay(dayIn('UTC', now) - 1)
  const stored = await trialsToCount(pools.system, { trialId, since })
  const trials = stored.flatMap(({ id, md5, filters }) => {
    const parsed = Filters.safeParse(filters)
    if (parsed.success && cohortProblems(parsed.data).length === 0) return [{ id, md5, filters: parsed.data }]
    log.error({ trial: id }, 'the criteria of a trial cannot be counted')
    return []
  })
  if (trials.length === 0) return 0
  const places = await countedPlaces(pools.system)
  const failed = await atEach(
    { log },
    'patients could not be counted for trials',
    places,
    ({ id }) => ({ location: id }),
    ({ companyId, ...place }) =>
      inScope(pools.app, { companyId, locationIds: [place.id] }, async (tx) => {
        for (const trial of trials) await countEligible(tx, place, trial, now)
      }),
  )
  if (failed.length > 0) throw failed[0]
  return places.length
}

/** Counts one trial after it was written or changed, or all of them every night. */
export const countTrial = job({
  name: 'count-trials',
  payload: z.object({ trial_id: z.number().int().nullable() }),
  nightly: { trial_id: null },
  concurrency: () => 1,
  retries: 5,
  run: async ({ trial_id }, services) => void (await countTrials(services, trial_id, services.now())),
})
