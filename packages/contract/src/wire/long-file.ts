import { z } from 'zod'

/** A file too large for memory, completed before it is sent. */
export interface LongFile {
  readonly bytes: number
  /** Can be read only once. */
  readonly content: AsyncIterable<Uint8Array>
}

/** The answer of a call that makes a long file (call.ts: `long`). */
export const longFile = z.object({
  filename: z.string(),
  file: z.custom<LongFile>((value) => typeof value === 'object' && value !== null && 'content' in value),
})
