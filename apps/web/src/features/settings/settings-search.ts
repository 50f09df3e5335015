import { SEQUENCE_EVENT_VALUES } from '@pillar/domain/campaign/sequence'
import { DASHBOARD_TYPE_VALUES } from '@pillar/domain/dashboard/dashboard'
import { SIGNUP_STATES } from '@pillar/domain/signup/signup'
import { FAULTY_STATES } from '@pillar/domain/upload/faulty-upload'
import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { actSearch } from '../audit/act-search.ts'

const oneOf = <const T extends readonly string[]>(words: T) => z.catch(z.optional(z.enum(words)), undefined)

/** What the address bar holds of Settings: the tab by its number, its list, and what the list is filtered by. */
export const settingsSearch = z.object({
  ...listSearch,
  tab: z.catch(z.optional(z.number().check(z.int())), undefined),
  list: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
  type: oneOf(['sms', 'email', 'both']),
  status: oneOf(['active', 'inactive']),
  /** Faulty uploads: for how long a pharmacy was silent, and which part of the work. */
  silence: oneOf(['off']),
  by: oneOf(['hours']),
  limit: z.catch(z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(2160))), undefined),
  state: oneOf(FAULTY_STATES),
  assigned: oneOf(['me', 'nobody']),
  rest: oneOf(['only']),
  kind: oneOf(['enterprise', 'pharmacy']),
  dashboard: oneOf(DASHBOARD_TYPE_VALUES),
  removed: oneOf(['yes']),
  event: oneOf(SEQUENCE_EVENT_VALUES),
  sequence: z.catch(z.optional(z.uuid()), undefined),
  recruiter: oneOf(['recruiter', 'provider']),
  signup: oneOf(SIGNUP_STATES),
  ...actSearch,
  company: z.catch(z.optional(z.uuid()), undefined),
  /** In a company's opened row: the pharmacy that is open, and the upload its history is open at. */
  pharmacy: z.catch(z.optional(z.uuid()), undefined),
  upload: z.catch(z.optional(z.uuid()), undefined),
  /** Which users are listed. */
  show: oneOf(['active', 'waiting', 'disabled', 'unlinked', 'removed']),
  /** The Create Account wizard: 'new', or the uuid of the company it is about, and the open step. */
  account: z.catch(z.optional(z.union([z.literal('new'), z.uuid()])), undefined),
  step: oneOf(['company', 'users', 'locations', 'links', 'onboarding']),
  goal: oneOf(['revenue', 'adherence', 'loyalty', 'scripts']),
})
export type SettingsSearch = z.output<typeof settingsSearch>
