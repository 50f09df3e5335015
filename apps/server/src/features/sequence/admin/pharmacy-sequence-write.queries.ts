import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import type { Channel } from '../../sending/lease.queries.ts'
import { refuseTakenTitle } from '../sequence.queries.ts'
import { stopRuns } from '../sequence-state.queries.ts'
import { sequenceNotFound } from './pharmacy-sequence.queries.ts'

/** Locks a pharmacy's sequence until the transaction ends. @param removed looks for a removed one @throws Refusal not_found */
export async function lockPharmacySequence(tx: Tx, locationId: number, uuid: string, removed = false) {
  const found = await tx
    .selectFrom('sequence')
    .select(['id', 'title as name', 'version', 'active', 'removed_at'])
    .where('location_id', '=', locationId)
    .where('uuid', '=', uuid)
    .where('removed_at', removed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw sequenceNotFound()
  return found
}

/** The internal id of a sequence of a pharmacy that is not removed. @throws Refusal not_found */
export async function sequenceIdOf(tx: Tx, locationId: number, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('sequence')
    .select('id')
    .where('location_id', '=', locationId)
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw sequenceNotFound()
  return found.id
}

export interface SequenceColumns {
  title: string
  description: string
  preferred_communication_method: Channel
  sequence_event_id: number
  sequence_recommendation_id: number | null
  budget_cents: number | null
  /** ISO. */
  start_day: string | null
  end_day: string | null
  active: boolean
  marketing_consent: boolean
  health_outreach_consent: boolean
}

/** Changes a sequence and increments its version. @returns the new version @throws Refusal conflict if the title is taken */
export async function updatePharmacySequence(
  tx: Tx,
  locationId: number,
  id: number,
  columns: SequenceColumns,
  now: Date,
): Promise<number> {
  const row = await refuseTakenTitle(columns.title, () =>
    tx
      .updateTable('sequence')
      .set((eb) => ({ ...columns, updated_at: now, version: eb('version', '+', 1) }))
      .where('location_id', '=', locationId)
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  return row.version
}

/** Removes a sequence from every list, or with null restores it. @throws Refusal conflict if its title has been taken meanwhile */
export async function setSequenceRemoved(
  tx: Tx,
  locationId: number,
  found: { id: number; name: string },
  at: Date | null,
): Promise<void> {
  await refuseTakenTitle(found.name, () =>
    tx
      .updateTable('sequence')
      .set((eb) => ({ removed_at: at, version: eb('version', '+', 1) }))
      .where('location_id', '=', locationId)
      .where('id', '=', found.id)
      .execute(),
  )
}

/** Internal ids of the company's templates by their uuids, in that order. @throws Refusal not_found */
export async function templateIdsOf(tx: Tx, uuids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number; uuid: string }>`
    select id, uuid from template where uuid = any(${[...uuids]}::uuid[]) and removed_at is null`.execute(tx)
  const ids = new Map(rows.map((row) => [row.uuid, row.id]))
  return uuids.map((uuid) => {
    const id = ids.get(uuid)
    if (id === undefined) throw new Refusal('not_found', 'That template was not found in the company of this pharmacy.')
    return id
  })
}

/** The internal id of a recommended sequence, withdrawn or not. @throws Refusal not_found */
export async function recommendationIdOf(tx: Tx, uuid: string): Promise<number> {
  const found = await tx.selectFrom('sequence_recommendation').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That recommended sequence was not found.')
  return found.id
}

export interface WantedFollowUp {
  /** An existing follow-up's uuid; null for a new one. */
  uuid: string | null
  daysAfter: number
  templateId: number
}

/**
 * Makes these, in order, the follow-ups of a sequence. Missing ones are removed: their history stays, and their queued messages are skipped
 * `stopped`. Needs the pharmacy's sequence lock. @returns messages cancelled @throws Refusal not_found
 */
export async function saveFollowUps(
  tx: Tx,
  locationId: number,
  sequenceId: number,
  wanted: readonly WantedFollowUp[],
  now: Date,
): Promise<number> {
  const there = await tx
    .selectFrom('follow_up')
    .select(['id', 'uuid'])
    .where('location_id', '=', locationId)
    .where('sequence_id', '=', sequenceId)
    .where('removed_at', 'is', null)
    .execute()
  const kept = new Map(there.map((one) => [one.uuid, one.id]))
  const named = wanted.flatMap(({ uuid }) => uuid ?? [])
  if (named.some((uuid) => !kept.has(uuid)) || new Set(named).size < named.length)
    throw new Refusal('not_found', 'That follow-up was not found in this sequence.')
  let cancelled = 0
  for (const { id, uuid } of there.filter((one) => !named.includes(one.uuid))) {
    await sql`update follow_up set removed_at = ${now} where location_id = ${locationId} and id = ${id}`.execute(tx)
    cancelled += await stopRuns(tx, { follow_up_id: id }, now)
    kept.delete(uuid)
  }
  // Moved out of the way first: no two may share a place, even for a moment.
  await sql`update follow_up set follow_up_order = follow_up_order + 10000
    where location_id = ${locationId} and sequence_id = ${sequenceId} and removed_at is null`.execute(tx)
  for (const [index, { uuid, daysAfter, templateId }] of wanted.entries()) {
    const columns = { follow_up_order: index + 1, days_after: daysAfter, template_id: templateId }
    if (uuid === null) {
      const place = { location_id: locationId, sequence_id: sequenceId, uuid: uuidv7() }
      await tx
        .insertInto('follow_up')
        .values({ ...place, ...columns })
        .execute()
    } else {
      await tx
        .updateTable('follow_up')
        .set(columns)
        .where('location_id', '=', locationId)
        .where('id', '=', kept.get(uuid)!)
        .execute()
    }
  }
  return cancelled
}
