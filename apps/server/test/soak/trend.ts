/** The slope of a straight line through points, and its 95% interval, each per unit of `at`. */
export interface Trend {
  slope: number
  low: number
  high: number
}

export interface Point {
  at: number
  value: number
}

/**
 * Theil and Sen: the median of the slopes of all pairs, which a few outliers do not move. The interval is Sen's of 1968, from the spread of
 * Kendall's S. It assumes independent points: pass medians of blocks longer than any disturbance that affects neighbours alike.
 * @throws Error for fewer than 5 points
 */
export function trendOf(points: readonly Point[]): Trend {
  const n = points.length
  if (n < 5) throw new Error(`${n} points are too few for a trend.`)
  const slopes = points
    .flatMap((one, at) => points.slice(at + 1).map((other) => (other.value - one.value) / (other.at - one.at)))
    .sort((a, b) => a - b)
  const width = 1.96 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const at = (rank: number) => slopes[Math.min(slopes.length - 1, Math.max(0, rank))]!
  return {
    slope: median(slopes),
    low: at(Math.floor((slopes.length - width) / 2)),
    high: at(Math.ceil((slopes.length + width) / 2)),
  }
}

/** The middle of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}

/** One point for every `length` of `at`: the middle of the block, and the median of its values. */
export function inBlocks(points: readonly Point[], length: number): Point[] {
  const blocks = Map.groupBy(points, ({ at }) => Math.floor(at / length))
  return [...blocks].map(([block, held]) => ({
    at: (block + 0.5) * length,
    value: median(held.map(({ value }) => value)),
  }))
}
