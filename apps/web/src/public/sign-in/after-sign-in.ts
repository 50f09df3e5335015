import type { LoginAnswer } from '@pillar/contract/access/session'
import { LOCALES } from '@pillar/domain/time/locale'
import { keptPath, opens, pathAfterLogin, takeWanted } from '../../shared/paths.ts'

/**
 * Where someone goes who just signed in, chose a new password or showed the second factor: first to what is still missing of these, then to the link they came with, to where
 * they were, or land.
 */
export function addressAfter(answer: LoginAnswer): string {
  const { username, company, must_change_password, second_factor } = answer
  const base = LOCALES[company.country].basePath.replace(/^\/$/, '')
  if (second_factor === 'check') return `${base}/second-factor`
  if (must_change_password) return `${base}/change-password`
  if (second_factor === 'setup') return `${base}/second-factor`
  const wanted = takeWanted()
  const kept = keptPath(username)
  // A link that names the page alone leads to it as this person left it.
  const better = wanted !== null && wanted !== kept?.split(/[?#]/)[0] && opens(wanted, answer, company.country)
  const path = better ? wanted : kept
  return `${base}${pathAfterLogin(path, answer, company.country) ?? '/financials'}`
}
