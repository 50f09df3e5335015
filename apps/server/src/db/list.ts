import { pagesOf, windowOf } from '@pillar/contract/paging'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { likePattern } from './like.ts'

/** A list as SQL. Columns are the developer's own text, never a caller's. */
export interface ListQuery<Sort extends string> {
  /** What follows `select`. */
  select: RawBuilder<unknown>
  /** What follows `from`, joins included. */
  from: RawBuilder<unknown>
  /** Conditions that must all hold; null for none. */
  where?: readonly (RawBuilder<unknown> | null)[]
  /** Columns of which one must hold the search term. */
  search?: readonly RawBuilder<unknown>[]
  /** What each `sort_field` of the contract sorts by. Rows without a value come last. */
  sort: Readonly<Record<Sort, RawBuilder<unknown>>>
  /** Makes the order of equal rows the same on every page. */
  key: RawBuilder<unknown>
}

/** The part of a list's input that `pageOf` reads (contract: `listInput`). */
export interface ListAsk<Sort extends string> {
  page: number
  search_term: string
  sort_field: Sort
  sort_order: 'asc' | 'desc'
  /** False: every row, 10,000 at most. */
  paginate?: boolean
}

/** Rows of a list that is asked for whole. */
const WHOLE = 10_000

/** One page of a list and how many rows there are over all pages (contract: `listOf`). */
export async function pageOf<Row, Sort extends string = string>(
  tx: Tx,
  query: ListQuery<Sort>,
  input: ListAsk<Sort>,
): Promise<{ rows: Row[] } & ReturnType<typeof pagesOf>> {
  const whole = input.paginate === false
  const { limit, offset } = whole ? { limit: WHOLE, offset: 0 } : windowOf(input.page)
  const where = conditions(query, input.search_term)
  const order = sql.raw(input.sort_order === 'desc' ? 'desc' : 'asc')
  const { rows } = await sql<Row>`
    select ${query.select} from ${query.from} ${where}
    order by ${query.sort[input.sort_field]} ${order} nulls last, ${query.key} ${order}
    limit ${limit} offset ${offset}`.execute(tx)
  const counted = await sql<{ total: number }>`select count(*) as total from ${query.from} ${where}`.execute(tx)
  const total = counted.rows[0]?.total ?? 0
  if (whole) return { rows, current_page: 1, page_count: 1, per_page: WHOLE, total }
  return { rows, ...pagesOf(input.page, total) }
}

function conditions({ where = [], search = [] }: Pick<ListQuery<string>, 'where' | 'search'>, term: string) {
  const pattern = search.length === 0 ? null : likePattern(term)
  const found =
    pattern === null
      ? []
      : [
          sql`(${sql.join(
            search.map((column) => sql`${column} ilike ${pattern}`),
            sql` or `,
          )})`,
        ]
  const all = [...where.filter((one) => one !== null), ...found]
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`
}

/** A condition that a column holds a part of text; null where no part is asked for. */
export function holds(column: RawBuilder<unknown>, part: string | null | undefined): RawBuilder<unknown> | null {
  const pattern = likePattern(part ?? '')
  return pattern === null ? null : sql`${column} ilike ${pattern}`
}

/** A condition that a column is true or false; null where either will do. */
export function is(column: RawBuilder<unknown>, wanted: boolean | null | undefined): RawBuilder<unknown> | null {
  return wanted === null || wanted === undefined ? null : sql`${column} = ${wanted}`
}
