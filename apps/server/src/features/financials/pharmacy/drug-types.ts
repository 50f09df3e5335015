import type { AnswerOf, contract, InputOf } from '@pillar/contract'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { rateOfChange } from '@pillar/domain/figure/baseline'
import { type Context, tenantTx } from '../../../api/context.ts'
import { adherenceOf, money, NO_SUMS } from '../cells.ts'
import { type CellRow, sumCells } from '../financials.queries.ts'
import { DRUG_TYPE, shareIn } from './attention.ts'
import { groupIds, type OwnCell, ownCells } from './pharmacy.queries.ts'
import { selectOne } from './pharmacy.ts'

type DrugTypes = (typeof contract)['financials']['pharmacyDrugTypes']

/** The drug types of one pharmacy, beside a year earlier and the group. */
export async function drugTypesAnswer(input: InputOf<DrugTypes>, context: Context): Promise<AnswerOf<DrugTypes>> {
  const tx = tenantTx(context)
  const { pharmacy, span, code } = await selectOne(tx, input, context)
  const group = await groupIds(tx)
  const cells = await ownCells(tx, pharmacy.id, code, DRUG_TYPE)
  const [whole] = await sumCells(tx, group, code, 0, 'at each')
  const types = new Map((await sumCells(tx, group, code, DRUG_TYPE, 'at each')).map((row) => [row.subcategory_id, row]))
  const before = new Map(cells.filter(({ now }) => !now).map((cell) => [keyOf(cell), cell]))
  const compared = before.size > 0
  const rows = cells
    .filter(({ now }) => now)
    .map((cell) => {
      const earlier = compared ? (before.get(keyOf(cell))?.revenue_cents ?? 0) : null
      return rowOf(cell, earlier, cell.category_id === 0 ? whole : types.get(cell.subcategory_id))
    })
  return {
    rows: rows.sort((a, b) => first(b) - first(a) || b.revenue - a.revenue || (a.name < b.name ? -1 : 1)),
    period: span,
    group_pharmacies: group.length,
  }
}

const keyOf = (cell: OwnCell) => `${cell.category_id} ${cell.subcategory_id}`
const first = ({ name }: { name: string }) => (name === TOTAL ? 1 : 0)

const rowOf = (cell: OwnCell, earlierCents: number | null, group: CellRow | undefined) => ({
  name: cell.name,
  revenue: money(cell.revenue_cents),
  change: rateOfChange(cell.revenue_cents, earlierCents),
  scripts: cell.script_count,
  adherence: shareIn(cell),
  group: adherenceOf(group ?? NO_SUMS),
  opportunity: money(cell.opportunity_cents),
})
