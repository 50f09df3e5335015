import { optOutOf } from '@pillar/domain/consent/consent'
import { uuidFrom } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import { recordConsent } from '../consent-log.queries.ts'
import { CARRIED, entriesToCarry } from './carried.queries.ts'

/**
 * Copies the opt-outs of a pharmacy's records to its other records with the same number, address or person, with their own time: dispensing
 * systems are replaced and give patients new numbers, and many hold somebody twice. What somebody said later about a record still wins.
 * Consent is never carried. An entry is carried to a record once.
 * @param donor only opt-outs of this patient @returns how many entries were added
 */
export async function carryOptOuts(
  tx: Tx,
  locationId: number,
  now: Date,
  donor: number | null = null,
): Promise<number> {
  let added = 0
  for (const { patientId, uuid, event, wording } of await entriesToCarry(tx, locationId, donor)) {
    const said = optOutOf(event)
    if (!said) continue
    const entry = { locationId, patientId, at: new Date(event.at), event: said, wording, source: CARRIED }
    const done = await recordConsent(tx, { ...entry, uuid: uuidFrom(CARRIED, uuid, locationId, patientId) }, now)
    if (done.entryId !== null) added++
  }
  return added
}
