import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { storedContacts } from '../../../db/field/contact.ts'
import type { Keys } from '../../../db/field/key-ring.ts'
import { contactSource } from '../../../db/field/written.ts'

/** A link's message and its pharmacy. */
interface LinkedMessage {
  locationId: number
  messageId: number | null
}

/**
 * Whether a message's number or address still belongs to its patient. If not, another person may have it now: a link of that message then
 * shows nothing and accepts no answer.
 */
export async function isStillTheirs(tx: Tx, keys: Keys, { locationId, messageId }: LinkedMessage): Promise<boolean> {
  const { rows } = await sql<{ then: string | null; now: string | null }>`
    select m.contact as then,
      -- Until what an upload has changed is worked out, nobody knows.
      case when p.contact_source <> ${contactSource('p')} then null when m.channel = 'sms' then p.sms_to else p.email_to end as now
    from message m join patient p on p.location_id = m.location_id and p.id = m.patient_id
    where m.location_id = ${locationId} and m.id = ${messageId}`.execute(tx)
  const { then = null, now = null } = rows[0] ?? {}
  if (then === null || now === null) return false
  const stored = await storedContacts(tx, keys, [then, now])
  return stored.get(then) === stored.get(now)
}
