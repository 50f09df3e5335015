import type { LoginAnswer } from '@pillar/contract/session'
import { LOCALES } from '@pillar/domain/time/locale'
import { keptPath, pathAfterLogin } from '../../shared/paths.ts'

/**
 * Where someone goes who just signed in, or chose a new password: first to a password of their own, then to where they were, or land.
 */
export function addressAfter(answer: LoginAnswer): string {
  const { username, company, must_change_password } = answer
  const base = LOCALES[company.country].basePath.replace(/^\/$/, '')
  if (must_change_password) return `${base}/change-password`
  return `${base}${pathAfterLogin(keptPath(username), answer, company.country) ?? '/financials'}`
}
