import { z } from 'zod'
import { job } from '../../api/queue.ts'
import { inScope } from '../../db/scope.ts'
import { markDeaths } from '../cohort/fact/fact-deaths.queries.ts'
import { lockFacts } from '../cohort/fact/facts.queries.ts'
import { renewPeople } from './people.queries.ts'

/**
 * Redetermines which of a pharmacy's records belong to the same person, after it came from another company, was removed and restored, or
 * shared people with such a pharmacy. Then updates whom the company's cohorts hold back because of a death at another pharmacy.
 */
export const renewPeopleOf = job({
  name: 'renew-people',
  payload: z.object({ location_id: z.number().int(), company_id: z.number().int() }),
  concurrency: () => 1,
  retries: 5,
  again: true,
  async run({ location_id: locationId, company_id: companyId }, { pools, secret, keys }) {
    const scope = { companyId, locationIds: [locationId] }
    await inScope(pools.app, scope, (tx) =>
      renewPeople(tx, { secret, keys, system: pools.system }, { locationId, companyId }),
    )
    await inScope(pools.app, scope, async (tx) => {
      await lockFacts(tx)
      await markDeaths(tx, locationId)
    })
  },
})
