import { type Drawn, fitted, type Mark, widthOf } from './drawing.ts'

export interface RankedRow {
  id: string
  label: string
  /** Null if it is unknown or must stay hidden. */
  value: number | null
  /** Why there is no value, or a caution about it: 'too few to tell', 'late'. */
  note?: string
  /** Its data is late, so its sum is incomplete: paler, with a note beside the name. */
  pale?: boolean
  /** Too few observations to be sure: an outline. */
  hollow?: boolean
  /** The same a year earlier; a tick on the bar. */
  before?: number | null
  /** Change from then, as a fraction or as a difference. */
  change?: number | null
  /** Whether the change is large enough for a colour: good up, bad down. */
  notable?: boolean
  /** Its target; marked where the value should be by now. */
  target?: RowTarget | undefined
}

export interface RowTarget {
  whole: number
  /** Null if that is not known yet. */
  byNow: number | null
  /** How the value compares with it: '$12,400 behind the pace needed'. */
  words: string
}

interface Bars {
  rows: readonly RankedRow[]
  format: (value: number) => string
  formatChange: (change: number) => string
  average: { label: string; value: number } | null
  marked: string | null
}

const ROW = 24
const TALL = 40
const NARROW = 420
const HEAD = 22

/** Bars from zero beside their names, with their value and change; below them on narrow screens. */
export function rankedOf(bars: Bars, width: number): Drawn {
  const { rows, average, format } = bars
  const narrow = width < NARROW
  const rowHeight = narrow ? TALL : ROW
  const changed = rows.some(({ change }) => change != null)
  const names = Math.max(...rows.map(({ label, pale }) => widthOf(label) + (pale ? 38 : 4)), 60) + 14
  const left = narrow ? 0 : Math.round(Math.min(names, 220, width * 0.42))
  const right = narrow ? 0 : 84 + (changed ? 72 : 0)
  const most = Math.max(
    0,
    average?.value ?? 0,
    ...rows.flatMap(({ value, before, target }) => [value ?? 0, before ?? 0, target?.byNow ?? 0]),
  )
  const xOf = (value: number) => left + (most > 0 ? Math.max(0, value) / most : 0) * (width - left - right - 8)
  const room = { width, left, narrow, xOf, changed }
  const bottom = HEAD + rows.length * rowHeight
  return {
    width,
    height: bottom + 4,
    marks: [
      ...(average ? [averageWords(average.label, format(average.value), xOf(average.value), width)] : []),
      ...rows.flatMap((row, index) => rowOf(row, HEAD + index * rowHeight, bars, room)),
      ...(average ? [upright(xOf(average.value), HEAD - 4, bottom, '--d-rest', [2, 3])] : []),
      upright(left, HEAD, bottom, '--line-strong'),
    ],
    spots: rows.map((_, index) => ({ at: [0, HEAD + index * rowHeight], width, height: rowHeight })),
  }
}

function averageWords(label: string, value: string, x: number, width: number): Mark {
  const over = x > width / 2
  return {
    kind: 'text',
    at: [over ? x + 4 : Math.max(0, x - 4), 14],
    text: `${label} ${value}`,
    colour: '--text-2',
    anchor: over ? 'end' : 'start',
  }
}

const upright = (
  x: number,
  top: number,
  bottom: number,
  colour: string,
  dash?: readonly number[],
  thick?: number,
): Mark => ({
  kind: 'line',
  points: [
    [x, top],
    [x, bottom],
  ],
  colour,
  ...(dash ? { dash } : {}),
  ...(thick ? { width: thick } : {}),
})

interface Room {
  width: number
  left: number
  narrow: boolean
  xOf: (value: number) => number
  changed: boolean
}

function rowOf(row: RankedRow, top: number, bars: Bars, { width, left, narrow, xOf, changed }: Room): Mark[] {
  const { format, formatChange, marked } = bars
  const own = row.id === marked
  const words = top + 16
  const bar = narrow ? top + 24 : top + 6
  const value = row.value === null ? (row.note ?? '–') : format(row.value)
  const nothing = changed && !narrow && row.value !== null ? '–' : null
  const change = row.change == null ? nothing : formatChange(row.change)
  const end = changed && !narrow ? width - 72 : width
  const tone = row.change == null || !row.notable ? '--text-2' : row.change > 0 ? '--good' : '--bad'
  const name = narrow ? width - 130 : left - 8
  return [
    ...(own ? [box(0, top, width, narrow ? TALL : ROW, '--selected')] : []),
    {
      kind: 'text',
      at: [0, words],
      text: row.pale ? `${fitted(row.label, name - 34)} · late` : fitted(row.label, name),
      weight: own ? 600 : 400,
    },
    ...(row.value === null ? [] : barOf(row, left, xOf(row.value), bar)),
    ...(row.before == null ? [] : [upright(xOf(row.before), bar - 2, bar + 14, '--text')]),
    ...(row.target?.byNow == null ? [] : [upright(xOf(row.target.byNow), bar - 3, bar + 15, '--text', undefined, 2.5)]),
    {
      kind: 'text',
      at: [end, words],
      text: narrow && change ? `${value}  ${change}` : value,
      colour: row.value === null ? '--text-2' : '--text',
      anchor: 'end',
    },
    ...(change && !narrow
      ? [{ kind: 'text', at: [width, words], text: change, colour: tone, anchor: 'end' } satisfies Mark]
      : []),
  ]
}

const box = (x: number, y: number, width: number, height: number, colour: string, opacity?: number): Mark => ({
  ...{ kind: 'box', at: [x, y], width, height, colour },
  ...(opacity === undefined ? {} : { opacity }),
})

function barOf({ hollow, pale }: RankedRow, from: number, to: number, top: number): Mark[] {
  if (!hollow) return [box(from, top, to - from, 12, '--d1', pale ? 0.55 : 1)]
  const corners = [
    [from, top],
    [to, top],
    [to, top + 12],
    [from, top + 12],
    [from, top],
  ] as const
  return [{ kind: 'line', points: corners, colour: '--d1', width: 1.5 }]
}
