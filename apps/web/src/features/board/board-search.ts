import * as z from 'zod/mini'

const text = z.catch(z.optional(z.string().check(z.maxLength(200))), undefined)

/** What the address bar may hold: the dashboard, and the drug type it is about. */
export const boardSearch = z.object({ dashboard: text, about: text })
export type BoardSearch = z.output<typeof boardSearch>
