import type { Database } from '../../db/database.ts'
import { otherStateProblem } from './gazetteer.ts'
import { pharmaciesWithState } from './location.queries.ts'

/**
 * Names in the log, at every start, the pharmacies that were saved with another state than their postcode's before that was refused. Which of the
 * two is right only somebody who knows the pharmacy can say.
 */
export async function warnOfOtherStates(
  system: Database,
  log: { warn: (about: object, what: string) => void },
): Promise<void> {
  for (const { id, ...place } of await pharmaciesWithState(system))
    if (otherStateProblem(place)) log.warn({ location: id, postcode: place.postcode, state: place.region }, CONTRADICTS)
}

const CONTRADICTS =
  'the state of a pharmacy is not that of its postcode, and its patients may be texted by the clock of another state; please correct its address'
