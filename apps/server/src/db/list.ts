import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { isUuid } from '@pillar/domain/text/uuid'
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
  /** Columns of which at least one must contain the search term. */
  search?: readonly RawBuilder<unknown>[]
  /** The uuid of a row: searching for a whole uuid finds that row, so that every row has an address. */
  uuid?: RawBuilder<unknown>
  /** What each `sort_field` of the contract sorts by. Rows without a value come last. */
  sort: Readonly<Record<Sort, RawBuilder<unknown>>>
  /** The second sort key, in the same direction, such as the time within a day. */
  within?: Partial<Readonly<Record<Sort, RawBuilder<unknown>>>>
  /** Makes the order of equal rows the same on every page. */
  key: RawBuilder<unknown>
  /** Stops counting rows at this number, for lists that may have millions. */
  most?: number
  /** Which of its sorts are never null (true: all of them), so that an index gives the order of millions of rows in both directions. */
  filled?: true | readonly Sort[]
  /**
   * `key` is an indexed unique column: the rows of a page are chosen by it and only then read whole, so that the rows before a late page
   * cost no more than their keys.
   */
  chosenByKey?: true
  /** With `chosenByKey`: finds rows once for both the page and the count, where finding them costs more than keeping their keys. */
  foundOnce?: boolean
  /** With `chosenByKey`: what follows `from` when rows are chosen and counted, if that needs fewer tables than the whole rows do. */
  chosenFrom?: RawBuilder<unknown>
}

/** The part of a list's input that `pageOf` reads (contract: `listInput`). */
export interface ListAsk<Sort extends string> {
  page: number
  search_term: string
  sort_field: Sort
  sort_order: 'asc' | 'desc'
  /** False: all rows, at most 10,000. */
  paginate?: boolean
}

/** Most rows of a list requested whole. */
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
  const sort = input.sort_field
  const direction = sql.raw(input.sort_order === 'desc' ? 'desc' : 'asc')
  const filled = query.filled === true || query.filled?.includes(sort)
  const within = query.within?.[sort] ?? query.key
  const order = sql`order by ${query.sort[sort]} ${direction} ${filled ? sql`` : sql`nulls last`}, ${within} ${direction}, ${query.key} ${direction}`
  const all = sql`from ${query.chosenFrom ?? query.from} ${where ?? sql``}`
  const answer = <R>(rows: R[], total: number) =>
    whole ? { rows, current_page: 1, page_count: 1, per_page: WHOLE, total } : { rows, ...pagesOf(input.page, total) }
  if (query.foundOnce) {
    const { keys, total } = await foundOnce(tx, query, {
      all,
      direction,
      value: query.sort[sort],
      within,
      limit,
      offset,
    })
    const { rows } =
      await sql<Row>`select ${query.select} from ${query.from} where ${query.key} = any (${keys}) ${order}`.execute(tx)
    return answer(rows, total)
  }
  const page = sql`${all} ${order} limit ${limit} offset ${offset}`
  const chosen = query.chosenByKey
    ? sql`from ${query.from} where ${query.key} = any (array(select ${query.key} ${page})) ${order}`
    : page
  const { rows } = await sql<Row>`select ${query.select} ${chosen}`.execute(tx)
  const some = query.most === undefined ? all : sql`from (select 1 ${all} limit ${query.most}) counted`
  const counted = await sql<{ total: number }>`select count(*) as total ${some}`.execute(tx)
  const total = counted.rows[0]?.total ?? 0
  return answer(rows, total)
}

interface Wanted {
  all: RawBuilder<unknown>
  direction: RawBuilder<unknown>
  value: RawBuilder<unknown>
  within: RawBuilder<unknown>
  limit: number
  offset: number
}

/** The keys of a page and the total, found in one go. */
async function foundOnce(
  tx: Tx,
  { key }: Pick<ListQuery<string>, 'key'>,
  { all, direction, value, within, limit, offset }: Wanted,
) {
  const { rows } = await sql<{ keys: unknown[]; total: number }>`
    with found as materialized (select ${key} as key, ${value} as value, ${within} as within ${all})
    select (select count(*) from found) as total,
      array(select key from found order by value ${direction} nulls last, within ${direction}, key ${direction} limit ${limit} offset ${offset}) as keys`.execute(
    tx,
  )
  return rows[0]!
}

type Searched = Pick<ListQuery<string>, 'where' | 'search' | 'uuid'>

function conditions({ where = [], ...query }: Searched, term: string) {
  const all = [...where.filter((one) => one !== null), ...searched(query, term)]
  return all.length === 0 ? null : sql`where ${sql.join(all, sql` and `)}`
}

/** The condition for a search term: its uuid if the term is one, otherwise one of the columns contains it; none without a term. */
export function searched({ search = [], uuid }: Omit<Searched, 'where'>, term: string): RawBuilder<unknown>[] {
  if (uuid && isUuid(term)) return [sql`${uuid} = ${term.trim()}`]
  const pattern = search.length === 0 ? null : likePattern(term)
  if (pattern === null) return []
  const any = search.map((column) => sql`${column} ilike ${pattern}`)
  return [sql`(${sql.join(any, sql` or `)})`]
}

/** A condition that a column contains a text; null if no text is given. */
export function holds(column: RawBuilder<unknown>, part: string | null | undefined): RawBuilder<unknown> | null {
  const pattern = likePattern(part ?? '')
  return pattern === null ? null : sql`${column} ilike ${pattern}`
}

/** The same for a column that is lower case already, which is compared as it stands. */
export function holdsLower(column: RawBuilder<unknown>, part: string | null | undefined): RawBuilder<unknown> | null {
  const pattern = likePattern(part ?? '')
  return pattern === null ? null : sql`${column} like lower(${pattern})`
}

/** A condition that a column is true or false; null if either will do. */
export function is(column: RawBuilder<unknown>, wanted: boolean | null | undefined): RawBuilder<unknown> | null {
  return wanted === null || wanted === undefined ? null : sql`${column} = ${wanted}`
}

/**
 * Lets a transaction read the rows of long files, until it ends: it may take minutes, and each statement is planned for reading all its rows,
 * of which row security makes the planner expect hardly any.
 */
export async function readLong(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '300s'`.execute(tx)
  await sql`set local cursor_tuple_fraction = 1`.execute(tx)
  await sql`set local enable_nestloop = off`.execute(tx)
}

/** Rows of a long file read at once. */
export const LOT = 2_000

/**
 * All rows of a query in lots from a cursor, so that memory holds one lot however many there are. They come from one snapshot. Needs `readLong`;
 * the scope must stay bound until the last lot, and only one such query can be read at a time.
 */
export async function* lotsOf<Row>(tx: Tx, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare lots no scroll cursor for ${query}`.execute(tx)
  while (true) {
    const { rows } = await sql<Row>`fetch ${sql.lit(LOT)} from lots`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < LOT) break
  }
  await sql`close lots`.execute(tx)
}
