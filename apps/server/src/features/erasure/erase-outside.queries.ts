import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { openEvent, type StoredEvent } from '../../gateways/gateway-event.queries.ts'

/** What gateways, the simulator and files to be fetched hold of a contact. In a transaction of the system; doing it again changes nothing. */
export async function eraseOutside(
  system: Tx,
  keys: Keys,
  { contacts, locationIds }: { contacts: readonly string[]; locationIds: readonly number[] },
): Promise<void> {
  const found = contacts.map((one) => one.replace(/^\+/, ''))
  const sealed = await sealedEvents(system, keys)
  const tells = sealed.filter(({ text }) => found.some((one) => text.includes(one))).map(({ id }) => id)
  await sql`delete from gateway_event where id = any(${tells}::bigint[])`.execute(system)
  await sql`
    delete from gateway_event e using unnest(${found}::text[]) as c(contact) where strpos(e.payload::text, c.contact) > 0`.execute(
    system,
  )
  await sql`
    delete from simulator_message s using unnest(${found}::text[]) as c(contact) where strpos(s.recipient, c.contact) > 0`.execute(
    system,
  )
  await sql`delete from report_file where location_id = any(${[...locationIds]}::bigint[])`.execute(system)
}

/** Every event that is kept sealed, opened, in small letters: those that wait, and those that could not be used. */
async function sealedEvents(system: Tx, keys: Keys): Promise<{ id: number; text: string }[]> {
  const { rows } = await sql<StoredEvent & { id: number }>`
    select id, gateway, event_id as "eventId", payload, payload_sealed as sealed from gateway_event where payload_sealed is not null`.execute(
    system,
  )
  return Promise.all(
    rows.map(async ({ id, ...row }) => ({ id, text: JSON.stringify(await openEvent(keys, row)).toLowerCase() })),
  )
}
