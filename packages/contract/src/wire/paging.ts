import { z } from 'zod'

/** Rows per page of every list whose size the server sets. */
export const PER_PAGE = 20

/** The requested page, from 1. Clients send numbers or digits. */
export const pageField = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().int().min(1).max(100_000))
  .default(1)

/** The page counts that every paged list returns with its rows. */
export const paged = {
  current_page: z.number(),
  page_count: z.number(),
  per_page: z.number(),
  /** Rows over all pages. */
  total: z.number(),
}

/** The part of a list on one page. */
export const windowOf = (page: number) => ({ limit: PER_PAGE, offset: (page - 1) * PER_PAGE })

/** The page counts of a list with this many rows; an empty list has one page. */
export const pagesOf = (page: number, total: number) => ({
  current_page: page,
  page_count: Math.max(1, Math.ceil(total / PER_PAGE)),
  per_page: PER_PAGE,
  total,
})

/** Part of a name, or of whatever a list is searched by. Left out, empty or null (as clients send for a cleared field), it finds everything. */
export const searchField = z
  .string()
  .max(200)
  .nullable()
  .default('')
  .transform((text) => text ?? '')
