import { replyKind } from '@pillar/domain/message/stop-words'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { rowName, SEALED } from '../db/field/columns.ts'
import { sealField } from '../db/field/envelope.ts'
import { KeysAway } from '../db/field/key-file.ts'
import type { Keys } from '../db/field/key-ring.ts'
import type { GatewayEvent } from './gateway.ts'

const { name: COLUMN } = SEALED.gatewayEvent

/** An event as it is stored. */
export interface StoredEvent {
  gateway: string
  eventId: string
  /** The whole event, or if that is sealed, only the parts that identify nobody. */
  payload: unknown
  sealed: Buffer | null
}

/** The parts of an event (its `payload`) that identify nobody. */
export const harmless = (payload: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_strip_nulls(jsonb_build_object('kind', ${payload}->'kind', 'at', ${payload}->'at', 'reference', ${payload}->'reference',
    'status', ${payload}->'status'))`

/** Marks events that change consent, in the plain part, so that they are found without opening those that wait before them. */
export const CONSENT_MARK = 'consent'

const changesConsent = (event: GatewayEvent): boolean =>
  event.kind === 'complaint' ||
  (event.kind === 'reply' && (event.optedOut === true || ['stop', 'start'].includes(replyKind(event.text))))

/** The event the gateway sent. @throws AlteredField if it is not what was sealed */
export async function openEvent(keys: Keys, { gateway, eventId, payload, sealed }: StoredEvent): Promise<unknown> {
  return sealed ? JSON.parse(await keys.open(COLUMN, rowName(gateway, eventId), sealed)) : payload
}

/** Whole events, sealed, in their order; nulls if they are to be stored plain. */
async function sealEvents(
  keys: Keys,
  events: readonly Pick<StoredEvent, 'gateway' | 'eventId' | 'payload'>[],
): Promise<(Buffer | null)[]> {
  const key = await keys.writing(COLUMN)
  return events.map(
    ({ gateway, eventId, payload }) => key && sealField(key, rowName(gateway, eventId), JSON.stringify(payload)),
  )
}

/**
 * Stores a gateway's events for the ledger to process. A repeated event (same gateway and event id) changes nothing. The GatewayEvent is
 * stored whole, sealed once contacts are.
 * @param received now, or then: at their own time, for those that an operator enters later
 * @returns how many were new
 */
export async function insertGatewayEvents(
  db: Database | Tx,
  keys: Keys,
  gateway: string,
  events: readonly GatewayEvent[],
  received: 'now' | 'then' = 'now',
): Promise<number> {
  if (events.length === 0) return 0
  const ids = events.map((event) => event.id)
  const entries = events.map((event) => ({ gateway, eventId: event.id, payload: event }))
  // Without available keys it is stored plain until it is processed: a STOP must not be lost.
  const sealed = await sealEvents(keys, entries).catch((error) => {
    if (error instanceof KeysAway) return events.map(() => null)
    throw error
  })
  // For a sealed event the database sees no more than its plain part.
  const payloads = events.map((event, at) => {
    const visible = sealed[at] ? withoutPeople(event) : event
    return JSON.stringify(changesConsent(event) ? { ...visible, [CONSENT_MARK]: true } : visible)
  })
  const written = await sql`
    insert into gateway_event (gateway, event_id, payload, payload_sealed, received_at)
    select ${gateway}, id, payload::jsonb, sealed, case when ${received === 'then'} then at else now() end
    from unnest(${ids}::text[], ${payloads}::text[], ${sealed}::bytea[], ${events.map(({ at }) => at)}::timestamptz[])
      as n (id, payload, sealed, at)
    on conflict (gateway, event_id) do nothing`.execute(db)
  return Number(written.numAffectedRows ?? 0)
}

/** Seals events that are stored whole; leaves them as they are if contacts are not sealed. */
export async function sealWhole(
  system: Tx,
  keys: Keys,
  events: readonly (Omit<StoredEvent, 'sealed'> & { id: number })[],
): Promise<void> {
  if (events.length === 0) return
  const sealed = await sealEvents(keys, events)
  if (sealed.includes(null)) return
  await sql`
    update gateway_event e set payload = ${harmless(sql`e.payload`)}, payload_sealed = v.sealed
    from unnest(${events.map(({ id }) => id)}::bigint[], ${sealed}::bytea[]) as v(id, sealed) where e.id = v.id`.execute(
    system,
  )
}

/** Events per transaction. */
const CHUNK = 500

/**
 * After an installation was switched over: seals the next open and unusable events after an id. The simulator's, which come from a table
 * that stays plain, are open only for a moment. @returns the last one's id; null if there was none
 */
export async function fillEvents(system: Tx, keys: Keys, after: number): Promise<number | null> {
  const { rows } = await sql<Omit<StoredEvent, 'sealed'> & { id: number }>`
    select id, gateway, event_id as "eventId", payload from gateway_event
    where id > ${after} and payload_sealed is null and (done_at is null or failure is not null)
    order by id limit ${CHUNK} for update`.execute(system)
  await sealWhole(system, keys, rows)
  return rows.at(-1)?.id ?? null
}

/** The counterpart of `harmless`. */
const withoutPeople = (event: GatewayEvent) => {
  const { kind, at } = event
  if (event.kind === 'reply') return { kind, at }
  const { reference } = event
  return event.kind === 'receipt' ? { kind, at, reference, status: event.status } : { kind, at, reference }
}
