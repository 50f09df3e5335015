import { z } from 'zod'
import { job } from '../../api/queue.ts'
import { atEach } from '../../api/repeat.ts'
import { inScope } from '../../db/scope.ts'
import { companyLocationIds, recountRecommendations, uncountedPlaces } from './patient-count.queries.ts'

/**
 * Counts recommended campaigns at a company's pharmacies that have not been counted, even if some fail. After an upload each pharmacy counts
 * its own, but a recommendation that support adds or changes should not wait for the next upload.
 */
export const countRecommendations = job({
  name: 'count-recommendations',
  payload: z.object({ company_id: z.number().int() }),
  concurrency: () => 1,
  retries: 3,
  once: true,
  async run({ company_id: companyId }, { pools, now, log }) {
    const locationIds = await inScope(pools.app, { companyId, locationIds: [] }, companyLocationIds)
    const places = await inScope(pools.app, { companyId, locationIds }, uncountedPlaces)
    const failed = await atEach(
      { log },
      'recommended campaigns could not be counted',
      places,
      ({ id }) => ({ location: id }),
      (place) =>
        inScope(pools.app, { companyId, locationIds: [place.id] }, (tx) => recountRecommendations(tx, place, now())),
    )
    if (failed.length > 0) throw failed[0]
  },
})
