import type { Tx } from '../../db/database.ts'

/**
 * Titles of the sequences whose follow-ups use a template, each once however many pharmacies of the scope have it; with `onlyActive`, only
 * of active sequences. By title.
 */
export async function sequenceTitlesOf(tx: Tx, templateId: number, onlyActive: boolean): Promise<string[]> {
  const rows = await tx
    .selectFrom('follow_up as u')
    .innerJoin('sequence as q', (join) =>
      join.onRef('q.location_id', '=', 'u.location_id').onRef('q.id', '=', 'u.sequence_id'),
    )
    .innerJoin('location as l', 'l.id', 'q.location_id')
    .select('q.title')
    .distinct()
    .where('u.template_id', '=', templateId)
    .where('u.removed_at', 'is', null)
    .where('q.removed_at', 'is', null)
    .where('l.removed_at', 'is', null)
    .$if(onlyActive, (query) => query.where('q.active', '=', true))
    .orderBy('q.title')
    .execute()
  return rows.map((row) => row.title)
}

/** Whether the scope's company requires a second person's approval for every campaign. */
export async function approvalRequired(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('messaging_setting').select('approval').executeTakeFirst())?.approval ?? false
}
