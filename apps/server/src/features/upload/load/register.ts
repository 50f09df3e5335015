import { isRegisterSet } from '@pillar/domain/upload/upload-format'
import type { Tx } from '../../../db/database.ts'
import { mergeRegister } from '../../s8/load/register-load.queries.ts'
import type { ClaimedUpload } from '../claim.queries.ts'
import { addFault, countOf, type Findings } from '../read/fault.ts'
import { checkSameRegister } from './check/other-record.ts'
import type { Staged } from './stage.ts'

/** Merges the staged sets of the register of Schedule 8 medicines, if there are any, and adds the results to the findings. */
export async function loadRegister(
  tx: Tx,
  claim: ClaimedUpload,
  staged: Staged,
  findings: Findings,
  now: Date,
): Promise<void> {
  if (![...staged.keys()].some(isRegisterSet)) return
  const { locationId, source, timeZone, earlierZones, id: uploadId } = claim
  const { added, contradicted, unknown } = await mergeRegister(
    tx,
    { locationId, source, timeZone, earlierZones, uploadId, now },
    staged,
  )
  if (contradicted > 0) await checkSameRegister(tx, claim)
  const file = 's8_transactions'
  for (const { line, value } of unknown.first)
    addFault(findings, { file, line, column: 'product_id', value, reason: 'is not in this upload and not stored' })
  if (unknown.count > unknown.first.length) countOf(findings, file).faulty += unknown.count - unknown.first.length
  for (const [name, count] of findings.counts) if (isRegisterSet(name)) count.loaded = count.rows - count.faulty
  if (staged.has(file)) findings.notes.push(`S8 register: ${added} new ${added === 1 ? 'entry' : 'entries'}.`)
  if (contradicted > 0)
    findings.notes.push(
      `${contradicted} ${contradicted === 1 ? 'entry was' : 'entries were'} sent again with other content: the first stands, and both are kept.`,
    )
}
