import type { Services } from '../../../api/context.ts'
import { lockIfEnded } from '../upload.queries.ts'

/**
 * Deletes files of uploads that ended before `before`: those in ERROR, which keep their row and faulty rows, and files
 * left by dead processes. Uploads waiting, loading or touched since keep theirs. @returns the number of uploads
 */
export async function removeEndedFiles({ pools, files }: Services, before: Date): Promise<number> {
  let removed = 0
  for (const { locationId, uuid, touchedAt } of await files.held()) {
    if (touchedAt >= before) continue
    removed += await pools.system.transaction().execute(async (tx) => {
      if ((await lockIfEnded(tx, { locationId, uuid, before })) === 'needed') return 0
      await files.remove({ locationId, uuid })
      return 1
    })
  }
  return removed
}
