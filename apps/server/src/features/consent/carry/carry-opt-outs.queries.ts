import { optOutOf } from '@pillar/domain/consent/consent'
import { uuidFrom } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import { recordConsent } from '../consent-log.queries.ts'
import { CARRIED, CARRIED_FROM_REMOVED, type Carried, entriesToCarry } from './carried.queries.ts'
import { entriesOfRemoved } from './removed.queries.ts'

/**
 * Copies the opt-outs of a pharmacy's records to its other records with the same number, address or person, with their own time: dispensing
 * systems are replaced and give patients new numbers, and many hold somebody twice. Those of the company's removed pharmacies are copied
 * too. What somebody said later about a record still wins. Consent is never carried. An entry is carried to a record once.
 * @returns how many entries were added
 */
export async function carryOptOuts(tx: Tx, locationId: number, now: Date): Promise<number> {
  const own = await carry(tx, locationId, CARRIED, await entriesToCarry(tx, locationId, null), now)
  return own + (await carry(tx, locationId, CARRIED_FROM_REMOVED, await entriesOfRemoved(tx, locationId), now))
}

/** The same for what one patient of the pharmacy said. */
export async function carryAnswers(tx: Tx, locationId: number, now: Date, donor: number): Promise<number> {
  return carry(tx, locationId, CARRIED, await entriesToCarry(tx, locationId, donor), now)
}

async function carry(
  tx: Tx,
  locationId: number,
  source: string,
  entries: readonly Carried[],
  now: Date,
): Promise<number> {
  let added = 0
  for (const { patientId, uuid, event, wording } of entries) {
    const said = optOutOf(event)
    if (!said) continue
    const entry = { locationId, patientId, at: new Date(event.at), event: said, wording, source }
    const done = await recordConsent(tx, { ...entry, uuid: uuidFrom(source, uuid, locationId, patientId) }, now)
    if (done.entryId !== null) added++
  }
  return added
}
