import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

const oneOf = <const T extends readonly string[]>(words: T) => z.catch(z.optional(z.enum(words)), undefined)

/** What the address bar holds of Settings: the tab by its number, its list, and what the list is filtered by. */
export const settingsSearch = z.object({
  ...listSearch,
  tab: z.catch(z.optional(z.number().check(z.int())), undefined),
  list: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
  type: oneOf(['sms', 'email', 'both']),
  status: oneOf(['active', 'inactive']),
  kind: oneOf(['enterprise', 'pharmacy']),
})
export type SettingsSearch = z.output<typeof settingsSearch>
