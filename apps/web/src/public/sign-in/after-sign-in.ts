import type { LoginAnswer } from '@pillar/contract/access/session'
import { LOCALES } from '@pillar/domain/time/locale'
import { keptPath, opens, pathAfterLogin, takeWanted } from '../../shared/paths.ts'

/**
 * The address after signing in, choosing a new password or showing the second factor: first any of these steps still missing, then the link they
 * came with, their last page, or their landing page.
 */
export function addressAfter(answer: LoginAnswer): string {
  const { username, company, must_change_password, second_factor } = answer
  const base = LOCALES[company.country].basePath.replace(/^\/$/, '')
  if (second_factor === 'check') return `${base}/second-factor`
  if (must_change_password) return `${base}/change-password`
  if (second_factor === 'setup') return `${base}/second-factor`
  const wanted = takeWanted()
  const kept = keptPath(username)
  // A link to just the page opens it as this person left it.
  const better = wanted !== null && wanted !== kept?.split(/[?#]/)[0] && opens(wanted, answer, company.country)
  const path = better ? wanted : kept
  return `${base}${pathAfterLogin(path, answer, company.country) ?? '/financials'}`
}
