import type { FactorStatus } from './factor-calls.ts'

/** So few that it is time for new ones. */
const FEW = 3

/** Whether a login with a second factor has few recovery codes left, or none. */
export const fewCodesLeft = ({ recovery_codes }: Pick<FactorStatus, 'recovery_codes'>): boolean => recovery_codes <= FEW

/** How many codes are left, and what to do about it if they are few. */
export function codesWords(status: Pick<FactorStatus, 'recovery_codes'>): string {
  const { recovery_codes: left } = status
  if (left === 0) return 'None left. Get new codes now, in case you lose your second factor.'
  return fewCodesLeft(status) ? `${left} left. Get new codes soon.` : `${left} left`
}
