import { z } from 'zod'

/** Rows of one page of every list whose size the server sets. */
export const PER_PAGE = 20

/** The page asked for, from 1. Clients send numbers or digits. */
export const pageField = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().int().min(1).max(100_000))
  .default(1)

/** What every paged list carries beside its rows. */
export const paged = {
  current_page: z.number(),
  page_count: z.number(),
  per_page: z.number(),
  /** Rows over all pages. */
  total: z.number(),
}

export const searchField = z.string().max(200).default('')
