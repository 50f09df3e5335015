import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { Erasure } from './erasure-ledger.ts'

/** An erasure in the database, without the keys that identify the person. */
export interface KnownErasure {
  uuid: string
  at: Date
  company: string
  reason: string
}

/** Every erasure of existing companies, oldest first. */
export async function everyErasure(system: Database): Promise<KnownErasure[]> {
  const { rows } = await sql<KnownErasure>`
    select e.uuid, e.erased_at as at, c.uuid as company, e.reason from erasure e join company c on c.id = e.company_id
    order by e.erased_at, e.uuid`.execute(system)
  return rows
}

/** Lets one process at a time complete a ledger; the others wait until the transaction ends. */
export async function lockLedger(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('erasure ledger', 0))`.execute(tx)
}

/**
 * The keys by which an erasure recognises the person. Keys that an older erasure of the company already had stay with that one. Requires
 * the company's pharmacies in the scope.
 */
export async function keysOfErasure(tx: Tx, uuid: string): Promise<Pick<Erasure, 'records' | 'keys'>> {
  const { rows: records } = await sql<{ location: string; key: string }>`
    select l.uuid as location, r.key from erasure_record r join location l on l.id = r.location_id
    where r.erasure = ${uuid}::uuid order by r.location_id, r.key`.execute(tx)
  const { rows } = await sql<{ kind: keyof Erasure['keys']; key: string }>`
    select kind, key from erasure_key where erasure = ${uuid}::uuid order by kind, key`.execute(tx)
  const of = (kind: keyof Erasure['keys']) => rows.filter((row) => row.kind === kind).map(({ key }) => key)
  return {
    records: records.map(({ location, key }) => [location, key] as [string, string]),
    keys: { person: of('person'), sms: of('sms'), email: of('email') },
  }
}
