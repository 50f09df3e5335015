import { z } from 'zod'
import { read } from '../wire/call.ts'

/** What can be found, in display order. */
const FOUND = z.enum([
  'company',
  'pharmacy',
  'user',
  'template',
  'campaign',
  'trial',
  'recruiter',
  'sequence',
  'dashboard',
  'upload',
])
export type FoundKind = z.output<typeof FOUND>

export const Found = z.object({
  kind: FOUND,
  uuid: z.uuid(),
  name: z.string(),
  /** What tells it from others of the same name: its company, username or state. */
  detail: z.string(),
  /** Its address: /settings?tab=…&list=…&find=…&pharmacy=…, with &upload=… for an upload. */
  tab: z.number(),
  list: z.string().nullable(),
  find: z.string(),
  /** The pharmacy itself, or the one it came from; null for anything listed on a row of its own. */
  pharmacy: z.uuid().nullable(),
})
export type Found = z.output<typeof Found>

/** The most of one kind in an answer. */
export const FOUND_EACH = 5

export const find = {
  search: read({
    path: '/api/find/admin',
    needs: 'sr_login',
    reach: 'platform',
    about:
      'Companies, pharmacies, users, templates, campaigns, trials, sequences, dashboards and uploads, by the beginnings of the words of their names, ' +
      'by uuid or its first eight digits or more, and pharmacies by the beginning of their upload key; up to five of each.',
    example: { term: 'saltbush bal' },
    input: z.object({ term: z.string().max(200).default('') }),
    output: z.object({ results: z.array(Found) }),
  }),
}
