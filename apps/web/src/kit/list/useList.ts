import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import { rowsOf } from '@pillar/contract/wire/list'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import type { RefusedError } from '../../shared/refused.ts'
import type { ListSearch } from './list-search.ts'
import { useLastPage } from './page/useLastPage.ts'
import { useListState } from './useListState.ts'

/** A row of a list's answer: what its one array holds. */
export type RowOf<C extends Call> = {
  [K in keyof ReplyOf<C>]: ReplyOf<C>[K] extends readonly (infer Row)[] ? Row : never
}[keyof ReplyOf<C>]

/** How most lists begin. */
const BY_NAME: Sorting = { field: 'name', order: 'asc' }

export interface Sorting {
  field: string
  order: 'asc' | 'desc'
}

interface ListOptions<Row, Input> {
  /** The field that tells rows apart. */
  id: keyof Row & string
  /** What the rows are called: 'company', 'companies'. */
  one: string
  many: string
  /** The input's field for what is searched; null for a list that is not searched. */
  find?: (keyof Input & string) | null
  /** Further filters, as the call takes them; those that are undefined are off. */
  filters?: Partial<Input>
  /** What the list is about, always on: no filter of anybody's. */
  within?: Partial<Input>
  /** How it is sorted until somebody sorts it otherwise; by name unless told. */
  sort?: Sorting | null
  /** The server counts no further than this. */
  most?: number
  /** What is searched are people's names: it stays out of the address, which histories and logs keep. */
  privateFind?: true
  /** How many rows a page may have, the first unless somebody chooses; `per_page` of the call. The server decides where there are none. */
  sizes?: readonly number[]
}

export interface List<Row, Input = object, Answer = unknown> {
  rows: readonly Row[]
  idOf: (row: Row) => string
  one: string
  many: string
  page: number
  pages: number
  perPage: number
  total: number
  /** There may be more rows than were counted. */
  uncounted: boolean
  /** How many rows a page may have, where that can be chosen. */
  sizes: readonly number[]
  sort: Sorting | null
  /** What is searched; null where nothing can be. */
  find: string | null
  /** How many filters are on, the search included. */
  filtered: number
  /** What the rows were chosen by, without page and sort: the same question without its page. */
  filter: Partial<Input>
  /** The first answer is not there yet. */
  loading: boolean
  /** What is shown belongs to the question before. */
  stale: boolean
  error: RefusedError | null
  retry: () => void
  /** The whole answer, for what a list tells beside its rows. */
  answer: Answer | undefined
  change: (change: Partial<ListSearch> & Readonly<Record<string, unknown>>, how?: 'push' | 'replace') => void
  /** Takes the search and every filter off. */
  clear: () => void
}

interface Paged {
  current_page: number
  page_count: number
  per_page: number
  total: number
}

/** Page, sort and search of the address bar, asked of a paged call, and the states of its answer. */
export function useList<C extends Call>(
  call: C,
  options: ListOptions<RowOf<C>, AskOf<C>>,
): List<RowOf<C>, AskOf<C>, ReplyOf<C>> {
  const { id, one, many, find = 'search_term', filters = {}, within = {}, sort: first = BY_NAME } = options
  const { most, sizes = [], privateFind = false } = options
  const { state, change, reset } = useListState<ListSearch>()
  const [typed, setTyped] = useState('')
  const searched = find === null ? '' : privateFind ? typed : String(state.find ?? '')
  const sort = state.sort === undefined ? first : { field: String(state.sort), order: state.order ?? 'asc' }
  const chosen = { ...filters, ...(find !== null && searched ? { [find]: searched } : {}) }
  const filter = { ...within, ...chosen } as Partial<AskOf<C>>
  const order = sort ? { sort_field: sort.field, sort_order: sort.order } : {}
  const size: { per_page?: number } =
    sizes.length > 0 ? { per_page: sizes.find((one) => one === state.rows) ?? sizes[0]! } : {}
  const input = { ...filter, ...order, ...size, page: state.page ?? 1 } as AskOf<C>
  const read = useRead(call, input, { keepPrevious: true })
  const paged = read.data as Paged | undefined
  const rows = rowsOf((read.data ?? {}) as object) as RowOf<C>[]
  const gone = useLastPage(paged, change)
  return {
    rows,
    idOf: (row) => String(row[id]),
    one,
    many,
    page: paged?.current_page ?? 1,
    pages: paged?.page_count ?? 1,
    perPage: paged?.per_page ?? size.per_page ?? rows.length,
    total: paged?.total ?? rows.length,
    uncounted: most !== undefined && (paged?.total ?? 0) >= most,
    sizes,
    sort,
    find: find === null ? null : searched,
    filtered: Object.values(chosen).filter((value) => value !== undefined).length,
    filter,
    loading: read.isLoading || gone,
    stale: read.isPlaceholderData,
    error: read.error,
    retry: () => void read.refetch(),
    answer: read.data,
    change: privateFind
      ? ({ find: text, ...others }, how) => {
          if (text !== undefined) setTyped(String(text))
          change(others, how)
        }
      : change,
    clear: () => {
      setTyped('')
      reset(['tab', 'list'] as never)
    },
  }
}
