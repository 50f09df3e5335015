import type { Database } from '../../db/database.ts'
import { zoneOfZip } from './gazetteer.ts'
import { americanClocks, correctClock } from './location.queries.ts'

/**
 * Sets American pharmacies right whose clock follows how their state was written, as until 27 November 2026: a Californian one without _CA_ had
 * New York's, and its patients were texted three hours early. At every start; once they are right there is nothing to do.
 */
export async function correctAmericanClocks(
  system: Database,
  log: { warn: (about: object, what: string) => void },
): Promise<void> {
  for (const { id, postcode, time_zone: was } of await americanClocks(system)) {
    const is = zoneOfZip(postcode)
    if (is === null || is === was || !(await correctClock(system, id, { was, is }))) continue
    log.warn({ location: id, was, is }, 'a pharmacy goes by the clock of its ZIP code from now on')
  }
}
