import { formatMoney } from '@pillar/domain/time/locale'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { isOtherScale } from '@pillar/domain/upload/upload-state'
import type { Tx } from '../../../../db/database.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'
import { UploadFault } from '../../read/fault.ts'
import { middleStaged, middleStored } from './price-scale.queries.ts'

/**
 * Refuses scripts whose prices are of another scale than those stored for their patients, as when a system begins to send cents instead of
 * dollars: revenue would be a hundred times what it is, also in averages and reports that are not taken back. Once patients of a former system
 * are known. Support can skip this.
 * @param scripts name of the file from which scripts were staged; null if none
 * @throws UploadFault
 */
export async function checkPriceScale(tx: Tx, claim: ClaimedUpload, scripts: string | null): Promise<void> {
  if (scripts === null || claim.forced) return
  const staged = await middleStaged(tx)
  if (staged.count === 0) return
  const stored = await middleStored(tx, claim)
  if (!isOtherScale(staged, stored)) return
  const money = (cents: number) => formatMoney(claim.country, cents / 100, 2)
  throw new UploadFault(
    `${fileNameOf(scripts)}: the middle price is ${money(staged.cents)}, that of the scripts stored for the same patients ${money(stored.cents)}. Amounts are probably written in another unit, such as cents without a decimal point. Nothing was changed. Correct the amounts and send the files again. If they are right, and those stored are not, ask support to override this check.`,
  )
}
