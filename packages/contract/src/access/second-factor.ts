import { PASSKEY_NAME_LIMIT } from '@pillar/domain/access/second-factor'
import { LEAST_LETTERS, saysWhy } from '@pillar/domain/text/reason'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'
import { LoginAnswer } from './session.ts'

/** What the browser's own passkey functions take and return; the passkey library validates it. */
const fromBrowser = z.looseObject({ id: z.string().max(2000), type: z.literal('public-key') })
const forBrowser = z.looseObject({ challenge: z.string() })
const CODE = 'Please enter the code.'
const code = z.string(needed(CODE)).trim().min(1).max(40)
/** The new recovery codes, shown only this once; null if the login already has some. */
const codes = z.array(z.string()).nullable()
const done = z.object({ message: z.string() })
const always = { needs: 'signed-in', beforeSecondFactor: 'check' } as const
const setUp = { needs: 'signed-in', beforeSecondFactor: 'setup' } as const

const status = read({
  ...always,
  path: '/api/second-factor/status',
  about: 'This login’s second factors, and whether this session has shown one.',
  example: {},
  input: z.object({}),
  output: z.object({
    /** This login must have a second factor. */
    required: z.boolean(),
    state: z.enum(['done', 'check', 'setup']),
    app: z.boolean(),
    passkeys: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable(),
      }),
    ),
    /** Passkeys belong to a host name, so an installation reached by IP address has none. */
    passkeys_possible: z.boolean(),
    recovery_codes: z.number(),
    remembered_browsers: z.number(),
  }),
})

/** The second factor of a sign-in: authenticator app, passkeys, recovery codes. */
export const secondFactor = {
  status,
  challenge: write({
    ...always,
    path: '/api/second-factor/challenge',
    about: 'The challenge that a passkey of this login signs to sign in.',
    example: {},
    input: z.object({}),
    output: z.object({ options: forBrowser }),
  }),
  verify: write({
    ...always,
    path: '/api/second-factor/verify',
    about:
      'Shows the second factor: a code of the app, a recovery code, or the answer of a passkey. Opens a new session.',
    example: { code: '123456' },
    input: z
      .object({
        code: code.optional(),
        recovery_code: code.optional(),
        passkey: fromBrowser.optional(),
        /** Don't ask again on this browser for 30 days. */
        remember: z.boolean().default(false),
      })
      .refine(({ code, recovery_code, passkey }) => [code, recovery_code, passkey].filter(Boolean).length === 1, CODE),
    output: LoginAnswer,
  }),
  startApp: write({
    ...setUp,
    path: '/api/second-factor/app/start',
    about: 'A new secret for an authenticator app. It takes effect once a code from the app has been entered.',
    example: {},
    input: z.object({}),
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmApp: write({
    ...setUp,
    path: '/api/second-factor/app/confirm',
    about: 'Switches the authenticator app on with its first code.',
    example: { code: '123456' },
    refreshes: () => [status],
    input: z.object({ code }),
    output: LoginAnswer.extend({ recovery_codes: codes }),
  }),
  startPasskey: write({
    ...setUp,
    path: '/api/second-factor/passkey/start',
    about: 'What the browser needs to make a passkey for this login.',
    example: {},
    input: z.object({}),
    output: z.object({ options: forBrowser }),
  }),
  confirmPasskey: write({
    ...setUp,
    path: '/api/second-factor/passkey/confirm',
    about: 'Saves a passkey created by the browser.',
    example: { name: 'Work laptop', passkey: { id: 'AbCd', type: 'public-key' } },
    refreshes: () => [status],
    input: z.object({ name: z.string().trim().min(1).max(PASSKEY_NAME_LIMIT), passkey: fromBrowser }),
    output: LoginAnswer.extend({ recovery_codes: codes }),
  }),
  removeApp: write({
    needs: 'signed-in',
    stepUp: 'delete',
    path: '/api/second-factor/app/remove',
    about: 'Switches the authenticator app off. The last second factor of a login that must have one stays.',
    example: {},
    refreshes: () => [status],
    input: z.object({}),
    output: done,
  }),
  removePasskey: write({
    needs: 'signed-in',
    stepUp: 'delete',
    path: '/api/second-factor/passkey/{id}/remove',
    about: 'Removes a passkey. The last second factor of a login that must have one stays.',
    example: { id: '01980000-0000-7000-8000-00000000000c' },
    refreshes: () => [status],
    input: z.object({ id: z.uuid() }),
    output: done,
  }),
  newRecoveryCodes: write({
    needs: 'signed-in',
    stepUp: 'save',
    path: '/api/second-factor/recovery-codes',
    about: 'Ten new recovery codes, shown only this once; the previous ones stop working.',
    example: {},
    refreshes: () => [status],
    input: z.object({}),
    output: z.object({ recovery_codes: z.array(z.string()) }),
  }),
  forgetBrowsers: write({
    needs: 'signed-in',
    path: '/api/second-factor/forget-browsers',
    about: 'Forgets all remembered browsers, so that each asks for the second factor again.',
    example: {},
    refreshes: () => [status],
    input: z.object({}),
    output: done,
  }),
  reset: write({
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    path: '/api/user/{uuid}/reset/second-factor',
    about: 'Resets a lost second factor, with a reason, and ends the user’s sessions.',
    example: { uuid: '01980000-0000-7000-8000-000000000005', reason: 'Lost phone, called back on 02 5550 0100' },
    input: z.object({
      uuid: z.uuid(),
      reason: z
        .string('Please enter a reason.')
        .trim()
        .min(LEAST_LETTERS, 'Please enter a reason.')
        .refine(saysWhy, 'Please enter a reason.')
        .max(300, 'Please enter a reason of at most 300 characters.'),
    }),
    output: z.object({ reset: z.literal(true) }),
  }),
}
