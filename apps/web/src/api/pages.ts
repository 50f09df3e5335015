import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { mayRepeat } from '../session/session.ts'
import type { RefusedError } from '../shared/refused.ts'
import { nameOf, type SentOf, send } from './client.ts'

/** What every paged answer carries beside its rows. */
interface Paged {
  current_page: number
  page_count: number
  total: number
}

interface PagesOptions<Row> {
  enabled?: boolean
  /** Wait for what the server has now, whatever was read before: for what is about to be changed. */
  fresh?: boolean
  /** Milliseconds after which the pages are read again while somebody is at them, by what they say; false for not. */
  every?: (rows: readonly Row[]) => number | false
}

/** A list that grows at its end. */
export interface Pages<Row> {
  /** Rows of the pages read so far; empty until the first is there. */
  rows: readonly Row[]
  /** Rows over all pages; null until the first page is there, also where it failed to load. */
  total: number | null
  /** The first page is on its way. */
  loading: boolean
  loadingMore: boolean
  error: RefusedError | null
  /** The error is of the next page; otherwise of the list, which could not be read or not read again. */
  stuck: boolean
  /** Whether there is another page. */
  more: boolean
  /** Asks for the next page; after one that failed only `retry` does, so that what asks by itself does not ask for ever. */
  loadMore: () => void
  retry: () => void
  /** What is shown belongs to the filters before. */
  stale: boolean
}

/**
 * Reads a paged call page by page, under the same cache name, so that writes refresh it like any other read. `rowsOf`
 * and `idOf` say where an answer's rows and a row's id stand; a row that moved onto the next page meanwhile shows once.
 */
export function usePages<C extends Call, Row>(
  call: C,
  input: Omit<AskOf<C>, 'page'>,
  rowsOf: (answer: ReplyOf<C>) => readonly Row[],
  idOf: (row: Row) => string,
  options: PagesOptions<Row> = {},
): Pages<Row> {
  const query = useInfiniteQuery<ReplyOf<C>, RefusedError, { pages: ReplyOf<C>[] }, readonly unknown[], number>({
    queryKey: [nameOf(call), input, 'pages'],
    queryFn: ({ pageParam, signal }) => send(call, { ...input, page: pageParam } as SentOf<C>, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => nextPage(last as unknown as Paged),
    enabled: options.enabled ?? true,
    staleTime: 60_000,
    refetchOnMount: options.fresh ? 'always' : true,
    placeholderData: keepPreviousData as never,
  })
  const waiting = options.fresh === true && !query.isFetchedAfterMount
  const pages = waiting ? undefined : query.data?.pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: rowsOf and idOf say where things stand and never change their mind.
  const rows = useMemo(() => once((pages ?? []).flatMap(rowsOf), idOf), [pages])
  useRepeat(query.refetch, (pages && options.every?.(rows)) || false)
  return {
    rows,
    total: (pages?.at(-1) as Paged | undefined)?.total ?? null,
    loading: query.isLoading || waiting,
    loadingMore: query.isFetchingNextPage,
    error: query.error,
    stuck: query.isFetchNextPageError,
    more: query.hasNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage()
    },
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    stale: query.isPlaceholderData,
  }
}

/** Reads again every so many milliseconds while somebody is at the page: repeating by itself must not keep a session open. */
function useRepeat(refetch: (options: { cancelRefetch: boolean }) => unknown, every: number | false): void {
  useEffect(() => {
    if (every === false) return
    const timer = setInterval(() => {
      if (mayRepeat()) void refetch({ cancelRefetch: false })
    }, every)
    return () => clearInterval(timer)
  }, [every, refetch])
}

/** The page after this one; undefined at the end. */
export function nextPage({ current_page, page_count }: Pick<Paged, 'current_page' | 'page_count'>): number | undefined {
  return current_page < page_count ? current_page + 1 : undefined
}

/** Rows with each id once, the newest answer winning. */
export function once<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}
