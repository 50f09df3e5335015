import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { openContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'

/** Longer than the longest frequency limit. */
const KEPT_DAYS = 32

/**
 * Recent messages to these contacts, in stored form, over all pharmacies of the company, in epoch milliseconds. The rows, created if
 * missing, stay locked until the transaction ends; all senders lock them in the same order.
 */
export async function lockHistory(
  tx: Tx,
  keys: Keys,
  companyId: number,
  contacts: readonly string[],
): Promise<Map<string, number[]>> {
  const stored = [...new Set(contacts)]
  if (stored.length === 0) return new Map()
  const { state, filled } = await keys.contacts()
  const older = state === 'plain' || filled ? new Map<string, string>() : await openContacts(tx, keys, stored)
  // While a process that does not know of the switch may still run, this locks what that process locks as well.
  const wanted = [...stored, ...(state === 'both' ? older.values() : [])].sort()
  await sql`
    insert into contact_history (company_id, contact)
    select ${companyId}, c from unnest(${wanted}::text[]) with ordinality as t(c, n) order by n
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ contact: string; sent: Date[] }>`
    select contact, sent from contact_history where company_id = ${companyId} and contact = any(${[...stored, ...older.values()]}::text[])
    order by contact collate "C" for update`.execute(tx)
  const sent = new Map(rows.map((row) => [row.contact, row.sent.map((at) => at.getTime())]))
  const of = (one: string | undefined) => (one === undefined ? [] : (sent.get(one) ?? []))
  return new Map(stored.map((one) => [one, older.get(one) === one ? of(one) : [...of(older.get(one)), ...of(one)]]))
}

/** Adds one message at `at` for each of these contacts (two for one listed twice), and deletes those no limit needs any more. */
export async function addHistory(tx: Tx, companyId: number, contacts: readonly string[], at: Date): Promise<void> {
  if (contacts.length === 0) return
  // Every row exists and is locked, so the upsert always finds it by its key.
  await sql`
    insert into contact_history as h (company_id, contact, sent)
    select ${companyId}, c, array_fill(${at}::timestamptz, array[count(*)::int]) from unnest(${[...contacts]}::text[]) c group by c
    on conflict (company_id, contact) do update
      set sent = array(select s from unnest(h.sent) s where s > ${at}::timestamptz - make_interval(days => ${sql.lit(KEPT_DAYS)}))
                 || excluded.sent`.execute(tx)
}

/** Removes messages that were never sent: one at `at` for each time a contact is listed. */
export async function removeHistory(
  tx: Tx,
  keys: Keys,
  companyId: number,
  entries: readonly { contact: string; at: Date }[],
): Promise<void> {
  if (entries.length === 0) return
  const contacts = entries.map((entry) => entry.contact)
  await lockHistory(tx, keys, companyId, contacts)
  await sql`
    with gone as (select * from unnest(${contacts}::text[], ${entries.map((entry) => entry.at)}::timestamptz[]) as t(contact, at))
    update contact_history h
    set sent = array(select s from unnest(h.sent) s except all select g.at from gone g where g.contact = h.contact)
    where h.company_id = ${companyId} and h.contact in (select contact from gone)`.execute(tx)
}
