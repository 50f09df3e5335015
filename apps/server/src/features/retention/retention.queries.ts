import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Every present or former pharmacy: the data of one that left expires too. */
export async function everyLocation(system: Database): Promise<{ locationId: number; companyId: number }[]> {
  const rows = await system.selectFrom('location').select(['id', 'company_id']).orderBy('id').execute()
  return rows.map((row) => ({ locationId: row.id, companyId: row.company_id }))
}

/** Deletes up to `limit` records of requests with a key made before `before`. @returns how many */
export async function removeRequestKeys(system: Database, before: Date, limit: number): Promise<number> {
  const gone = await sql`
    delete from request_key where (login_id, key_hash) in (
      select login_id, key_hash from request_key where made_at < ${before} order by made_at limit ${limit})`.execute(
    system,
  )
  return Number(gone.numAffectedRows ?? 0)
}

/**
 * Deletes up to `limit` gateway events received before `before` and processed. A reply that reached no pharmacy is stored nowhere else, and
 * stays until `replies`, as long as one that did. @returns how many
 */
export async function removeEvents(
  system: Database,
  { before, replies, limit }: { before: Date; replies: Date; limit: number },
): Promise<number> {
  const gone = await sql`
    delete from gateway_event where id = any(array(
      select id from gateway_event
      where done_at is not null and received_at < ${before}
        and (failure is null or payload->>'kind' is distinct from 'reply' or received_at < ${replies})
      order by id limit ${limit} for update skip locked))`.execute(system)
  return Number(gone.numAffectedRows ?? 0)
}
