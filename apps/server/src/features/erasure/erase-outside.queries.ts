import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { AlteredField } from '../../db/field/envelope.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { CONSENT_MARK, openEvent, type StoredEvent } from '../../gateways/gateway-event.queries.ts'

/** Sealed events opened at a time; others get their turn in between. */
const CHUNK = 500

/** A STOP or complaint that is still to be carried out may be of somebody else with the contact, also at another company. */
const WAITS = sql`(done_at is null and payload ? ${sql.lit(CONSENT_MARK)})`

/**
 * Erases a contact from gateway events, the simulator and files to be downloaded. In a transaction of the system; repeating it changes
 * nothing. Events that change consent stay until they have been processed, and it does not wait for those being processed.
 * @returns events that did not open, which may name the person for as long as they are kept
 */
export async function eraseOutside(
  system: Tx,
  keys: Keys,
  { contacts, locationIds }: { contacts: readonly string[]; locationIds: readonly number[] },
): Promise<number> {
  const found = contacts.map((one) => one.replace(/^\+/, ''))
  // The plain ones first: one sealed meanwhile is then among the sealed ones.
  await sql`
    delete from gateway_event e using unnest(${found}::text[]) as c(contact)
    where strpos(e.payload::text, c.contact) > 0 and not ${WAITS}`.execute(system)
  const closed = await eraseSealed(system, keys, found)
  await sql`
    delete from simulator_message s using unnest(${found}::text[]) as c(contact) where strpos(s.recipient, c.contact) > 0`.execute(
    system,
  )
  await sql`delete from report_file where location_id = any(${[...locationIds]}::bigint[])`.execute(system)
  return closed
}

/**
 * Deletes sealed events that name one of these contacts, open and unusable ones, except those that wait to change consent.
 * @returns how many did not open
 */
async function eraseSealed(system: Tx, keys: Keys, contacts: readonly string[]): Promise<number> {
  let closed = 0
  for (let after: number | null = 0; after !== null; ) {
    const { rows } = await sql<StoredEvent & { id: number }>`
      select id, gateway, event_id as "eventId", payload, payload_sealed as sealed from gateway_event
      where payload_sealed is not null and not ${WAITS} and id > ${after} order by id limit ${sql.lit(CHUNK)}`.execute(
      system,
    )
    const tells: number[] = []
    for (const { id, ...event } of rows) {
      const text = await openEvent(keys, event).then(JSON.stringify, (error) => {
        if (error instanceof AlteredField) return null
        throw error
      })
      if (text === null) closed++
      else if (contacts.some((one) => text.toLowerCase().includes(one))) tells.push(id)
    }
    if (tells.length > 0) await sql`delete from gateway_event where id = any(${tells}::bigint[])`.execute(system)
    after = rows.at(-1)?.id ?? null
    await breathe()
  }
  return closed
}
