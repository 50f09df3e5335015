import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { OPTED_OUT } from '../run/cancel/skip.queries.ts'

/** Which of a pharmacy's messages their recipients' consent forbids now. */
export async function optedOutAmong(tx: Tx, locationId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from message m
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
      join consent c on c.location_id = m.location_id and c.patient_id = m.patient_id
    where m.location_id = ${locationId} and m.id = any(${[...ids]}::bigint[]) and ${OPTED_OUT}`.execute(tx)
  return rows.map(({ id }) => id)
}
