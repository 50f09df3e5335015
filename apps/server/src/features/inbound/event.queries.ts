import type { Channel } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { CONSENT_MARK, harmless, type StoredEvent, sealWhole } from '../../gateways/gateway-event.queries.ts'

/** An unprocessed gateway event. The consumer opens it, and checks it against GatewayEvent. */
export interface OpenEvent extends StoredEvent {
  id: number
  receivedAt: Date
}

/** STOPs, STARTs and complaints; receipts; other replies (and whatever is in no known form); or all. */
export type EventKind = 'consent' | 'receipts' | 'replies' | 'all'

/** As the index `gateway_event_receipt` has it. */
const IS_RECEIPT = sql`payload->>'kind' = 'receipt'`
const IS_CONSENT = sql`payload ? ${sql.lit(CONSENT_MARK)}`
/** As the index `gateway_event_reply` has it. */
const NO_RECEIPT = sql`(${IS_RECEIPT}) is not true`
const OF_KIND = {
  consent: sql`and ${NO_RECEIPT} and ${IS_CONSENT}`,
  receipts: sql`and ${IS_RECEIPT}`,
  // Also STOPs that the previous version stored, and the simulator's, which are not marked.
  replies: sql`and ${NO_RECEIPT} and not ${IS_CONSENT}`,
  all: sql``,
}

/**
 * Locks up to `count` open events of a kind, oldest first, skipping those of another worker. Among all, replies and complaints come before
 * receipts: while a large campaign is sent, thousands of receipts wait, and a patient who says STOP meanwhile must not be texted again.
 */
export async function lockEvents(system: Tx, count: number, kind: EventKind): Promise<OpenEvent[]> {
  const first = kind === 'all' ? sql`${IS_RECEIPT},` : sql``
  const { rows } = await sql<OpenEvent>`
    select id, gateway, event_id as "eventId", payload, payload_sealed as sealed, received_at as "receivedAt" from gateway_event
    where done_at is null ${OF_KIND[kind]} order by ${first} id limit ${count} for update skip locked`.execute(system)
  return rows
}

/**
 * Marks events as done. Used events keep only what names a message: who wrote what is stored with the reply and in the consent log.
 * Unusable ones keep everything, sealed once contacts are, and the reason.
 */
export async function finishEvents(
  system: Tx,
  keys: Keys,
  ends: readonly { event: OpenEvent; failure: string | null }[],
  now: Date,
): Promise<void> {
  if (ends.length === 0) return
  const ids = ends.map(({ event }) => event.id)
  await sql`
    update gateway_event e set done_at = ${now}, failure = v.failure,
      payload = case when v.failure is null then ${HARMLESS} else e.payload end,
      payload_sealed = case when v.failure is not null then e.payload_sealed end
    from unnest(${ids}::bigint[], ${ends.map(({ failure }) => failure)}::text[]) as v(id, failure)
    where e.id = v.id`.execute(system)
  await sealWhole(
    system,
    keys,
    ends.filter(({ event, failure }) => failure !== null && event.sealed === null).map(({ event }) => event),
  )
}

const HARMLESS = harmless(sql`e.payload`)

/** Shortens up to `limit` used events that the previous version left whole. @returns how many */
export async function shortenEvents(system: Database, limit: number): Promise<number> {
  const done = await sql`
    update gateway_event e set payload = ${HARMLESS} where id = any(array(
      select id from gateway_event
      where done_at is not null and failure is null and payload ?| array['from', 'to', 'text', 'reason', 'gatewayRef']
      order by id limit ${limit} for update skip locked))`.execute(system)
  return Number(done.numAffectedRows ?? 0)
}

/** The companies of these pharmacies; unknown ones are left out. */
export async function companiesOf(system: Tx, locationIds: readonly number[]): Promise<Map<number, number>> {
  if (locationIds.length === 0) return new Map()
  const rows = await system
    .selectFrom('location')
    .select(['id', 'company_id'])
    .where('id', 'in', [...locationIds])
    .execute()
  return new Map(rows.map((row) => [row.id, row.company_id]))
}

/** The uuid of the run of a message in the ledger; undefined if there is no such message on that channel. */
export async function runOfMessage(
  tx: Tx,
  locationId: number,
  id: number,
  channel: Channel,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('message as m')
    .innerJoin('message_run as r', 'r.id', 'm.run_id')
    .select('r.uuid')
    .where('m.location_id', '=', locationId)
    .where('m.id', '=', id)
    .where('m.channel', '=', channel)
    .executeTakeFirst()
  return row?.uuid
}
