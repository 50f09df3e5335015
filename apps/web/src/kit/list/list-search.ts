import * as z from 'zod/mini'

// The router reads a value of digits alone as a number; a hand-written address may hold either.
const text = z.catch(z.optional(z.union([z.string().check(z.maxLength(200)), z.number()])), undefined)

/** What the address bar holds of any list; a route's schema adds its filters. A value it does not know is dropped: an old link still opens. */
export const listSearch = {
  page: z.catch(z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(100_000))), undefined),
  rows: z.catch(z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(200))), undefined),
  sort: text,
  order: z.catch(z.optional(z.enum(['asc', 'desc'])), undefined),
  find: text,
}
const whole = z.object(listSearch)
export type ListSearch = z.output<typeof whole>
