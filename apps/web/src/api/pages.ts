import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { mayRepeat } from '../session/session.ts'
import type { RefusedError } from '../shared/refused.ts'
import { nameOf, type SentOf, send } from './client.ts'

/** What every paged answer carries besides its rows. */
interface Paged {
  current_page: number
  page_count: number
  total: number
}

interface PagesOptions<Row> {
  enabled?: boolean
  /** Wait for the server's current data even if there are earlier answers; for lists about to be changed. */
  fresh?: boolean
  /** Milliseconds until the pages are read again while somebody is at them, given their rows; false for never. */
  every?: (rows: readonly Row[]) => number | false
}

/** A list that grows at its end. */
export interface Pages<Row> {
  /** Rows of the pages read so far; empty until the first page arrives. */
  rows: readonly Row[]
  /** Rows over all pages; null until the first page arrives, or if it failed to load. */
  total: number | null
  /** Whether the first page is still loading. */
  loading: boolean
  loadingMore: boolean
  /** Whether the rows are out of date, after a write for example, and being read again. */
  rereading: boolean
  error: RefusedError | null
  /** Whether the error concerns the next page; otherwise the list could not be read, or not read again. */
  stuck: boolean
  /** Whether there is another page. */
  more: boolean
  /** Requests the next page. After a failed one, only `retry` does, so that automatic loading does not retry for ever. */
  loadMore: () => void
  retry: () => void
  /** Whether the rows shown belong to the previous filters. */
  stale: boolean
}

/**
 * Reads a paged call page by page, under the same cache name, so that writes refresh it like any other read. `rowsOf` and `idOf` find an
 * answer's rows and a row's id. A row that moved to the next page in the meantime appears once.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: rowsOf and idOf always return the same.
  const rows = useMemo(() => once((pages ?? []).flatMap(rowsOf), idOf), [pages])
  useRepeat(query.refetch, (pages && options.every?.(rows)) || false)
  return {
    rows,
    total: (pages?.at(-1) as Paged | undefined)?.total ?? null,
    loading: query.isLoading || waiting,
    loadingMore: query.isFetchingNextPage,
    rereading: query.isRefetching && query.isStale,
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

/** Reads again at this interval while somebody is at the page, because automatic repeats must not keep a session open. */
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

/** Rows with each id once; the newest answer wins. */
export function once<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}
