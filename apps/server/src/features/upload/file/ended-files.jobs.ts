import type { Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { lockIfEnded } from '../upload.queries.ts'

/**
 * Deletes files of uploads that ended before `before`: those in ERROR, which keep their row and faulty rows, and files left by dead
 * processes. Uploads waiting, loading or touched since keep theirs. Calls `note` for each upload, in its transaction.
 */
export async function removeEndedFiles(
  { pools, files }: Services,
  before: Date,
  note: (tx: Tx, removed: number) => Promise<void> = async () => {},
): Promise<void> {
  for (const { locationId, uuid, touchedAt } of await files.held()) {
    if (touchedAt >= before) continue
    await pools.system.transaction().execute(async (tx) => {
      if ((await lockIfEnded(tx, { locationId, uuid, before })) === 'needed') return
      await note(tx, 1)
      await files.remove({ locationId, uuid })
    })
  }
}
