import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import { rowsOf } from '@pillar/contract/wire/list'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import type { RefusedError } from '../../shared/refused.ts'
import type { ListSearch } from './list-search.ts'
import { useLastPage } from './page/useLastPage.ts'
import { useListState } from './useListState.ts'

/** A row of a list's answer: an item of its only array. */
export type RowOf<C extends Call> = {
  [K in keyof ReplyOf<C>]: ReplyOf<C>[K] extends readonly (infer Row)[] ? Row : never
}[keyof ReplyOf<C>]

/** The default order of most lists. */
const BY_NAME: Sorting = { field: 'name', order: 'asc' }

export interface Sorting {
  field: string
  order: 'asc' | 'desc'
}

interface ListOptions<Row, Input> {
  /** The field that identifies a row. */
  id: keyof Row & string
  /** The noun for the rows: 'company', 'companies'. */
  one: string
  many: string
  /** What an empty list says first; 'No companies yet' unless given. */
  none?: string
  /** The input's field for the search term; null for a list without a search. */
  find?: (keyof Input & string) | null
  /** Further filters, in the call's format; undefined ones are off. */
  filters?: Partial<Input>
  /** The list's fixed scope, which is not one of the user's filters. */
  within?: Partial<Input>
  /** The initial order; by name unless given. */
  sort?: Sorting | null
  /** The most rows the server counts. */
  most?: number
  /** The search term is a person's name, so it stays out of the address, which histories and logs keep. */
  privateFind?: true
  /** The selectable numbers of rows per page, the first being the default; the call's `per_page`. Without any, the server decides. */
  sizes?: readonly number[]
}

export interface List<Row, Input = object, Answer = unknown> {
  rows: readonly Row[]
  idOf: (row: Row) => string
  one: string
  many: string
  none: string
  page: number
  pages: number
  perPage: number
  total: number
  /** There may be more rows than were counted. */
  uncounted: boolean
  /** The selectable numbers of rows per page, if any. */
  sizes: readonly number[]
  sort: Sorting | null
  /** The search term; null if there is no search. */
  find: string | null
  /** The number of active filters, including the search. */
  filtered: number
  /** The filters of the rows, without page and sort. */
  filter: Partial<Input>
  /** Whether the first answer is still loading. */
  loading: boolean
  /** Whether the rows shown belong to the previous question. */
  stale: boolean
  error: RefusedError | null
  retry: () => void
  /** The whole answer, for what a list shows besides its rows. */
  answer: Answer | undefined
  change: (change: Partial<ListSearch> & Readonly<Record<string, unknown>>, how?: 'push' | 'replace') => void
  /** Removes the search and every filter. */
  clear: () => void
}

interface Paged {
  current_page: number
  page_count: number
  per_page: number
  total: number
}

/** Sends the address bar's page, sort and search to a paged call, and returns the states of its answer. */
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
    none: options.none ?? `No ${many} yet`,
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
