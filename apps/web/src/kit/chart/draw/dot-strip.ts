import { finestOf, ticksOf } from '../steps.ts'
import { type Drawn, type Mark, widthOf } from './drawing.ts'

export interface StripDot {
  id: string
  label: string
  value: number
  /** Has too few observations to be sure. */
  hollow?: boolean
}

interface Strip {
  /** In order of value. */
  dots: readonly StripDot[]
  /** What they are compared with, such as their average. */
  lines: readonly { label: string; value: number }[]
  /** The highlighted dot; null for none. */
  marked: string | null
  /** For the axis, and for a single figure. */
  format: (value: number) => string
  formatFull: (value: number) => string
}

/** Fewer values than this have no deciles. */
const DECILES_FROM = 10

/** The nine values that divide sorted values into ten equal parts, by linear interpolation between neighbours; none with fewer than ten values. */
export function decilesOf(sorted: readonly number[]): number[] {
  if (sorted.length < DECILES_FROM) return []
  return Array.from({ length: 9 }, (_, tenth) => {
    const place = ((tenth + 1) / 10) * (sorted.length - 1)
    const below = sorted[Math.floor(place)]!
    const above = sorted[Math.ceil(place)]!
    return below + (above - below) * (place - Math.floor(place))
  })
}

/** The height of each dot so that none covers another: 0 on the line, 1 above it. `xs` ascend; dots are `size` px wide. */
export function stackOf(xs: readonly number[], size: number): number[] {
  const last: number[] = []
  return xs.map((x) => {
    const free = last.findIndex((end) => x - end >= size)
    const level = free < 0 ? last.length : free
    last[level] = x
    return level
  })
}

const EDGE = 12
const HEAD = 22
const FOOT = 40

/** A dot per item on one scale, ticks for the deciles, a line for each average; the highlighted dot is filled and named. */
export function stripOf({ dots, lines, marked, format, formatFull }: Strip, width: number): Drawn {
  const values = [...dots, ...lines].map(({ value }) => value)
  const finest = finestOf(format, Math.max(...values.map(Math.abs)))
  const ticks = ticksOf(Math.min(...values), Math.max(...values), width < 480 ? 3 : 6, finest)
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const xOf = (value: number) => EDGE + ((value - low) / (high - low || 1)) * (width - 2 * EDGE)
  const radius = dots.length > 400 ? 2.5 : dots.length > 120 ? 3.5 : 5
  const levels = stackOf(
    dots.map(({ value }) => xOf(value)),
    2 * radius + 1,
  )
  const head = HEAD * (lines.length + (marked === null ? 0 : 1))
  const line = head + (Math.max(0, ...levels) + 1) * (2 * radius + 1) + radius + 6
  const placeOf = (index: number): [number, number] => [
    xOf(dots[index]!.value),
    line - radius - 4 - levels[index]! * (2 * radius + 1),
  ]
  const at = dots.findIndex(({ id }) => id === marked)
  const shown = dots[at]
  return {
    width,
    height: line + FOOT,
    marks: [
      ...scaleOf(ticks, xOf, line, format, width),
      ...decilesOf(dots.map(({ value }) => value)).map((value, index) => tick(xOf(value), line, index === 4)),
      ...lines.flatMap((one, index) => ruler(one, index, { xOf, formatFull, line, width })),
      ...dots.map(({ hollow }, index): Mark => {
        const own = index === at
        const look = { colour: '--d1', hollow: hollow === true, opacity: own || at < 0 ? 0.8 : 0.4 }
        return { kind: 'dot', at: placeOf(index), radius: own ? radius + 1 : radius, ...look }
      }),
      ...(shown ? named(`${shown.label} ${formatFull(shown.value)}`, placeOf(at), head, width) : []),
    ],
    spots: dots.map((_, index) => {
      const [x, y] = placeOf(index)
      const size = 2 * radius + 4
      return { at: [x - size / 2, y - size / 2], width: size, height: size }
    }),
  }
}

function scaleOf(
  ticks: readonly number[],
  xOf: (value: number) => number,
  line: number,
  format: Strip['format'],
  width: number,
): Mark[] {
  return [
    {
      kind: 'line',
      points: [
        [EDGE, line],
        [width - EDGE, line],
      ],
      colour: '--line-strong',
    },
    ...ticks.map((value): Mark => {
      const text = format(value)
      const x = Math.max(widthOf(text) / 2, Math.min(width - widthOf(text) / 2, xOf(value)))
      return { kind: 'text', at: [x, line + 30], text, colour: '--text-2', anchor: 'middle' }
    }),
  ]
}

const tick = (x: number, line: number, middle: boolean): Mark => ({
  kind: 'line',
  points: [
    [x, line],
    [x, line + (middle ? 12 : 7)],
  ],
  colour: '--text-2',
  width: middle ? 2 : 1,
})

interface Room {
  xOf: (value: number) => number
  formatFull: Strip['formatFull']
  line: number
  width: number
}

function ruler(
  { label, value }: Strip['lines'][number],
  index: number,
  { xOf, formatFull, line, width }: Room,
): Mark[] {
  const x = xOf(value)
  const top = HEAD * index
  return [
    {
      kind: 'line',
      points: [
        [x, top + 18],
        [x, line],
      ],
      colour: index === 0 ? '--text' : '--d-rest',
      width: index === 0 ? 1.5 : 1.25,
      ...(index === 0 ? {} : { dash: [2, 3] }),
    },
    centred(`${label} ${formatFull(value)}`, x, top + 13, width, index === 0 ? '--text' : '--text-2'),
  ]
}

/** A word centred over a position, moved inwards if it would run off the side. */
function centred(text: string, x: number, y: number, width: number, colour: string): Mark {
  const half = widthOf(text) / 2 + 4
  return {
    kind: 'text',
    at: [Math.max(half, Math.min(width - half, x)), y],
    text,
    colour,
    weight: 600,
    anchor: 'middle',
    halo: true,
  }
}

function named(text: string, [x, y]: [number, number], head: number, width: number): Mark[] {
  const top = head - HEAD
  return [
    {
      kind: 'line',
      points: [
        [x, top + 18],
        [x, y],
      ],
      colour: '--accent',
    },
    centred(text, x, top + 13, width, '--accent-text'),
  ]
}
