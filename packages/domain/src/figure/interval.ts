/** Under this many observations a share is not shown at all. */
export const MIN_SHARE_N = 10
/** Under this many observations a share is shown in grey, and neither ranked nor called good or bad. */
export const MIN_SURE_N = 30

/** Two-sided 95% of the normal distribution. */
const Z = 1.959963984540054

/** The range in which a share may really lie: fractions within 0..1. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * The 95% Wilson interval of a share.
 * @param share fraction 0..1; `share × n` need not be whole, since a share of scripts is weighed by its patients
 * @param n observations behind the share, more than 0
 * Source: E. B. Wilson, JASA 22 (1927) 209-212, without continuity correction.
 */
export function wilson(share: number, n: number): Interval {
  const square = (Z * Z) / n
  const middle = (share + square / 2) / (1 + square)
  const half = (Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n))) / (1 + square)
  // The share itself is always inside; at 0 and 1 the square root may miss it by a last digit.
  return { low: Math.min(share, Math.max(0, middle - half)), high: Math.max(share, Math.min(1, middle + half)) }
}
