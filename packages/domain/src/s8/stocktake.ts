import type { Day } from '../time/day.ts'

/** Days that a count holds good where the pharmacy has no number of its own. Practice, and stricter than the law of some states. */
export const STOCKTAKE_WARNING_DAYS = 28
/** What a pharmacy may set. */
export const STOCKTAKE_DAYS = { least: 1, most: 366 } as const

export const STOCK_STATUSES = ['never', 'overdue', 'counted'] as const
export type StockStatus = (typeof STOCK_STATUSES)[number]

/** The words of the specification: the tag, and what it means. */
export const STOCK_STATUS_WORDS: Readonly<Record<StockStatus, { tag: string; meaning: string }>> = {
  never: { tag: 'Never', meaning: 'Never counted' },
  overdue: { tag: 'Overdue', meaning: 'Overdue for a count' },
  counted: { tag: 'Counted', meaning: 'Recently counted' },
}

/**
 * The first day on which a count of this day is overdue: counted on 1 July with 28 days, 30 July.
 * @reference
 */
export const overdueFrom = (counted: Day, warningDays: number = STOCKTAKE_WARNING_DAYS): Day =>
  counted + warningDays + 1

/**
 * never without a count; overdue once more than `warningDays` have gone by since the last one; else counted.
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
