import {
  type AskOf,
  type Call,
  type GuardedCall,
  type ReplyOf,
  type StepUp,
  subjectOf,
  takesKey,
} from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Granted, type Question, verify } from '../kit/dialog/question.ts'
import type { SaveAs } from '../kit/dialog/reauth-rules.ts'
import { toast } from '../kit/display/toast.tsx'
import { bearer, endIfExpired, mayRepeat } from '../session/session.ts'
import { type PostOptions, post } from '../shared/post.ts'
import { RefusedError } from '../shared/refused.ts'
import { isUnanswered, sendOnce } from './send-once.ts'
import { readAgain } from './unsure-reads.ts'
import { checkAnswer, fromOtherVersion, refusedByOther } from './upgrading.ts'

const names = new Map(everyCall.map(({ name, call }) => [call, name]))

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
 * The input a screen sends to a call. If the call takes a version, the screen must give it, because without one it could overwrite somebody
 * else's changes.
 */
export type SentOf<C> = string extends keyof AskOf<C>
  ? AskOf<C>
  : 'version' extends keyof AskOf<C>
    ? AskOf<C> & { version: number }
    : AskOf<C>

/**
 * Sends one call of the contract and returns its answer. Calls that need a sign-in get the bearer, refreshed first if it is over 5 minutes old.
 * Throws a RefusedError; one for an expired session also leads to the login page.
 */
export function send<C extends Call>(
  call: C,
  input: SentOf<C>,
  options: Pick<PostOptions, 'grant' | 'signal'> = {},
): Promise<ReplyOf<C>> {
  if (!takesKey(call)) return sendNow(call, input, options)
  return sendOnce(`${aboutOf(call, input)}${JSON.stringify(input)}`, (requestKey) =>
    sendNow(call, input, { ...options, requestKey }),
  ).catch((error: unknown) => {
    throw speaksOfOthers(error) && mayBeOwn(call, input)
      ? new RefusedError(error.status, `${error.message} ${OWN}`, error)
      : error
  })
}

/** What a write is about: its call, its object and the version that was edited. */
function aboutOf(call: Call, input: unknown): string {
  const fields = input as Readonly<Record<string, unknown>>
  return `${nameOf(call)} ${pathOf(call.path, fields)} ${fields.version ?? ''} `
}

/** Something is in the way or gone, perhaps by one's own doing. */
const speaksOfOthers = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && (error.code === 'conflict' || error.code === 'not_found') && !error.unknown

const OWN = 'This may also come from your own earlier attempt, which got no answer.'

/** Whether what a write conflicts with, or no longer finds, may be an earlier attempt of this person that got no answer, sent with other values. */
export const mayBeOwn = (call: Call, input: unknown, after = 0): boolean => isUnanswered(aboutOf(call, input), after)

async function sendNow<C extends Call>(
  call: C,
  input: SentOf<C>,
  options: Pick<PostOptions, 'grant' | 'signal' | 'requestKey'>,
): Promise<ReplyOf<C>> {
  const open = call.needs === 'public' || call.needs === 'session-cookie'
  const token = open ? null : await bearer()
  let other = false
  try {
    const path = pathOf(call.path, input as Readonly<Record<string, unknown>>)
    const answer = await post(path, input, {
      ...options,
      method: call.method,
      bearer: token,
      long: call.long ?? false,
      slow: call.slow ?? false,
      heard(headers) {
        other = fromOtherVersion(headers)
      },
    })
    return (other ? checkAnswer(call, answer) : answer) as ReplyOf<C>
  } catch (error) {
    if (!open) endIfExpired(error)
    throw other ? refusedByOther(error) : error
  }
}

