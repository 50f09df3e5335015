import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { Env } from '../env.ts'

/** An AI service that writes text. */
export interface Ai {
  readonly model: string
  /**
   * The model's answer to an instruction and what a person asked; may be empty.
   * @throws AiFailure when there is none within 20 seconds
   */
  write: (instruction: string, asked: string) => Promise<string>
}

/** Why there is no answer, in plain words; never holds what was asked. */
export class AiFailure extends Error {}

const LIMIT_MS = 20_000
/** Far more than a text or a short e-mail needs; a bound on what one request may cost. */
const MOST_TOKENS = 2_000

/**
 * The AI service of this installation, spoken to through the OpenAI protocol; null where neither AI_BASE_URL nor AI_API_KEY is set.
 * `limitMs` is for tests.
 * @throws Error naming the setting that is missing, fit to print
 */
export function openAi(env: Pick<Env, 'AI_BASE_URL' | 'AI_API_KEY' | 'AI_MODEL'>, limitMs = LIMIT_MS): Ai | null {
  const { AI_BASE_URL: baseURL, AI_API_KEY: apiKey, AI_MODEL: model } = env
  if (!baseURL && !apiKey) return null
  if (!model) {
    throw new Error(
      'The setting AI_MODEL is missing: name the model that the AI service is to use. See docs/operations.md.',
    )
  }
  const client = new OpenAI({
    // A service of one's own may need no key, but the library asks for one. Given here, no variable of the library's own is read.
    apiKey: apiKey ?? 'none',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: limitMs,
    logLevel: 'off',
  })
  return {
    model,
    async write(instruction, asked) {
      try {
        const answer = await client.chat.completions.create(
          {
            model,
            max_completion_tokens: MOST_TOKENS,
            messages: [
              { role: 'system', content: instruction },
              { role: 'user', content: asked },
            ],
          },
          // The library's own limit ends with the headers of the answer; this one covers its body too.
          { signal: AbortSignal.timeout(limitMs) },
        )
        return answer.choices?.[0]?.message?.content ?? ''
      } catch (error) {
        throw new AiFailure(reasonOf(error, limitMs))
      }
    },
  }
}

function reasonOf(error: unknown, limitMs: number): string {
  const late = error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name)
  if (late || error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return `it did not answer within ${limitMs / 1000} seconds`
  }
  if (error instanceof APIConnectionError) return 'it could not be reached'
  if (error instanceof APIError && error.status === 429) return 'it has too much to do, or its quota is used up'
  if (error instanceof APIError && (error.status === 401 || error.status === 403)) return 'it does not accept our key'
  if (error instanceof APIError && error.status) return `it answered with error ${error.status}`
  return 'its answer could not be read'
}
