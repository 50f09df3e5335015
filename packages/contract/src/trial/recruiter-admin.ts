import { RECRUITER_NAME_LIMIT, RECRUITER_TYPE_VALUES, TRIAL_TEXT_LIMIT } from '@pillar/domain/trial/recruiter'
import { z } from 'zod'
import { userReads } from '../access/user-read.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'
import { clinicalTrial } from './trial-admin.ts'

const type = z.enum(RECRUITER_TYPE_VALUES)

/** A company that looks for patients for trials (recruiter), or runs them (provider). */
export const RecruiterProvider = z.object({
  recruiter_provider_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  recruiter_or_provider: type,
  logo_url: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string(),
  privacy_policy_url: z.string(),
  version: z.number(),
})
export type RecruiterProvider = z.output<typeof RecruiterProvider>

const recruiter_provider_id = z.uuid()
const line = z.string().max(500).default('')
const fields = {
  name: z.string().max(RECRUITER_NAME_LIMIT).default(''),
  description: z.string().max(TRIAL_TEXT_LIMIT).default(''),
  /** When null or left out, one sentence names it with the other missing fields. */
  recruiter_or_provider: type.nullish(),
  logo_url: line,
  phone: line,
  email: line,
  website: line,
  privacy_policy_url: line,
}
const ID = '01980000-0000-7000-8000-000000000006'
const MERIDIAN = {
  name: 'Meridian Trials',
  description: 'Adults with a chronic heart condition',
  recruiter_or_provider: 'recruiter',
  logo_url: 'https://meridian-trials.example/logo.svg',
  phone: '02 5550 0190',
  email: 'hello@meridian-trials.example',
  website: 'https://meridian-trials.example',
  privacy_policy_url: 'https://meridian-trials.example/privacy',
} as const

const search = read({
  path: '/api/recruiter-provider/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Recruiters and providers of clinical trials, by part of their name.',
  example: { name: 'meridian', recruiter_provider: 'recruiter', page: 1 },
  input: listInput(['name', 'type', 'updated_at'], { name: searchField, recruiter_provider: type.nullish() }),
  output: listOf(RecruiterProvider, 'data'),
})

const info = read({
  path: '/api/recruiter-provider/admin/{recruiter_provider_id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One recruiter or provider.',
  example: { recruiter_provider_id: ID },
  input: z.object({ recruiter_provider_id }),
  output: RecruiterProvider,
})

/** Recruiters and providers of clinical trials in the support console. */
export const recruiterProvider = {
  search,
  info,
  create: write({
    path: '/api/recruiter-provider/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search],
    about: 'Adds a recruiter or provider. Addresses start with https://; nothing is fetched from them.',
    example: MERIDIAN,
    input: z.object(fields),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/recruiter-provider/admin/{recruiter_provider_id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search, info, clinicalTrial.search, clinicalTrial.info, userReads.search, userReads.info],
    about: 'Changes a recruiter or provider. Its type is fixed once a trial or a login uses it.',
    example: { recruiter_provider_id: ID, ...MERIDIAN, version: 1 },
    input: z.object({ recruiter_provider_id, ...fields, version: z.number().int().nullish() }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
}