export interface ReadOptions<A = unknown> {
  enabled?: boolean
  /** Keep showing the last answer, which the screen dims, while a new input loads; a function limits this to certain previous inputs. */
  keepPrevious?: boolean | ((before: Readonly<Record<string, unknown>>) => boolean)
  /** Milliseconds for which an answer counts as fresh; default 60,000. */
  staleTime?: number
  /** Milliseconds until it is read again while somebody is at the page, given the last answer; false for never. */
  every?: (data: A | undefined) => number | false
}

/** A read's result, as a screen uses it. */
export type ReadOf<A> = UseQueryResult<A, RefusedError>

/** What a read shows until its answer arrives: the last answer, or nothing if that was about something else. */
function placeholderOf(keep: ReadOptions['keepPrevious'] = false) {
  if (typeof keep === 'boolean') return keep ? keepPreviousData : undefined
  return (data: unknown, before?: { queryKey: readonly unknown[] }) =>
    before !== undefined && keep(before.queryKey[1] as Record<string, unknown>) ? data : undefined
}

/** Reads a call, cached under its name and input. */
export function useRead<C extends Call>(
  call: C,
  input: AskOf<C>,
  options: ReadOptions<ReplyOf<C>> = {},
): UseQueryResult<ReplyOf<C>, RefusedError> {
  return useQuery<ReplyOf<C>, RefusedError>({
    queryKey: [nameOf(call), input],
    queryFn: ({ signal, client, queryKey }) => {
      // Automatic repeats are no activity: on a page left alone the last answer stays, and the session may end.
      const last = options.every && !mayRepeat() ? client.getQueryData<ReplyOf<C>>(queryKey) : undefined
      return last === undefined ? send(call, input as SentOf<C>, { signal }) : Promise.resolve(last)
    },
    enabled: options.enabled ?? true,
    staleTime: options.staleTime ?? 60_000,
    refetchInterval: (query) => options.every?.(query.state.data) ?? false,
    // Query's conditional placeholder type cannot be resolved while C is open.
    placeholderData: placeholderOf(options.keepPrevious) as never,
  })
}

/** The question of a write with `stepUp`: a fixed one, one that depends on the input, or one that is read at that moment. */
export type Ask<C extends Call> = Asking<C> | ((input: SentOf<C>) => Asking<C> | Promise<Asking<C>>)

/** A question; with `saveAs` it also offers to create something new beside the existing object, which `make` then does instead. */
export interface Asking<C extends Call> extends Question {
  saveAs?: SaveAs & { make: (granted: Granted) => Promise<ReplyOf<C>> }
}

interface Telling<C extends Call> {
  /** The toast after the write; none if the screen itself shows more. */
  done?: string | ((answer: ReplyOf<C>, input: SentOf<C>) => string)
  /** For an act on a row: reads the screen's data again if somebody else was faster. A form keeps what it opened, to compare. */
  rereads?: true
}

/** The options of a write: a call with step-up must have a question; other calls cannot have one. */
export type WriteOptions<C extends Call> = C extends GuardedCall
  ? [options: Telling<C> & { ask: Ask<C> }]
  : [options?: Telling<C> & { ask?: never }]

/** The result of a write: null if the person was asked for the password and went back. */
export type Written<C extends Call> = C extends GuardedCall ? ReplyOf<C> | null : ReplyOf<C>

/**
 * Makes a call that writes; on success it reads again what the call declares as stale. A call with `stepUp` first asks for the password, in the
 * dialog that says what it does. That dialog also shows refusals, except those about a field or a newer version.
 */
