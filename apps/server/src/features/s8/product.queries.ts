import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import type { S8Place } from './s8.queries.ts'

export interface ProductRow {
  product_id: string
  product_name: string
  brand: string | null
  unit: string | null
  otp: boolean
  cannabis: boolean
  custom: boolean
  inactive: boolean
  balance: number
  last_stocktake_on: string | null
  last_stocktake_taken_by: string | null
  last_stocktake_note: string | null
  status: 'never' | 'overdue' | 'counted'
  overdue_days: number
}

export interface ProductFilter {
  name: string
  otp: boolean
  cannabis: boolean
  custom: boolean
  counted: boolean
  overdue: boolean
  never: boolean
  in_stock: boolean
  active: boolean
  s8_stocktake_warning_days?: number | null | undefined
}

export type ProductSort =
  | 'product_name'
  | 'balance'
  | 'last_stocktake_on'
  | 'last_stocktake_taken_by'
  | 'last_stocktake_note'
  | 'status'

const any = (conditions: readonly (RawBuilder<unknown> | null | false)[]): RawBuilder<unknown> | null => {
  const on = conditions.filter((one) => one !== null && one !== false)
  return on.length === 0 ? null : sql`(${sql.join(on, sql` or `)})`
}

/** Products of a pharmacy's stock register. Tags and states widen the list; none chosen means all. */
export function listProducts(
  tx: Tx,
  place: S8Place,
  { name, ...filter }: ProductFilter,
  ask: Omit<ListAsk<ProductSort>, 'search_term'>,
) {
  const days = filter.s8_stocktake_warning_days ?? place.warning_days
  const age = sql`(${place.today}::date - p.last_stocktake_on)`
  const states = any([
    filter.counted && sql`${age} <= ${days}`,
    filter.overdue && sql`${age} > ${days}`,
    filter.never && sql`p.last_stocktake_on is null`,
  ])
  const tags = any([filter.otp && sql`p.otp`, filter.cannabis && sql`p.cannabis`, filter.custom && sql`p.custom`])
  const status = sql`case when p.last_stocktake_on is null then 'never' when ${age} > ${days} then 'overdue' else 'counted' end`
  return pageOf<ProductRow, ProductSort>(
    tx,
    {
      select: sql`p.product_id, p.name as product_name, p.brand, p.unit, p.otp, p.cannabis, p.custom, p.inactive, p.balance::float8 as balance,
        p.last_stocktake_on::text as last_stocktake_on, p.last_stocktake_taken_by, p.last_stocktake_note, ${status} as status,
        coalesce(greatest(${age} - ${days}, 0), 0) as overdue_days`,
      from: sql`s8_product p`,
      where: [
        sql`p.location_id = ${place.id}`,
        states,
        tags,
        filter.in_stock ? sql`p.balance > 0` : null,
        filter.active ? sql`not p.inactive` : null,
      ],
      search: [sql`p.name`, sql`p.brand`],
      sort: {
        product_name: sql`lower(p.name)`,
        balance: sql`p.balance`,
        last_stocktake_on: sql`p.last_stocktake_on`,
        last_stocktake_taken_by: sql`p.last_stocktake_taken_by`,
        last_stocktake_note: sql`p.last_stocktake_note`,
        status: sql`${age}`,
      },
      key: sql`(p.source, p.product_id)`,
    },
    { ...ask, search_term: name },
  )
}

/** One product of a pharmacy; undefined if it has none with that code. */
export async function findProduct(tx: Tx, place: S8Place, productId: string) {
  const { rows } = await sql<ProductRow & { source: string }>`
    select p.source, p.product_id, p.name as product_name, p.brand, p.unit, p.otp, p.cannabis, p.custom, p.inactive, p.balance::float8 as balance,
      p.last_stocktake_on::text as last_stocktake_on, p.last_stocktake_taken_by, p.last_stocktake_note,
      case when p.last_stocktake_on is null then 'never' when ${place.today}::date - p.last_stocktake_on > ${place.warning_days} then 'overdue'
        else 'counted' end as status,
      coalesce(greatest(${place.today}::date - p.last_stocktake_on - ${place.warning_days}, 0), 0) as overdue_days
    from s8_product p where p.location_id = ${place.id} and p.product_id = ${productId} order by p.source limit 1`.execute(
    tx,
  )
  return rows[0]
}
