import type { LoginAnswer, session } from '@pillar/contract/access/session'
import type { mail } from '@pillar/contract/mail'
import type { portal } from '@pillar/contract/portal'
import type { AskOf, Call, ReplyOf } from '@pillar/contract/wire/call'
import { post } from '../shared/post.ts'

/**
 * The paths of the few calls that public pages make. The contract's own objects would bring the whole schema library into their small download; a
 * test keeps these paths equal to the contract's.
 */
export const PUBLIC_PATHS = {
  login: '/api/enterprise-login',
  requestReset: '/api/user/request-reset-password',
  checkReset: '/api/user/check-reset-link',
  reset: '/api/user/reset-password',
  refresh: '/api/refresh',
  logout: '/api/logout',
  changePassword: '/api/user/change-password',
  confirm: '/api/confirm-enterprise-login',
  factorStatus: '/api/second-factor/status',
  factorChallenge: '/api/second-factor/challenge',
  factorVerify: '/api/second-factor/verify',
  startApp: '/api/second-factor/app/start',
  confirmApp: '/api/second-factor/app/confirm',
  startPasskey: '/api/second-factor/passkey/start',
  confirmPasskey: '/api/second-factor/passkey/confirm',
  removeApp: '/api/second-factor/app/remove',
  recoveryCodes: '/api/second-factor/recovery-codes',
  forgetBrowsers: '/api/second-factor/forget-browsers',
  portalInfo: '/api/portal-info',
  outbox: '/api/outbox',
} as const

const ask =
  <C extends Call>(path: string) =>
  (input: AskOf<C>): Promise<ReplyOf<C>> =>
    post(path, input) as Promise<ReplyOf<C>>

export const login: (input: { name: string; password: string }) => Promise<LoginAnswer> = ask<typeof session.login>(
  PUBLIC_PATHS.login,
)
export const requestReset = ask<typeof session.requestReset>(PUBLIC_PATHS.requestReset)
export const checkReset = ask<typeof session.checkReset>(PUBLIC_PATHS.checkReset)
export const resetPassword = ask<typeof session.reset>(PUBLIC_PATHS.reset)
export const refresh = ask<typeof session.refresh>(PUBLIC_PATHS.refresh)
export const logout = ask<typeof session.logout>(PUBLIC_PATHS.logout)
export const changePassword = (input: AskOf<typeof session.changePassword>, bearer: string) =>
  post(PUBLIC_PATHS.changePassword, input, { bearer }) as Promise<LoginAnswer>
export const readPortalInfo = ask<typeof portal.info>(PUBLIC_PATHS.portalInfo)
export const readOutbox = ask<typeof mail.list>(PUBLIC_PATHS.outbox)

export type PortalInfo = ReplyOf<typeof portal.info>
export type Letter = ReplyOf<typeof mail.list>['messages'][number]