export function useWrite<C extends Call>(
  call: C,
  ...[options]: WriteOptions<C>
): UseMutationResult<Written<C>, RefusedError, SentOf<C>> {
  const sendAndRefresh = useSend()
  const ask = options?.ask as Ask<C> | undefined
  const doneWords = options?.done as Telling<C>['done']
  const client = useQueryClient()
  const write = async (input: SentOf<C>): Promise<Written<C>> => {
    if (!call.stepUp || !ask) return (await sendAndRefresh(call, input)) as Written<C>
    let answer: ReplyOf<C> | null = null
    const question = typeof ask === 'function' ? await ask(input) : ask
    const act = async (granted: Granted) => {
      const make = granted.as === 'new' ? question.saveAs?.make : undefined
      answer = make ? await make(granted) : await sendAndRefresh(call, input, granted.grant)
    }
    await verify({ ...question, ...grantFor(call, input), act })
    return answer as Written<C>
  }
  return useMutation<Written<C>, RefusedError, SentOf<C>>({
    mutationKey: [nameOf(call)],
    mutationFn: async (input) => {
      const answer = await write(input).catch(async (thrown) => {
        if (options?.rereads && thrown instanceof RefusedError && thrown.code === 'conflict')
          await refresh(client, call)
        throw thrown
      })
      // Decided here and not in `onSuccess`, which belongs to the latest render: the screen and its words may already show the saved state.
      const words =
        answer === null ? '' : typeof doneWords === 'function' ? doneWords(answer as ReplyOf<C>, input) : doneWords
      if (words) toast(words)
      return answer
    },
  })
}

/**
 * The layer below `useWrite`: sends with a permission obtained elsewhere, and reads again what has become stale, or without an answer may have.
 */
export function useSend(): Send {
  const client = useQueryClient()
  const sendOnly = useSendOnly()
  return useCallback(
    async (call, input, grant) => {
      const answer = await sendOnly(call, input, grant)
      await refresh(client, call)
      return answer
    },
    [client, sendOnly],
  )
}

type Send = <C extends Call>(call: C, input: SentOf<C>, grant?: string) => Promise<ReplyOf<C>>

/** The same for a screen that chooses the moment to read again itself, with `refresh`. */
export function useSendOnly(): Send {
  const client = useQueryClient()
  return useCallback(
    (call, input, grant) =>
      send(call, input, grant === undefined ? {} : { grant }).catch((error: unknown) => {
        if (error instanceof RefusedError && error.unknown) readAgain(call, () => void refresh(client, call))
        throw error
      }),
    [client],
  )
}

/** The action and object the password must permit for a write, derived from the parsed input as on the server. */
function grantFor(call: Call, input: unknown): { action: StepUp; object: string | null } {
  const parsed = call.input.parse(input)
  const action = typeof call.stepUp === 'function' ? call.stepUp(parsed) : (call.stepUp ?? 'save')
  return { action, object: subjectOf(call, parsed) }
}

/** Reads again what a call declares as stale, for a screen that must choose the moment; `useWrite` does it automatically. */
export async function refresh(client: QueryClient, call: Call): Promise<void> {
  await Promise.all(
    (call.refreshes?.() ?? []).map(async (stale) => {
      const name = nameOf(stale)
      // A first answer still on its way may be from before the write, and invalidating alone would keep it.
      await client.cancelQueries({ queryKey: [name] })
      await client.invalidateQueries({ queryKey: [name] })
    }),
  )
}

/** The longest anybody waits for a read to be retried. */
const LONGEST_RETRY_SECONDS = 10

/** Whether retrying may help: no answer, a server that is starting or stopping, or one that asks to retry in a moment. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 1 || !(error instanceof RefusedError)) return false
  if (error.status === 429) return error.retryAfter !== null && error.retryAfter <= LONGEST_RETRY_SECONDS
  return error.status === 0 || error.status >= 502
}

/** Milliseconds until the retry: what the server asked for, else a second. */
export function retryDelay(_failures: number, error: unknown): number {
  const asked = error instanceof RefusedError ? error.retryAfter : null
  return (asked === null ? 1 : Math.min(asked, LONGEST_RETRY_SECONDS)) * 1000
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Not on focus: looking at a tab is no activity, and reading again would keep a session open. Without a connection, a call fails with a message
      // instead of waiting silently and being sent long after.
      queries: {
        ...{ networkMode: 'always', retry: mayRetry, retryDelay },
        ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
