import type { z } from 'zod'

/** The words for a field that is missing or empty. One over its limit is told the limit instead (wording.ts). */
export const needed = (sentence: string) => ({
  error: ({ code }: z.core.$ZodRawIssue) => (code === 'too_big' ? undefined : sentence),
})
