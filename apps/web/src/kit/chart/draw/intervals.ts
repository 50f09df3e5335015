import { finestOf, ticksOf } from '../steps.ts'
import { type Drawn, type Mark, widthOf } from './drawing.ts'

/** A group with its value and interval; null if it has too few patients. */
export interface IntervalRow {
  label: string
  /** The number of observations: ours, and those they are compared with. */
  counts: readonly [number, number]
  found: { value: number; low: number; high: number } | null
  /** The whole that contains the other rows. */
  whole?: boolean
}

interface Intervals {
  rows: readonly IntervalRow[]
  /** Above the labels, the two counts and the value. */
  heads: readonly [string, string, string, string]
  /** Replaces a missing interval. */
  few: string
  formatCount: (value: number) => string
  /** For the axis, and for a single figure. */
  format: (value: number) => string
  formatFull: (value: number) => string
}

const HEAD = 26
const FOOT = 26
/** Below this width, labels and values are above their interval. */
const NARROW = 480

/** Whether an interval includes zero. */
export const isHollow = ({ low, high }: { low: number; high: number }): boolean => low <= 0 && high >= 0

/** Intervals below each other on one scale with a line at zero: filled if they lie on one side of it, hollow if they include it. */
export function intervalsOf(ask: Intervals, width: number): Drawn {
  const narrow = width < NARROW
  const { rows } = ask
  const row = narrow ? 50 : 38
  const line = HEAD + rows.length * row
  const room = narrow ? { left: 8, right: width - 8 } : { left: width * 0.46, right: width - 84 }
  const ends = rows.flatMap(({ found }) => (found ? [found.low, found.high] : []))
  const ticks = ticksOf(Math.min(0, ...ends), Math.max(0, ...ends), narrow ? 4 : 5, finestOf(ask.format))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const xOf = (value: number) => room.left + ((value - low) / (high - low || 1)) * (room.right - room.left)
  return {
    width,
    height: line + FOOT,
    marks: [
      ...ticks.flatMap((value) => scaleMark(value, xOf(value), line, ask.format(value), width)),
      ...headMarks(ask.heads, width, narrow),
      ...rows.flatMap((one, index) => rowMarks(ask, one, { top: HEAD + index * row, row, xOf, width, narrow })),
    ],
    spots: rows.map((_, index) => ({ at: [0, HEAD + index * row + 1], width, height: row - 2 })),
  }
}

function scaleMark(value: number, x: number, line: number, text: string, width: number): Mark[] {
  const half = widthOf(text) / 2
  const points = [
    [x, HEAD],
    [x, line],
  ] as const
  return [
    { kind: 'line', points, colour: value === 0 ? '--line-strong' : '--line-soft', width: value === 0 ? 1.5 : 1 },
    {
      ...{ kind: 'text', at: [Math.max(half, Math.min(width - half, x)), line + 18], text },
      ...{ colour: '--text-2', anchor: 'middle' },
    },
  ]
}

/** Right edges of the two counts. */
const countsAt = (width: number) => [width * 0.32, width * 0.43] as const

function headMarks([label, ours, theirs, value]: Intervals['heads'], width: number, narrow: boolean): Mark[] {
  const [first, second] = countsAt(width)
  const head = (text: string, x: number, anchor: 'start' | 'end'): Mark => ({
    ...{ kind: 'text', at: [x, 14], text, colour: '--text-2', anchor },
  })
  const ends = [head(value, width, 'end')]
  if (narrow) return [head(`${label} (${ours.toLowerCase()}, ${theirs.toLowerCase()})`, 0, 'start'), ...ends]
  return [head(label, 0, 'start'), head(ours, first, 'end'), head(theirs, second, 'end'), ...ends]
}

interface Place {
  top: number
  row: number
  xOf: (value: number) => number
  width: number
  narrow: boolean
}

function rowMarks(ask: Intervals, { label, counts, found, whole }: IntervalRow, place: Place): Mark[] {
  const { top, row, xOf, width, narrow } = place
  const words = top + (narrow ? 18 : row / 2 + 4)
  const middle = top + (narrow ? 34 : row / 2)
  const sure = found !== null && !isHollow(found)
  const colour = found === null ? '--text-3' : '--text'
  const weight = whole || sure ? 600 : 400
  const [ours, theirs] = counts.map(ask.formatCount) as [string, string]
  const [first, second] = countsAt(width)
  const cell = (text: string, x: number, anchor: 'start' | 'end', bold = 400): Mark => ({
    ...{ kind: 'text', at: [x, words], text, colour, anchor, weight: bold, halo: narrow },
  })
  return [
    {
      kind: 'line',
      points: [
        [0, top],
        [width, top],
      ],
      colour: '--line-soft',
    },
    cell(narrow ? `${label} (${ours}, ${theirs})` : label, 0, 'start', weight),
    ...(narrow ? [] : [cell(ours, first, 'end'), cell(theirs, second, 'end')]),
    cell(found ? ask.formatFull(found.value) : '–', width, 'end', weight),
    ...(found
      ? whisker(found, middle, xOf, whole === true)
      : [{ kind: 'text', at: [xOf(0) + 8, middle + 4], text: ask.few, colour: '--text-3', halo: true } as const]),
  ]
}

function whisker(found: NonNullable<IntervalRow['found']>, y: number, xOf: Place['xOf'], whole: boolean): Mark[] {
  const hollow = isHollow(found)
  const thick = whole ? 6 : 4
  const at = [xOf(found.low), y - thick / 2] as const
  const colour = hollow ? '--d-rest' : '--d1'
  return [
    { kind: 'box', at, width: xOf(found.high) - at[0], height: thick, colour, opacity: 0.4 },
    { kind: 'dot', at: [xOf(found.value), y], radius: whole ? 6 : 4.5, colour: hollow ? '--text-2' : '--d1', hollow },
  ]
}
