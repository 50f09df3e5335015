import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { HELD_REASON } from '../run.queries.ts'

/**
 * A run of which nothing was sent: its campaign, why, whether it was held back because of its approval, and who is told (whoever activated
 * it, and whoever asked for the approval it used). Null if it did not fail.
 */
export async function notSent(
  tx: Tx,
  runId: number,
): Promise<{ campaign: { id: string; name: string }; note: string; held: boolean; readers: number[] } | null> {
  const { rows } = await sql<{ id: string; name: string; note: string; held: boolean; readers: number[] }>`
    select c.uuid as id, c.name, r.note, r.held_reason is not null as held, array(
      select r.created_by where r.created_by is not null
      union select a.asked_by from campaign_approval a where a.run_id = r.id) as readers
    from (select *, ${HELD_REASON} as held_reason from message_run where id = ${runId} and state = 'failed') r
    join campaign c on c.id = r.campaign_id`.execute(tx)
  const [run] = rows
  if (!run) return null
  const { id, name, ...more } = run
  return { campaign: { id, name }, ...more }
}
