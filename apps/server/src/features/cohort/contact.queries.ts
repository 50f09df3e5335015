import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export interface WrittenContact {
  id: number
  mobile: string | null
  email: string | null
}

/** What a pharmacy wrote down of a patient's contacts, as one text, to see changes. */
const SOURCE = sql`concat(p.mobile, chr(31), p.email)`

/** Patients after `afterId`, in order of their ids, whose contacts have changed since they were last resolved; at most `limit`. */
export async function changedContacts(
  tx: Tx,
  locationId: number,
  afterId: number,
  limit: number,
): Promise<WrittenContact[]> {
  const { rows } = await sql<WrittenContact>`
    select p.id, p.mobile, p.email from patient p
    where p.location_id = ${locationId} and p.id > ${afterId} and p.contact_source is distinct from ${SOURCE}
    order by p.id limit ${limit}`.execute(tx)
  return rows
}

/** Keeps where messages to these patients go. */
export async function saveContacts(
  tx: Tx,
  locationId: number,
  contacts: readonly { id: number; sms_to: string | null; email_to: string | null }[],
): Promise<void> {
  await sql`
    update patient p set sms_to = n.sms_to, email_to = n.email_to, contact_source = ${SOURCE}
    from unnest(${contacts.map((one) => one.id)}::bigint[], ${contacts.map((one) => one.sms_to)}::text[],
                ${contacts.map((one) => one.email_to)}::text[]) as n(id, sms_to, email_to)
    where p.location_id = ${locationId} and p.id = n.id`.execute(tx)
}
