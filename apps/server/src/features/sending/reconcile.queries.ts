import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { openWholeContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import type { Channel } from './lease.queries.ts'

/**
 * For a message `m`: nobody is sending it any more and its next look-up is due. A time hours ahead, further than any wait, was written
 * while the database's clock was wrong, before it was set back.
 */
const isLost = sql<boolean>`m.state in ('sending', 'unknown')
  and (m.lease_until < clock_timestamp() or m.lease_until > clock_timestamp() + interval '2 hours')`

/** A pharmacy with messages in unknown state. */
export interface LostPlace {
  locationId: number
  companyId: number
}

/** Pharmacies with unresolved messages: in progress beyond the lease, or unknown and due for a look-up. */
export async function lostPlaces(system: Database): Promise<LostPlace[]> {
  const { rows } = await sql<LostPlace>`
    select distinct b.location_id as "locationId", b.company_id as "companyId"
    from message m join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where ${isLost}`.execute(system)
  return rows
}

export interface LostMessage {
  id: number
  runId: number
  runUuid: string
  channel: Channel
  /** The gateway it was given to. */
  gateway: string | null
  /** Null if it was erased or does not open: then nobody can ask about it. */
  contact: string | null
  attempts: number
  /** Time of the claim. */
  plannedAt: Date
  firstAt: Date
}

/** Takes up to `count` unresolved messages of a pharmacy: they become `unknown`, and nobody else looks them up for a minute. */
export async function takeLost(tx: Tx, keys: Keys, locationId: number, count: number): Promise<LostMessage[]> {
  const { rows } = await sql<LostMessage & { contact: string }>`
    update message m set state = 'unknown', lease_until = clock_timestamp() + interval '60 seconds'
    from (select m.id from message m where m.location_id = ${locationId} and ${isLost}
          order by m.id limit ${count} for update skip locked) lost, message_run r
    where m.location_id = ${locationId} and m.id = lost.id and r.id = m.run_id
    returning m.id, m.run_id as "runId", r.uuid as "runUuid", m.channel, m.gateway, m.contact, m.attempts, m.planned_at as "plannedAt",
      case when m.attempts > 1 then m.created_at else m.planned_at end as "firstAt"`.execute(tx)
  const opened = await openWholeContacts(
    tx,
    keys,
    rows.map(({ contact }) => contact),
  )
  return rows.map((row) => ({ ...row, contact: opened.get(row.contact) ?? null }))
}
