import type { Env } from '../env.ts'
import type { Ai } from './ai.ts'

const LIMIT_MS = 20_000

/**
 * This installation's AI service, called through the OpenAI protocol; null if neither AI_BASE_URL nor AI_API_KEY is set. `limitMs` is for
 * tests.
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
  let write: Promise<Ai['write']> | null = null
  return {
    model,
    async write(...asked) {
      // The library is large, so it is loaded on first use.
      write ??= import('./ai-openai.ts').then(({ openAiWriter }) => openAiWriter({ baseURL, apiKey, model, limitMs }))
      return (await write)(...asked)
    },
  }
}
