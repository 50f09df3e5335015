/** A step of a map's colours: values from `from` (for the first step, zero or the minimum) up to `to`. */
export interface Step {
  from: number
  to: number
}

export const STEP_COUNT = 5

/** Values that differ by no more than this share of themselves are the same number with different rounding. */
const SAME = 1e-9

/** The round numbers a scale uses, times a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The decimal places of the finest and the coarsest format: parts of a percent, billions. */
const [FINEST, COARSEST] = [6, -9]

/**
 * The smallest power of ten that a format does not show as zero: 1 for whole numbers, 0.01 for whole percents. Ticks closer together would look
 * the same.
 * @param most the largest value, if the format has fewer decimals the larger a value is: '$81.4k' has steps of 100
 */
export function finestOf(format: (value: number) => string, most = 0): number {
  for (let digits = FINEST; digits >= COARSEST; digits--) {
    const step = 10 ** -digits
    if (/[1-9]/.test(format(step)) && tellsApart(format, step, most)) return step
  }
  return 1
}

/** Whether ten values from about `most` on, a step apart, all look different. */
function tellsApart(format: (value: number) => string, step: number, most: number): boolean {
  if (most < step) return true
  const first = Math.floor(most / step / 10) * 10
  const shown = Array.from({ length: 10 }, (_, index) => format(Number(((first + index) * step).toPrecision(12))))
  return new Set(shown).size === shown.length
}

/** The smallest round number not below `value`, and a multiple of `finest`, a power of ten, if given; 0 for 0. */
export function roundUp(value: number, finest = 0): number {
  if (value <= 0) return 0
  const least = Math.max(value, finest)
  const power = 10 ** Math.floor(Math.log10(least) + 1e-12)
  const fits = (one: number) => finest === 0 || isWhole((one * power) / finest)
  return (ROUND.find((one) => one * power >= least * (1 - 1e-12) && fits(one)) ?? 10) * power
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9 * Math.max(1, value)

/**
 * At most five steps of equal width over the values: from zero if all values are near it, otherwise from a round number below the minimum. Their
 * borders are multiples of `finest`, so that no two look the same. Empty if nothing is known.
 */
export function stepsOf(values: readonly (number | null)[], finest = 0): Step[] {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return []
  const low = Math.min(...known)
  const high = Math.max(...known)
  const apart = high - low > Math.max(Math.abs(high), Math.abs(low)) * SAME ? high - low : 0
  const raw = low >= 0 && low < high / 2 ? { from: 0, span: high } : { from: low, span: apart }
  const inParts = (parts: number): Step[] => {
    const width = roundUp(raw.span / parts, finest) || roundUp(Math.abs(high), finest) || finest || 1
    const from = raw.from === 0 ? 0 : Math.floor(raw.from / width) * width
    const count = Math.max(1, Math.ceil((high - from) / width - 1e-9))
    return Array.from({ length: count }, (_, index) => ({ from: from + index * width, to: from + (index + 1) * width }))
  }
  // A sixth step, needed if the minimum lies below a round number, would have the fifth's colour.
  const [five = [], ...fewer] = [STEP_COUNT, 4, 3, 2, 1].map(inParts)
  return [five, ...fewer].find(({ length }) => length <= STEP_COUNT) ?? five.slice(0, STEP_COUNT)
}

/** The step of a value, 0 the first; a value at a border belongs to the higher step, and the highest value to the last. */
export function stepAt(value: number, steps: readonly Step[]): number {
  const at = steps.findLastIndex(({ from }) => value >= from)
  return Math.max(0, at)
}

/** Round ticks of an axis from at or below `low` to at or above `high`, in `most` steps or one more, each a multiple of `finest`. */
export function ticksOf(low: number, high: number, most: number, finest = 0): number[] {
  const step = roundUp((high - low) / most, finest) || roundUp(Math.abs(high) / most, finest) || finest || 1
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** The range of each step in words: 'under 5', '5 – 10', '10 and over'. A single step has both its ends. */
export function stepNames(steps: readonly Step[], format: (value: number) => string): string[] {
  if (steps.length === 1) return steps.map(({ from, to }) => `${format(from)} – ${format(to)}`)
  return steps.map(({ from, to }, index) => {
    if (index === 0) return `under ${format(to)}`
    return index === steps.length - 1 ? `${format(from)} and over` : `${format(from)} – ${format(to)}`
  })
}
