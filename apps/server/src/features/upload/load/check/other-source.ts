import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import type { Tx } from '../../../../db/database.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'
import { UploadFault } from '../../read/fault.ts'
import { hasRows } from '../load.queries.ts'
import { sharedDays } from './other-source.queries.ts'

/** While a pharmacy changes its system, both may record the same week. */
const MOST_SHARED_DAYS = 7

/**
 * Refuses history that another source of the pharmacy has already sent: ids of two sources are kept apart, so the same scripts would count
 * twice. Checked for the first scripts of a source and for initial uploads. Support can skip this.
 * @param scripts name of the file from which scripts were staged; null if none
 * @throws UploadFault
 */
export async function checkOtherSources(tx: Tx, claim: ClaimedUpload, scripts: string | null): Promise<void> {
  if (scripts === null || claim.forced) return
  if (!claim.initial && (await hasRows(tx, claim, 'script'))) return
  const shared = await sharedDays(tx, claim)
  if (!shared || shared.days <= MOST_SHARED_DAYS) return
  const other = SOURCE_NAMES[shared.source] ?? shared.source
  throw new UploadFault(
    `${fileNameOf(scripts)} has scripts of ${shared.days} days of which scripts from ${other} are stored: they would count twice. Nothing was changed. Send only the days since the pharmacy changed its system, or ask support to override this check.`,
  )
}
