import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { type Ai, AiFailure } from './ai.ts'
import { shortAnswer } from './http-call.ts'

/** Far more than a text or a short email needs; bounds the cost of one request. */
const MOST_TOKENS = 2_000
/** Stop reading a service that exceeds this. */
const MOST_CHARACTERS = 20_000
/** In pieces, each letter may come in some 300 bytes. */
const MOST_BYTES = 10_000_000

interface Service {
  baseURL: string | undefined
  apiKey: string | undefined
  model: string
  limitMs: number
}

/** Calls a service through the OpenAI protocol. */
export function openAiWriter({ baseURL, apiKey, model, limitMs }: Service): Ai['write'] {
  const client = new OpenAI({
    // A self-hosted service may need no key, but the library requires one. Passing it here keeps the library from reading its own
    // environment variable.
    apiKey: apiKey ?? 'none',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: limitMs,
    logLevel: 'off',
    fetch: (url, how) => shortAnswer(url, how, MOST_BYTES),
  })
  return async (instruction, asked, { onText, gone } = {}) => {
    const question: Question = {
      model,
      max_completion_tokens: MOST_TOKENS,
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: asked },
      ],
    }
    // The library's own limit ends with the answer's headers; this one covers the body too.
    const late = AbortSignal.timeout(limitMs)
    const signal = gone ? AbortSignal.any([late, gone]) : late
    try {
      return await (onText ? inPieces(client, question, signal, onText) : whole(client, question, signal))
    } catch (error) {
      if (gone?.aborted) throw new AiFailure('nobody waited for it')
      throw new AiFailure(signal.aborted ? lateText(limitMs) : reasonOf(error, limitMs))
    }
  }
}

type Question = Pick<ChatCompletionCreateParams, 'model' | 'max_completion_tokens' | 'messages'>

async function whole(client: OpenAI, question: Question, signal: AbortSignal): Promise<string> {
  const answer = await client.chat.completions.create(question, { signal })
  return textOf(answer.choices?.[0]?.message?.content).slice(0, MOST_CHARACTERS)
}

/** @throws Error if the service sent something else as text */
function textOf(content: unknown): string {
  if (typeof (content ?? '') !== 'string') throw new Error('no text')
  return (content as string | null | undefined) ?? ''
}

/** @throws Error if the answer ends before the service says it is complete: a connection closed politely looks like an end. */
async function inPieces(
  client: OpenAI,
  question: Question,
  signal: AbortSignal,
  onText: (soFar: string) => void,
): Promise<string> {
  let text = ''
  let ended = false
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true }, { signal })) {
    const choice = chunk.choices?.[0]
    const more = textOf(choice?.delta?.content)
    if (choice?.finish_reason) ended = true
    if (more === '') continue
    text = (text + more).slice(0, MOST_CHARACTERS)
    onText(text)
    if (text.length === MOST_CHARACTERS) return text
  }
  // An aborted stream ends as though it were complete.
  signal.throwIfAborted()
  if (!ended) throw new BrokenOff()
  return text
}

class BrokenOff extends Error {}

const lateText = (limitMs: number) => `it did not answer within ${limitMs / 1000} seconds`

function reasonOf(error: unknown, limitMs: number): string {
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) return lateText(limitMs)
  if (error instanceof APIConnectionError) return 'it could not be reached'
  if (error instanceof APIError && error.status === 429) return 'it has too much to do, or its quota is used up'
  if (error instanceof APIError && (error.status === 401 || error.status === 403)) return 'it does not accept our key'
  if (error instanceof APIError && error.status) return `it answered with error ${error.status}`
  if (error instanceof BrokenOff || isConnectionLost(error)) return 'its answer broke off'
  return 'its answer could not be read'
}

/** What fetch throws when the connection is lost in the middle of a body. */
const isConnectionLost = (error: unknown) => error instanceof TypeError && error.message === 'terminated'
