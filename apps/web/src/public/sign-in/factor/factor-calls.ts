import type { secondFactor } from '@pillar/contract/access/second-factor'
import type { LoginAnswer } from '@pillar/contract/access/session'
import type { AskOf, Call, ReplyOf } from '@pillar/contract/wire/call'
import { post } from '../../../shared/post.ts'
import { RefusedError } from '../../../shared/refused.ts'
import { PUBLIC_PATHS, refresh } from '../../calls.ts'
import { toLogin } from './to-login.ts'

export type FactorStatus = ReplyOf<typeof secondFactor.status>

/** Once the session is over, nothing on this page works: only signing in again helps. */
const orToLogin = <A>(asked: Promise<A>): Promise<A> =>
  asked.catch((error: unknown) => {
    if (error instanceof RefusedError && error.expired) toLogin('expired')
    throw error
  })

/** Whose session it is. */
export const readWho = () => orToLogin(refresh({}))

/** A call for the session in this browser's cookie, with a fresh token, because the page may have been open for long. */
const asMe =
  <C extends Call>(path: string) =>
  async (input: AskOf<C>, grant?: string): Promise<ReplyOf<C>> => {
    const { access_token } = await readWho()
    return (await orToLogin(post(path, input, { bearer: access_token, ...(grant ? { grant } : {}) }))) as ReplyOf<C>
  }

export const readStatus = asMe<typeof secondFactor.status>(PUBLIC_PATHS.factorStatus)
export const askChallenge = asMe<typeof secondFactor.challenge>(PUBLIC_PATHS.factorChallenge)
export const verify = asMe<typeof secondFactor.verify>(PUBLIC_PATHS.factorVerify) as (
  input: AskOf<typeof secondFactor.verify>,
) => Promise<LoginAnswer>
export const startApp = asMe<typeof secondFactor.startApp>(PUBLIC_PATHS.startApp)
export const confirmApp = asMe<typeof secondFactor.confirmApp>(PUBLIC_PATHS.confirmApp)
export const startPasskey = asMe<typeof secondFactor.startPasskey>(PUBLIC_PATHS.startPasskey)
export const confirmPasskey = asMe<typeof secondFactor.confirmPasskey>(PUBLIC_PATHS.confirmPasskey)
export const removeApp = asMe<typeof secondFactor.removeApp>(PUBLIC_PATHS.removeApp)
export const newRecoveryCodes = asMe<typeof secondFactor.newRecoveryCodes>(PUBLIC_PATHS.recoveryCodes)
export const forgetBrowsers = asMe<typeof secondFactor.forgetBrowsers>(PUBLIC_PATHS.forgetBrowsers)
export const removePasskey = (id: string, grant?: string) =>
  asMe<typeof secondFactor.removePasskey>(`/api/second-factor/passkey/${id}/remove`)({ id }, grant)
export const confirmPassword = asMe<typeof import('@pillar/contract/access/session').session.confirm>(
  PUBLIC_PATHS.confirm,
)
