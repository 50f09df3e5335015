import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'

/**
 * Deletes the texts of up to `limit` of a pharmacy's messages that ended before `before`; the rows, their states, parts and costs stay.
 * Messages that are queued, being sent or still looked up keep their text, however old. @returns how many
 */
export async function eraseMessageTexts(tx: Tx, locationId: number, before: Date, limit: number): Promise<number> {
  const done = await withoutNestedLoops(tx, () =>
    sql`
    update message set body = null, subject = null
    where location_id = ${locationId} and id in (
      select id from message
      where location_id = ${locationId} and created_at < ${before} and (body is not null or subject is not null)
        and state not in ('queued', 'sending') and lease_until is null and coalesce(settled_at, sent_at, created_at) < ${before}
      order by id limit ${limit} for update skip locked)`.execute(tx),
  )
  return Number(done.numAffectedRows ?? 0)
}

/** Deletes the texts of up to `limit` of a pharmacy's replies received before `before`, read or not. @returns how many */
export async function eraseReplyTexts(tx: Tx, locationId: number, before: Date, limit: number): Promise<number> {
  const done = await withoutNestedLoops(tx, () =>
    sql`
    update message_reply set body = null
    where location_id = ${locationId} and id in (
      select id from message_reply
      where location_id = ${locationId} and received_at < ${before} and body is not null
      order by id limit ${limit} for update skip locked)`.execute(tx),
  )
  return Number(done.numAffectedRows ?? 0)
}
