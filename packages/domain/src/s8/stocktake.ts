import type { Day } from '../time/day.ts'

/** Days for which a count stays valid if the pharmacy sets none. Common practice, and stricter than the law of some states. */
export const STOCKTAKE_WARNING_DAYS = 28
/** The range a pharmacy may set. */
export const STOCKTAKE_DAYS = { least: 1, most: 366 } as const

export const STOCK_STATUSES = ['never', 'overdue', 'counted'] as const
export type StockStatus = (typeof STOCK_STATUSES)[number]

/** The specification's words: the tag, and its meaning. */
export const STOCK_STATUS_WORDS: Readonly<Record<StockStatus, { tag: string; meaning: string }>> = {
  never: { tag: 'Never', meaning: 'Never counted' },
  overdue: { tag: 'Overdue', meaning: 'Overdue for a count' },
  counted: { tag: 'Counted', meaning: 'Recently counted' },
}

/**
 * The first day on which a count is overdue: 30 July for a count on 1 July with 28 days.
 * @reference
 */
export const overdueFrom = (counted: Day, warningDays: number = STOCKTAKE_WARNING_DAYS): Day =>
  counted + warningDays + 1

/**
 * never: no count yet; overdue: more than `warningDays` have passed since the last one; else counted.
 * @reference
 */
export function stockStatus(
  counted: Day | null,
  today: Day,
  warningDays: number = STOCKTAKE_WARNING_DAYS,
): StockStatus {
  if (counted === null) return 'never'
  return today >= overdueFrom(counted, warningDays) ? 'overdue' : 'counted'
}

/** The tags of a product, with the specification's labels. */
export const PRODUCT_TAGS = {
  otp: { tag: 'OTP', label: 'OTP (Opioid Treatment Program Medication)' },
  cannabis: { tag: 'Cannabis', label: 'Cannabis Medication' },
  custom: { tag: 'Custom', label: 'Custom Medication' },
  inactive: { tag: 'Inactive', label: 'Inactive Product' },
} as const
export type ProductTag = keyof typeof PRODUCT_TAGS
