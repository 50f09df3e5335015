import { hasZone } from '@pillar/domain/time/zone'
import type { Database } from '../../db/database.ts'
import { stateInAmerica, zoneOfZip } from './gazetteer.ts'
import { americanPharmacies, correctClock, correctState } from './location.queries.ts'

/**
 * Corrects American pharmacies whose clock was chosen by the spelling of their state: a Californian one whose state was not written as _CA_
 * had New York's, and its patients were texted three hours early. Corrects the state too if it is missing or not written as two letters: the
 * pharmacy was in no state, or in one of its own. Runs at every start; does nothing once they are correct. Where neither the
 * ZIP code nor the state tells the clock, it may still be wrong, and the log names the pharmacy.
 */
export async function correctAmericanPharmacies(
  system: Database,
  log: { warn: (about: object, what: string) => void },
): Promise<void> {
  for (const { id, postcode, region, removed_at, time_zone: was } of await americanPharmacies(system)) {
    const state = stateInAmerica(region, postcode)
    if (state !== null && state !== region && (await correctState(system, id, { was: region, is: state })))
      log.warn({ location: id, was: region, is: state }, 'a pharmacy is in the state of its ZIP code from now on')
    const is = zoneOfZip(postcode)
    if (is === null && removed_at === null && !hasZone('US', region)) log.warn({ location: id, clock: was }, UNKNOWN)
    if (is === null || is === was || !(await correctClock(system, id, { was, is }))) continue
    log.warn({ location: id, was, is }, 'a pharmacy goes by the clock of its ZIP code from now on')
  }
}

const UNKNOWN =
  'the clock of a pharmacy is a guess: its ZIP code is not known, and its state is not written as two letters; please correct its address, or its patients are texted at night'
