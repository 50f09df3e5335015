import { type Day, day as dayOf } from '@pillar/domain/time/day'
import { DELETED_FILE, fileNameOf } from '@pillar/domain/upload/upload-file'
import { isRegisterSet } from '@pillar/domain/upload/upload-format'
import { coversAsMuch, rowsDropped } from '@pillar/domain/upload/upload-state'
import type { Tx } from '../../../../db/database.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'
import { type Findings, UploadFault } from '../../read/fault.ts'
import { lastInitialFiles, replacingScripts } from './drop-check.queries.ts'

const ADVICE = 'Nothing was changed. Send the whole record, or ask support to override this check.'

/**
 * Refuses an initial upload that is empty or lacks more than half of what it would replace: a truncated export must not delete history.
 * Scripts are compared with those stored for the same days; each file with the last initial upload that had it, unless that covered more days.
 * Support can skip this.
 * @param scripts name of the file from which scripts were staged; null if none
 * @throws UploadFault
 */
export async function checkDrop(
  tx: Tx,
  claim: ClaimedUpload,
  of: { findings: Findings; scripts: string | null; today: Day },
): Promise<void> {
  if (!claim.initial || claim.forced) return
  const { findings, scripts } = of
  const counts = scripts === null ? undefined : findings.counts.get(scripts)
  if (counts && counts.rows === counts.faulty)
    throw new UploadFault(
      `${fileNameOf(scripts ?? '')} holds no row to load, so an initial upload would erase the record. Nothing was changed.`,
    )
  await compareFiles(tx, claim, of)
  const replacing = scripts === null ? null : await replacingScripts(tx, claim)
  if (replacing && rowsDropped(replacing.sent, replacing.stored)) {
    const { from, to, sent, stored } = replacing
    throw new UploadFault(
      `${fileNameOf(scripts ?? '')} has ${sent} rows for ${from} to ${to}, less than half of the ${stored} scripts stored of these days. ${ADVICE}`,
    )
  }
}

async function compareFiles(
  tx: Tx,
  claim: ClaimedUpload,
  { findings, scripts, today }: { findings: Findings; scripts: string | null; today: Day },
): Promise<void> {
  const earlier = await lastInitialFiles(tx, claim)
  const { coversFrom, coversTo } = claim
  const days = { from: coversFrom === null ? null : dayOf(coversFrom), to: coversTo === null ? today : dayOf(coversTo) }
  for (const [file, { rows }] of findings.counts) {
    // Nothing in a register is ever deleted, and a file of deletions is no record.
    if (isRegisterSet(file) || file === DELETED_FILE) continue
    // Scripts of stated days are compared with stored ones of the same days; other days say nothing about them.
    if (file === scripts && days.from !== null) continue
    const last = earlier.get(file)
    if (last && coversAsMuch(days, last.days) && rowsDropped(rows, last.rows))
      throw new UploadFault(
        `${fileNameOf(file)} has ${rows} rows, less than half of the ${last.rows} of the last initial upload. ${ADVICE}`,
      )
  }
}
