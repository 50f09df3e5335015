import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { contactSource, openWholeWritten, type StoredWritten, WRITTEN, writtenOf } from '../../db/field/written.ts'

export interface WrittenContact {
  id: number
  mobile: string | null
  email: string | null
  /** The source they were read from, to detect changes. */
  source: string
  /** Whether one of them does not open: it counts as missing until the pharmacy writes it again. */
  altered: boolean
}

/** Forces all contacts of a pharmacy to be resolved again if that was last done by older rules, and records the current rules. */
export async function takeRules(tx: Tx, locationId: number, rules: number): Promise<void> {
  const older = await sql`
    update location set contact_rules = ${rules} where id = ${locationId} and contact_rules < ${rules}`.execute(tx)
  if ((older.numAffectedRows ?? 0n) === 0n) return
  await sql`
    update patient set contact_source = null where location_id = ${locationId} and id in (
      select p.id from patient p where p.location_id = ${locationId} and p.contact_source is not null order by p.id for update)`.execute(
    tx,
  )
}

/** Patients after `afterId`, in order of id, whose contacts have changed since they were last resolved; at most `limit`. */
export async function changedContacts(
  tx: Tx,
  keys: Keys,
  { locationId, afterId, limit }: { locationId: number; afterId: number; limit: number },
): Promise<WrittenContact[]> {
  const { rows } = await sql<StoredWritten & Pick<WrittenContact, 'id' | 'source'>>`
    select p.id, ${contactSource('p')} as source, ${writtenOf('p')} from patient p
    where p.location_id = ${locationId} and p.id > ${afterId} and p.contact_source is distinct from ${contactSource('p')}
    order by p.id limit ${limit}`.execute(tx)
  return Promise.all(
    rows.map(async (row) => {
      const opened = await openWholeWritten(keys, row)
      const altered = WRITTEN.some((which) => opened[which] === null && row[`${which}_sealed`] !== null)
      return { ...opened, altered }
    }),
  )
}

/**
 * Stores the resolved contacts of these patients, except those whose contacts have changed since they were read. A patient with one that
 * does not open is checked again after the next upload. @returns how many it stored
 */
export async function saveContacts(
  tx: Tx,
  locationId: number,
  contacts: readonly (Pick<WrittenContact, 'id' | 'source' | 'altered'> & {
    sms_to: string | null
    email_to: string | null
  })[],
): Promise<number> {
  const done = await sql`
    update patient p set sms_to = n.sms_to, email_to = n.email_to,
      sms_gone_at = case when p.sms_to = n.sms_to then p.sms_gone_at end,
      email_gone_at = case when p.email_to = n.email_to then p.email_gone_at end, contact_source = case when not n.altered then n.source end
    from unnest(${contacts.map((one) => one.id)}::bigint[], ${contacts.map((one) => one.source)}::text[],
                ${contacts.map((one) => one.sms_to)}::text[], ${contacts.map((one) => one.email_to)}::text[],
                ${contacts.map((one) => one.altered)}::boolean[])
      as n(id, source, sms_to, email_to, altered)
    where p.location_id = ${locationId} and p.id = n.id and ${contactSource('p')} = n.source`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}
