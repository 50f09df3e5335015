import { type AskOf, type Call, contract, type ReplyOf } from '@pillar/contract'
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { someoneThere } from '../session/activity.ts'
import { bearer, endIfExpired } from '../session/session.ts'
import { type PostOptions, post } from '../shared/post.ts'
import { RefusedError } from '../shared/refused.ts'

const names = new Map<Call, string>()
for (const [group, calls] of Object.entries(contract)) {
  for (const [name, call] of Object.entries(calls)) names.set(call as unknown as Call, `${group}.${name}`)
}

/** A call's name in the contract, such as 'financials.stats': the first part of its cache key. */
export function nameOf(call: Call): string {
  const name = names.get(call)
  if (!name) throw new Error(`a call outside the contract: ${call.path}`)
  return name
}

/** The path of a call with its `{id}` parts filled from the input. */
export function pathOf(path: string, input: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(input[part])))
}

/**
 * What a screen sends to a call. Where the call takes a version it must be given: without one somebody else's changes would be lost.
 */
export type SentOf<C> = string extends keyof AskOf<C>
  ? AskOf<C>
  : 'version' extends keyof AskOf<C>
    ? AskOf<C> & { version: number }
    : AskOf<C>

/**
 * Sends one call of the contract and returns its answer. Calls that need a sign-in get the bearer, refreshed first when
 * it is over 5 minutes old. Throws a RefusedError; one that says the session has expired also leads to the login page.
 */
export async function send<C extends Call>(
  call: C,
  input: SentOf<C>,
  options: Pick<PostOptions, 'grant' | 'signal'> = {},
): Promise<ReplyOf<C>> {
  const open = call.needs === 'public' || call.needs === 'session-cookie'
  const token = open ? null : await bearer()
  try {
    const path = pathOf(call.path, input as Readonly<Record<string, unknown>>)
    return (await post(path, input, { ...options, bearer: token })) as ReplyOf<C>
  } catch (error) {
    if (!open) endIfExpired(error)
    throw error
  }
}

export interface ReadOptions {
  enabled?: boolean
  /** Keep showing the last answer, dimmed by the screen, while a new input loads. */
  keepPrevious?: boolean
  /** Milliseconds an answer counts as fresh; default 60,000. */
  staleTime?: number
  /** Milliseconds after which it is read again while the page is looked at, by what the last answer says; false for not. */
  every?: (data: unknown) => number | false
}

/** What a read of an answer gives a screen. */
export type ReadOf<A> = UseQueryResult<A, RefusedError>

/** Reads a call, cached under its name and input. */
export function useRead<C extends Call>(
  call: C,
  input: AskOf<C>,
  options: ReadOptions = {},
): UseQueryResult<ReplyOf<C>, RefusedError> {
  return useQuery<ReplyOf<C>, RefusedError>({
    queryKey: [nameOf(call), input],
    queryFn: ({ signal, client, queryKey }) => {
      // What repeats by itself is no activity: a page left alone keeps its last answer, and its session may end.
      const last = options.every && !someoneThere() ? client.getQueryData<ReplyOf<C>>(queryKey) : undefined
      return last === undefined ? send(call, input as SentOf<C>, { signal }) : Promise.resolve(last)
    },
    enabled: options.enabled ?? true,
    staleTime: options.staleTime ?? 60_000,
    refetchInterval: (query) => options.every?.(query.state.data) ?? false,
    // Query's conditional placeholder type cannot be resolved while C is open.
    ...(options.keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  })
}

/** Writes a call; when it succeeds, what the call declares as stale is read again. */
export function useWrite<C extends Call>(call: C): UseMutationResult<ReplyOf<C>, RefusedError, SentOf<C>> {
  const client = useQueryClient()
  return useMutation<ReplyOf<C>, RefusedError, SentOf<C>>({
    mutationKey: [nameOf(call)],
    mutationFn: (input) => send(call, input),
    onSuccess: () => refresh(client, call),
  })
}

/** The same for a call that wants the password again: mutate with `{ input, grant }`. */
export function useGrantedWrite<C extends Call>(
  call: C,
): UseMutationResult<ReplyOf<C>, RefusedError, { input: SentOf<C>; grant: string }> {
  const client = useQueryClient()
  return useMutation<ReplyOf<C>, RefusedError, { input: SentOf<C>; grant: string }>({
    mutationKey: [nameOf(call)],
    mutationFn: ({ input, grant }) => send(call, input, { grant }),
    onSuccess: () => refresh(client, call),
  })
}

/** Reads again what a call declares as stale, for a screen that must choose when; `useWrite` does it by itself. */
export async function refresh(client: QueryClient, call: Call): Promise<void> {
  await Promise.all(
    (call.refreshes?.() ?? []).map(async (stale) => {
      const name = nameOf(stale)
      // A first answer that is on its way may be from before the write: invalidating alone would let it stand.
      await client.cancelQueries({ queryKey: [name] })
      await client.invalidateQueries({ queryKey: [name] })
    }),
  )
}

/** Longer than this nobody is kept waiting for a read. */
const LONGEST_RETRY_SECONDS = 10

/** Whether reading again by itself may help: no answer, a server that is starting or stopping, or one that says "in a moment". */
export function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 1 || !(error instanceof RefusedError)) return false
  if (error.status === 429) return error.retryAfter !== null && error.retryAfter <= LONGEST_RETRY_SECONDS
  return error.status === 0 || error.status >= 502
}

/** Milliseconds until then: what the server asked for, else a second. */
export function retryDelay(_failures: number, error: unknown): number {
  const asked = error instanceof RefusedError ? error.retryAfter : null
  return (asked === null ? 1 : Math.min(asked, LONGEST_RETRY_SECONDS)) * 1000
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Not on focus: looking at a tab is no activity, and would keep a session open by itself.
      queries: { retry: mayRetry, retryDelay, refetchOnWindowFocus: false, refetchOnReconnect: false },
      mutations: { retry: false },
    },
  })
}
