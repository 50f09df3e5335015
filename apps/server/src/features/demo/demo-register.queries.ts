import { sql } from 'kysely'
import pg from 'pg'
import type { Tx } from '../../db/database.ts'

/** Dates the registers of pharmacies as though they last arrived on the evening of a day. */
export async function dateRegisters(tx: Tx, uploads: readonly { name: string; at: Date }[]): Promise<void> {
  for (const { name, at } of uploads) {
    await sql`
      update s8_pharmacy s set uploaded_at = ${at} from location l where l.id = s.location_id and l.name = ${name}`.execute(
      tx,
    )
  }
}

const NOT_ALLOWED = '42501'

/**
 * Does what a dishonest insider with the owner's password could: lowers the quantity of one supply in the stored register, outside every
 * call. Only in the demo network, so that there is something to find.
 * @returns false unless the login is the owner's, which alone can do it
 */
export async function tamperEntry(ownerUrl: string, pharmacy: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query('begin')
    // Row-level security also binds the owner, who may lift it; so does the insider.
    await client.query('alter table s8_entry no force row level security')
    await client.query(
      `update s8_entry e set quantity_out = quantity_out - 5
       where (location_id, seq) = (
         select e.location_id, e.seq from s8_entry e join location l on l.id = e.location_id join company c on c.id = l.company_id and c.demo
         where l.name = $1 and e.entry_type = 'supply' and e.quantity_out > 10 order by e.seq desc offset 40 limit 1)`,
      [pharmacy],
    )
    await client.query('alter table s8_entry force row level security')
    await client.query('commit')
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code === NOT_ALLOWED) return false
    throw error
  } finally {
    await client.end()
  }
}
