import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import type { GatewayEvent } from './gateway.ts'

/**
 * Keeps what a gateway told, for the ledger to process. The same news (gateway and event id) told again changes nothing.
 * The payload is the GatewayEvent whole. @returns how many were new
 */
export async function insertGatewayEvents(
  db: Database | Tx,
  gateway: string,
  events: readonly GatewayEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  const ids = events.map((event) => event.id)
  const payloads = events.map((event) => JSON.stringify(event))
  const written = await sql`
    insert into gateway_event (gateway, event_id, payload)
    select ${gateway}, id, payload::jsonb from unnest(${ids}::text[], ${payloads}::text[]) as told (id, payload)
    on conflict (gateway, event_id) do nothing`.execute(db)
  return Number(written.numAffectedRows ?? 0)
}
