import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'

const BOTH = 'Username and password are required.'
const username = z.string(needed(BOTH)).trim().min(1).max(254)
const password = z.string(needed(BOTH)).min(1).max(1000)
const NEW = 'Please enter a new password.'
const newPassword = z.string(needed(NEW)).min(1).max(1000)
const AGAIN = 'Please enter the new password again.'
const repeated = z.string(needed(AGAIN)).max(1000)
const CURRENT = 'Please enter your current password.'
const NAME = 'Please enter your username.'
/** The most ids one step-up may cover. */
const OBJECT_LIMIT = 40_000

/** The specification's login response. The server decides the flags; the browser only draws what they allow. */
export const LoginAnswer = z.object({
  access_token: z.string(),
  recruiter: z.object({ recruiter_provider_id: z.string(), recruiter_provider_name: z.string() }).nullable(),
  sr_login: z.boolean(),
  guild_login: z.boolean(),
  clinical_trials_login: z.boolean(),
  sixty_day_signup: z.boolean(),
  data_analytics: z.boolean(),
  supplier_analytics: z.boolean(),
  ad_analytics: z.boolean(),
  ecdr: z.boolean(),
  portal_eula: z.boolean(),
  /** Somebody else set the password, so the only call allowed is to choose a new one. */
  must_change_password: z.boolean(),
  /** `check`: the login has a second factor that this session has not shown; `setup`: it must set one up first. */
  second_factor: z.enum(['done', 'check', 'setup']),
  session_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  company: z.object({ uuid: z.string(), name: z.string(), type: z.string(), country: z.enum(COUNTRIES) }),
})
export type LoginAnswer = z.output<typeof LoginAnswer>

const done = z.object({ message: z.string() })

export const session = {
  login: write({
    path: '/api/enterprise-login',
    needs: 'public',
    about: 'Signs in with a username or email address and a password.',
    example: { name: 'headoffice', password: 'three herons over Ballarat' },
    input: z.object({ name: username, password }),
    output: LoginAnswer,
  }),
  confirm: write({
    path: '/api/confirm-enterprise-login',
    needs: 'signed-in',
    about:
      'Verifies the password again and allows one action on one object, once, within five minutes. Send the grant with that call as X-Step-Up-Grant.',
    example: { name: 'headoffice', password: 'three herons over Ballarat', action: 'save' },
    input: z.object({
      name: username,
      password,
      action: z.enum(['activate', 'deactivate', 'delete', 'save']).optional(),
      /** The subject (`subjectOf`); left out for something new. */
      object: z.string().max(OBJECT_LIMIT).optional(),
    }),
    output: z.object({ message: z.string(), grant: z.string() }),
  }),
  logout: write({
    path: '/api/logout',
    needs: 'session-cookie',
    about: 'Ends the session on every tab and device that uses it.',
    example: {},
    input: z.object({}),
    output: done,
  }),
  refresh: write({
    path: '/api/refresh',
    needs: 'session-cookie',
    about: 'Issues a new access token for an open session.',
    example: {},
    input: z.object({}),
    output: LoginAnswer,
  }),
  requestReset: write({
    path: '/api/user/request-reset-password',
    needs: 'public',
    about: 'Mails a reset link if the login exists; the answer is the same either way.',
    example: { username: 'headoffice' },
    input: z.object({ username: z.string(needed(NAME)).trim().min(1).max(254) }),
    output: done,
  }),
  checkReset: read({
    path: '/api/user/check-reset-link',
    needs: 'public',
    about: 'Checks whether a reset link still works, without using it.',
    example: { reset_token: 'Yv3oZr0mE5vJq2mWc8XlT6pNnS1dKfB4uHgA7iRjQeo' },
    input: z.object({ reset_token: z.string().max(200) }),
    output: done,
  }),
  reset: write({
    path: '/api/user/reset-password',
    needs: 'public',
    about: 'Sets a new password with a mailed link, once.',
    example: {
      reset_token: 'the-secret-part-of-the-link',
      password: 'seven magpies at Hobart',
      password_confirmation: 'seven magpies at Hobart',
    },
    input: z.object({
      reset_token: z.string('This reset link is incomplete. Please open it from the email again.').max(200),
      password: newPassword,
      password_confirmation: repeated,
    }),
    output: done,
  }),
  confirmEula: write({
    path: '/api/user/confirm-portal-eula',
    needs: 'signed-in',
    about: 'Records that this person agrees to the End User License Agreement in force.',
    example: {},
    input: z.object({}),
    output: z.object({ portal_eula: z.boolean(), version: z.string(), agreed_at: z.iso.datetime() }),
  }),
  changePassword: write({
    path: '/api/user/change-password',
    needs: 'signed-in',
    beforeNewPassword: true,
    beforeSecondFactor: 'setup',
    about: 'Replaces the password, ends every session of the login and opens a new one here.',
    example: {
      current_password: 'three herons over Ballarat',
      password: 'seven magpies at Hobart',
      password_confirmation: 'seven magpies at Hobart',
    },
    input: z.object({
      current_password: z.string(needed(CURRENT)).min(1).max(1000),
      password: newPassword,
      password_confirmation: repeated,
    }),
    output: LoginAnswer,
  }),
}
