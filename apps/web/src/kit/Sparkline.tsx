export interface SparklineProps {
  /** Oldest first; gaps are null. */
  values: readonly (number | null)[]
  /** The same months a year earlier. */
  prior?: readonly (number | null)[]
  width?: number
  height?: number
  /** What the line says, for those who do not see it. */
  label: string
}

const EDGE = 3

/** Points of a line as runs without gaps, scaled into the box; `low` and `high` are the values at its foot and top. */
export function runsOf(
  values: readonly (number | null)[],
  low: number,
  high: number,
  width: number,
  height: number,
): { x: number; y: number }[][] {
  const step = values.length > 1 ? (width - 2 * EDGE) / (values.length - 1) : 0
  const scale = high > low ? (height - 2 * EDGE) / (high - low) : 0
  const runs: { x: number; y: number }[][] = [[]]
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

/** A line without axes: this year in the first chart colour, last year behind it in grey, a dot at the end. */
export function Sparkline({ values, prior = [], width = 226, height = 32, label }: SparklineProps) {
  const known = [...values, ...prior].filter((value) => value !== null)
  if (known.length === 0) return null
  const low = Math.min(...known)
  const high = Math.max(...known)
  const line = runsOf(values, low, high, width, height)
  const end = line.at(-1)?.at(-1)
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {drawn(runsOf(prior, low, high, width, height), 'var(--d-rest)', 1.25)}
      {drawn(line, 'var(--d1)', 1.75)}
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

function drawn(runs: { x: number; y: number }[][], stroke: string, strokeWidth: number) {
  return runs.map((run) => (
    <polyline
      key={`${run[0]?.x}`}
      points={run.map(({ x, y }) => `${x},${y}`).join(' ')}
      fill="none"
      stroke={stroke}
      strokeWidth={strokeWidth}
      strokeLinejoin="round"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  ))
}
