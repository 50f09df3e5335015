import { type AttentionItem, attentionOf, type TypeAdherence } from '@pillar/domain/pharmacy/pharmacy-attention'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { type Context, callerOf } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { categoryId } from '../../metrics/subcategory.queries.ts'
import { overdueAt } from '../../s8/s8.queries.ts'
import { adherenceOf } from '../cells.ts'
import type { PharmacyRow } from '../financials.queries.ts'
import type { Selection } from '../selection.ts'
import { type OwnCell, ownCells, type UploadRow } from './pharmacy.queries.ts'

export const DRUG_TYPE = categoryId('Drug Type')

interface Known {
  late: boolean
  /** Newest first. */
  uploads: readonly UploadRow[]
  repeatsDue: number
}

/** What needs attention at a pharmacy. Registers only for people who may see them; repeats only while the period runs. */
export async function attentionAt(
  tx: Tx,
  { pharmacy, span, code }: Selection & { pharmacy: PharmacyRow },
  context: Context,
  { late, uploads, repeatsDue }: Known,
): Promise<AttentionItem[]> {
  const [newest] = uploads
  const failed = newest?.etl_state === 'ERROR' ? newest : null
  const cells = await ownCells(tx, pharmacy.id, code, DRUG_TYPE)
  const mayCount = callerOf(context).flags.has('ecdr')
  return attentionOf({
    failed: failed && { day: failed.to_day ?? cameOn(failed, pharmacy), note: failed.notes },
    dataTo: pharmacy.data_to,
    late,
    types: typesOf(cells),
    overdueCounts: mayCount ? await overdueAt(tx, pharmacy.id, context.services.now()) : null,
    repeatsDue: span.running ? repeatsDue : 0,
  })
}

/** The day an upload came, in the pharmacy's zone. */
const cameOn = ({ created_at }: UploadRow, { time_zone }: PharmacyRow) => formatDay(dayIn(time_zone, created_at))

function typesOf(cells: readonly OwnCell[]): TypeAdherence[] {
  const before = new Map(cells.filter(({ now }) => !now).map((cell) => [cell.subcategory_id, cell]))
  return cells
    .filter((cell) => cell.now && cell.category_id !== 0 && cell.name !== 'Unclassified')
    .flatMap((cell) => {
      const earlier = before.get(cell.subcategory_id)
      return earlier ? [{ name: cell.name, now: shareIn(cell), before: shareIn(earlier) }] : []
    })
}

/** The adherence of a pharmacy's own cell. */
export const shareIn = (cell: OwnCell) => adherenceOf({ ...cell, here_slots: 0, leaked_slots: 0 })
