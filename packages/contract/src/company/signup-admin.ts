import { COMPANY_NAME_LIMIT } from '@pillar/domain/company/company'
import { SIGNUP_STATES } from '@pillar/domain/signup/signup'
import { z } from 'zod'
import { userReads } from '../access/user-read.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { company } from './company-admin.ts'

/** A sign-up as support sees it. */
export const Signup = z.object({
  uuid: z.uuid(),
  state: z.enum(SIGNUP_STATES),
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  job_title: z.string().nullable(),
  phone: z.string().nullable(),
  pharmacy_name: z.string(),
  pharmacy_phone: z.string(),
  sources: z.array(z.string()),
  /** Software the page called unsupported and promised to email about. */
  asked_for: z.array(z.string()),
  /** When the promised email was sent. */
  supported_told_at: z.iso.datetime().nullable(),
  street_address: z.string(),
  town: z.string(),
  region: z.string(),
  postcode: z.string(),
  email_marketing: z.boolean(),
  created_at: z.iso.datetime(),
  confirmed_at: z.iso.datetime().nullable(),
  decided_at: z.iso.datetime().nullable(),
  /** Who decided. */
  decided_by: z.string().nullable(),
  /** Why it was rejected. */
  reason: z.string().nullable(),
  /** The company created from it. */
  company: z.object({ uuid: z.uuid(), name: z.string() }).nullable(),
})
export type Signup = z.output<typeof Signup>

const uuid = z.uuid()
const ID = '01980000-0000-7000-8000-000000000031'

const search = read({
  path: '/api/signup/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about:
    'Sign-ups from the calculator page, waiting ones first; searched by name, pharmacy, complete email address or username.',
  example: { state: 'waiting', page: 1 },
  input: listInput(['created_at', 'pharmacy_name', 'name'], { state: z.enum(SIGNUP_STATES).nullish() }),
  output: listOf(Signup).extend({
    /** The number waiting for a decision. */
    waiting: z.number(),
  }),
})

const info = read({
  path: '/api/signup/admin/{uuid}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One sign-up.',
  example: { uuid: ID },
  input: z.object({ uuid }),
  output: Signup,
})

/** The queue of sign-ups in the support console. */
export const signupAdmin = {
  search,
  info,
  approve: write({
    path: '/api/signup/admin/{uuid}/approve',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search, info, company.search, company.getCompanies, company.list, userReads.search],
    about:
      'Turns a sign-up into an account in one step: a company with 60 Day Signup, its pharmacy with an upload key, and a login with the chosen password. A letter tells the person that it is ready.',
    example: { uuid: ID, company_name: 'Saltbush Pharmacy', username: 'jo.marsh', no_guild_consent: true },
    input: z.object({
      uuid,
      /** Empty: the pharmacy's name. */
      company_name: z.string().max(COMPANY_NAME_LIMIT).default(''),
      /** Empty: the username the person asked for. */
      username: z.string().max(254).default(''),
      /** Left out: true, because the page stated the Guild's access only until a date now past. */
      no_guild_consent: z.boolean().nullish(),
    }),
    output: Signup,
  }),
  tellSupported: write({
    path: '/api/signup/admin/{uuid}/tell-supported',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search, info],
    about:
      'Tells somebody by email, once, that the dispensing software they signed up with is now supported. Only for people the page promised this email, with a confirmed address.',
    example: { uuid: ID },
    input: z.object({ uuid }),
    output: Signup,
  }),
  reject: write({
    path: '/api/signup/admin/{uuid}/reject',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search, info],
    about: 'Turns a sign-up down. A letter gives the reason, if its address was confirmed.',
    example: { uuid: ID, reason: 'We could not find a pharmacy of this name at this address.' },
    input: z.object({ uuid, reason: z.string().max(500).default('') }),
    output: Signup,
  }),
}
