import { rem } from '../../shared/font-scale.ts'

export interface SparklineProps {
  /** Oldest first; gaps are null. */
  values: readonly (number | null)[]
  /** The same months a year earlier. */
  prior?: readonly (number | null)[]
  /** The last point is a month still running: the line to it is dashed, because it says nothing about a fall. */
  running?: boolean
  width?: number
  height?: number
  /** A description of the line for screen readers. */
  label: string
}

const EDGE = 3

interface Point {
  x: number
  y: number
}

/** Points of a line as runs without gaps, scaled into the box; `low` and `high` are the values at its bottom and top. */
export function runsOf(
  values: readonly (number | null)[],
  low: number,
  high: number,
  width: number,
  height: number,
): Point[][] {
  const step = values.length > 1 ? (width - 2 * EDGE) / (values.length - 1) : 0
  const scale = high > low ? (height - 2 * EDGE) / (high - low) : 0
  const runs: Point[][] = [[]]
  values.forEach((value, index) => {
    if (value === null) {
      if (runs.at(-1)!.length > 0) runs.push([])
      return
    }
    const y = scale === 0 ? height / 2 : height - EDGE - (value - low) * scale
    runs.at(-1)!.push({ x: round(EDGE + index * step), y: round(y) })
  })
  return runs.filter((run) => run.length > 0)
}

const round = (value: number) => Math.round(value * 10) / 10

/** A line without axes: this year in the first chart colour, last year behind it in grey, and a dot at the end. */
export function Sparkline({ values, prior = [], running = false, width = 226, height = 32, label }: SparklineProps) {
  const known = [...values, ...prior].filter((value) => value !== null)
  if (known.length === 0) return null
  const low = Math.min(...known)
  const high = Math.max(...known)
  const line = runsOf(values, low, high, width, height)
  const end = line.at(-1)?.at(-1)
  return (
    <svg
      width="100%"
      height={rem(height)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {drawn(runsOf(prior, low, high, width, height), 'var(--d-rest)', 1.25, running && prior.at(-1) != null)}
      {drawn(line, 'var(--d1)', 1.75, running && values.at(-1) != null)}
      {end ? (
        <path
          d={`M${end.x} ${end.y}h0`}
          stroke="var(--d1)"
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
    </svg>
  )
}

/** Runs as lines; `open` dashes the last stretch of the last run. */
function drawn(runs: readonly Point[][], stroke: string, strokeWidth: number, open: boolean) {
  const last = runs.at(-1) ?? []
  const lines = open ? [...runs.slice(0, -1), last.slice(0, -1), last.slice(-2)] : runs
  return lines.map((run, index) => (
    <polyline
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one drawing, redrawn together
      key={index}
      // A point between two gaps is drawn as a line of zero length, visible by its round ends.
      points={(run.length === 1 ? [...run, ...run] : run).map(({ x, y }) => `${x},${y}`).join(' ')}
      fill="none"
      stroke={stroke}
      strokeWidth={strokeWidth}
      strokeDasharray={open && index === lines.length - 1 ? '2 4' : undefined}
      strokeLinejoin="round"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  ))
}
