import { LOGIN_NAME_LIMIT, PERSON_NAME_LIMIT } from '@pillar/domain/access/user'
import { SEXES } from '@pillar/domain/dispensing/category'
import { z } from 'zod'
import { company } from '../company/company-admin.ts'
import { write } from '../wire/call.ts'
import { dayInput } from '../wire/dates.ts'
import { User } from './user.ts'
import { userLink } from './user-link-admin.ts'
import { userReads } from './user-read.ts'

const id = z.uuid()
const USER = '01980000-0000-7000-8000-000000000005'
const COMPANY = '01980000-0000-7000-8000-000000000002'
const one = { needs: 'sr_login', reach: 'platform', input: z.object({ uuid: id }) } as const
const loginName = z.string().max(LOGIN_NAME_LIMIT).default('')
const personName = z.string().max(PERSON_NAME_LIMIT)
/** Left out: unchanged. Null or empty text: cleared. */
const optionalName = personName.nullish()

const { search, info } = userReads
const stale = () => [
  ...[search, info, company.users, company.search, company.getCompanies, company.loginLocations],
  // Who gets the letters, and at which address.
  userLink.notifications,
]
const done = z.object({ message: z.string() })

/** Users in the support console. */
export const user = {
  ...userReads,
  create: write({
    path: '/api/user/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about:
      'Adds a user to a company. Without a password, the user chooses one through an invitation link; a password set here must be changed at the first sign-in. The account creation email carries a one-time link, never a password.',
    example: {
      company_id: COMPANY,
      username: 'jo.marsh',
      email: 'jo@saltbush.example',
      first_name: 'Jo',
      last_name: 'Marsh',
      enterprise_login: true,
    },
    input: z.object({
      company_id: z.union([id, z.literal('')]).default(''),
      username: loginName,
      password: z.string().max(1000).nullish(),
      first_name: personName.default(''),
      last_name: personName.default(''),
      email: loginName,
      /** May open the head office's pages and the features the company has switched on. */
      enterprise_login: z.boolean().default(false),
      account_creation_email: z.boolean().default(true),
    }),
    output: z.object({ data: User }),
  }),
  edit: write({
    path: '/api/user/{uuid}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Changes a user. If the email address changes, the old address is notified.',
    example: { uuid: USER, name: 'jo.marsh', first_name: 'Jo', last_name: 'Marsh', email: 'jo@saltbush.example' },
    input: z.object({
      uuid: id,
      login_id: id.nullish(),
      /** The username. */
      name: loginName,
      first_name: personName.default(''),
      last_name: personName.default(''),
      email: loginName,
      /** Left out: unchanged. The same holds for the fields below. */
      guild_login: z.boolean().nullish(),
      clinical_trials_login: z.boolean().nullish(),
      /** Required with `clinical_trials_login`. */
      recruiter_id: z.union([id, z.literal('')]).nullish(),
      enterprise_login: z.boolean().nullish(),
      middle_name: optionalName,
      preferred_name: optionalName,
      dob: z.union([dayInput, z.literal('')]).nullish(),
      sex: z.union([z.enum(SEXES), z.literal('')]).nullish(),
      version: z.number().int().nullish(),
    }),
    output: User,
  }),
  resetPassword: write({
    path: '/api/user/{uuid}/reset/password',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about:
      'Sets a password for a user, who must change it at the next sign-in. All their sessions end, and an email tells them.',
    example: { uuid: USER, password: 'nine pelicans near Broome' },
    input: z.object({ uuid: id, password: z.string().max(1000).default('') }),
    output: done,
  }),
  invite: write({
    path: '/api/user/{uuid}/invite',
    ...one,
    stepUp: 'save',
    refreshes: stale,
    about: 'Mails a one-time link with which the user chooses a password. A newer link replaces an older one.',
    example: { uuid: USER },
    output: done,
  }),
  disable: write({
    path: '/api/user/{uuid}/disable',
    ...one,
    stepUp: 'deactivate',
    refreshes: stale,
    about: 'Disables a user: every session ends at once and no link works.',
    example: { uuid: USER },
    output: User,
  }),
  enable: write({
    path: '/api/user/{uuid}/enable',
    ...one,
    stepUp: 'activate',
    refreshes: stale,
    about: 'Lets a disabled user sign in again.',
    example: { uuid: USER },
    output: User,
  }),
  endSessions: write({
    path: '/api/user/{uuid}/end-sessions',
    ...one,
    stepUp: 'save',
    about: 'Signs a user out everywhere.',
    example: { uuid: USER },
    output: z.object({ ended: z.number() }),
  }),
  remove: write({
    path: '/api/user/{uuid}/remove',
    ...one,
    stepUp: 'delete',
    refreshes: stale,
    about:
      'Removes a user who owns nothing. They can be restored for 30 days. Their sessions end at once, and their username becomes free.',
    example: { uuid: USER },
    output: z.object({ removed: z.literal(true) }),
  }),
  restore: write({
    path: '/api/user/{uuid}/restore',
    ...one,
    stepUp: 'save',
    refreshes: stale,
    about: 'Restores a removed user as they were, within 30 days.',
    example: { uuid: USER },
    output: User,
  }),
}
