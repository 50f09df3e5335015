import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../db/database.ts'

/**
 * The key that signs patients' links of this database. Links of another database under the same SECRET, which gave out the same numbers,
 * lead nowhere here. A database from before 0310 goes on with SECRET itself: its links are in people's hands.
 */
export async function readLinkSecret(system: Database, secret: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ salt: string }>`select salt from link_salt`.execute(system)
  return rows[0] ? createHmac('sha256', secret).update(`patients' links of ${rows[0].salt}`).digest() : secret
}
