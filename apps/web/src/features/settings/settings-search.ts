import { SEQUENCE_EVENT_VALUES } from '@pillar/domain/campaign/sequence'
import { DASHBOARD_TYPE_VALUES } from '@pillar/domain/dashboard/dashboard'
import { SIGNUP_STATES } from '@pillar/domain/signup/signup'
import { FAULTY_STATES } from '@pillar/domain/upload/faulty-upload'
import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { known } from '../../shared/search-field.ts'
import { actSearch } from '../audit/act-search.ts'

const oneOf = <const T extends readonly string[]>(words: T) => known(z.enum(words))

/** Settings in the address bar: the tab by its number, its list, and the list's filters. */
export const settingsSearch = z.object({
  ...listSearch,
  tab: known(z.number().check(z.int())),
  list: known(z.string().check(z.maxLength(40))),
  type: oneOf(['sms', 'email', 'both']),
  status: oneOf(['active', 'inactive']),
  /** Faulty uploads: how long a pharmacy was silent, and which part of the work. */
  silence: oneOf(['off']),
  by: oneOf(['hours']),
  limit: known(z.number().check(z.int(), z.minimum(1), z.maximum(2160))),
  state: oneOf(FAULTY_STATES),
  assigned: oneOf(['me', 'nobody']),
  rest: oneOf(['only']),
  kind: oneOf(['enterprise', 'pharmacy']),
  dashboard: oneOf(DASHBOARD_TYPE_VALUES),
  removed: oneOf(['yes']),
  event: oneOf(SEQUENCE_EVENT_VALUES),
  sequence: known(z.uuid()),
  recruiter: oneOf(['recruiter', 'provider']),
  signup: oneOf(SIGNUP_STATES),
  ...actSearch,
  company: known(z.uuid()),
  /** In a company's opened row: the open pharmacy, and the upload its history is open at. */
  pharmacy: known(z.uuid()),
  upload: known(z.uuid()),
  /** Which users are listed. */
  show: oneOf(['active', 'waiting', 'disabled', 'unlinked', 'removed']),
  /** The Create Account wizard: 'new', or the uuid of its company, and the open step. */
  account: known(z.union([z.literal('new'), z.uuid()])),
  step: oneOf(['company', 'users', 'locations', 'links', 'onboarding']),
  goal: oneOf(['revenue', 'adherence', 'loyalty', 'scripts']),
})
export type SettingsSearch = z.output<typeof settingsSearch>
