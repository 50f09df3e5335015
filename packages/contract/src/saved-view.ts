import { z } from 'zod'
import { read, write } from './wire/call.ts'
import { needed } from './wire/needed.ts'

const id = z.uuid()
const name = z.string(needed('Please enter a name.')).max(200)
/** The longest state stored, as JSON; an address bar holds no more either. */
const STATE_LENGTH = 16_000
/** What the screen keeps in the address bar: texts, numbers, switches and lists of texts. */
const state = z
  .record(
    z.string().max(100),
    z.union([z.string().max(8000), z.number(), z.boolean(), z.array(z.string().max(200)).max(2000)]),
  )
  .refine((value) => JSON.stringify(value).length <= STATE_LENGTH, 'This view holds too much to be saved.')

export const SavedView = z.object({
  id,
  name: z.string(),
  shared: z.boolean(),
  state,
  /** Whether the caller made it. */
  mine: z.boolean(),
  made_by: z.string().nullable(),
  /** Whether the caller may rename, replace, share or remove it. */
  may_change: z.boolean(),
  /** Whether Financials opens with it for the caller. */
  is_default: z.boolean(),
  changed_at: z.iso.datetime(),
  version: z.number(),
})
export type SavedView = z.output<typeof SavedView>

const list = read({
  path: '/api/saved-view/list',
  needs: 'data_analytics',
  about: 'The caller’s saved views of Financials, and those that colleagues share.',
  example: {},
  input: z.object({}),
  output: z.object({ views: z.array(SavedView) }),
})

/** Named views of Financials: filters, period, category, statistic, order and columns. */
export const savedView = {
  list,
  create: write({
    path: '/api/saved-view/create',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Saves a view of Financials under a name, for the caller or shared with the company.',
    example: { name: 'Victoria, monthly', shared: false, state: { state: 'VIC', period: '2026-11' } },
    input: z.object({ name, shared: z.boolean().default(false), state }),
    output: z.object({ id, version: z.number() }),
  }),
  edit: write({
    path: '/api/saved-view/{id}/edit',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Renames a view, shares it or stops sharing it, or replaces what it shows. Fields left out stay unchanged.',
    example: { id: '01980000-0000-7000-8000-00000000000a', name: 'Victoria' },
    input: z.object({
      id,
      name: name.optional(),
      shared: z.boolean().optional(),
      state: state.optional(),
      /** The version the editor loaded; a 409 when somebody else saved in the meantime. */
      version: z.number().int().nullish(),
    }),
    output: z.object({ version: z.number() }),
  }),
  remove: write({
    path: '/api/saved-view/{id}/remove',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Removes a view. For anybody who had it as the default, Financials then opens without one.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  setDefault: write({
    path: '/api/saved-view/default',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Sets the caller’s default view of Financials; null for none.',
    example: { id: null },
    input: z.object({ id: id.nullable() }),
    output: z.object({ saved: z.literal(true) }),
  }),
}
