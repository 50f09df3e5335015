import type { Channel } from '@pillar/domain/consent/consent'
import type { Tx } from '../../db/database.ts'
import { contactSpellings, openContact } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { patientsWithNumber } from './number-holder.queries.ts'

interface Recipient {
  patient_id: number
  contact: string | null
}

/** Whether the link's whole channel has already ended for a patient. */
interface Addressee {
  patientId: number
  out: boolean
}

/** Who got a message, and at which number or address; undefined if there is no such message on that channel. */
export async function readRecipient(
  tx: Tx,
  keys: Keys,
  locationId: number,
  messageId: number,
  channel: Channel,
): Promise<Recipient | undefined> {
  const row = await tx
    .selectFrom('message')
    .select(['patient_id', 'contact'])
    .where('location_id', '=', locationId)
    .where('id', '=', messageId)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return row && { ...row, contact: await openContact(tx, keys, row.contact) }
}

/**
 * Whom unsubscribing an address affects: the recipient, and every other patient of the pharmacy whose email goes to the same address, as
 * with STOP; in order of id, each with whether all its email has ended already.
 */
export async function addressees(tx: Tx, keys: Keys, locationId: number, recipient: Recipient): Promise<Addressee[]> {
  const spellings = recipient.contact === null ? [] : await contactSpellings(tx, keys, recipient.contact)
  const rows = await tx
    .selectFrom('patient as p')
    .leftJoin('consent as c', (join) =>
      join.onRef('c.location_id', '=', 'p.location_id').onRef('c.patient_id', '=', 'p.id'),
    )
    .select(['p.id', 'c.email_health_outreach', 'c.email_marketing'])
    .where('p.location_id', '=', locationId)
    .where((where) =>
      where.or([
        where('p.id', '=', recipient.patient_id),
        ...(spellings.length === 0 ? [] : [where('p.email_to', 'in', spellings)]),
      ]),
    )
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    patientId: row.id,
    out: row.email_health_outreach === 'out' && row.email_marketing === 'out',
  }))
}

/**
 * Whom a text's link affects: the recipient, and everyone a STOP from that number would; in order of id, each with whether all its texts
 * have ended already.
 */
export async function numberHolders(
  tx: Tx,
  keys: Keys,
  locationId: number,
  recipient: Recipient,
): Promise<Addressee[]> {
  const holders = recipient.contact === null ? [] : await patientsWithNumber(tx, keys, locationId, recipient.contact)
  const ids = [...new Set([...holders, recipient.patient_id])].sort((a, b) => a - b)
  const rows = await tx
    .selectFrom('consent')
    .select('patient_id')
    .where('location_id', '=', locationId)
    .where('patient_id', 'in', ids)
    .where('sms_health_outreach', '=', 'out')
    .where('sms_marketing', '=', 'out')
    .execute()
  const out = new Set(rows.map((row) => row.patient_id))
  return ids.map((patientId) => ({ patientId, out: out.has(patientId) }))
}
