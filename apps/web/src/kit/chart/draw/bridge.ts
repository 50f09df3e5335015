import { ticksOf } from '../steps.ts'
import { type Drawn, fitted, type Mark, widthOf } from './drawing.ts'

export interface BridgeParts {
  from: { label: string; value: number }
  /** The causes between the two values; they add up to the difference. */
  parts: readonly { label: string; value: number }[]
  to: { label: string; value: number }
}

/** The steps of a bridge: each part begins where the previous one ended; the two end bars start at the axis. */
export function stepsOfBridge({ from, parts, to }: BridgeParts) {
  let at = from.value
  const moved = parts.map(({ label, value }) => {
    const begin = at
    at += value
    return { label, value, begin, end: at, whole: false }
  })
  const whole = ({ label, value }: BridgeParts['from']) => ({ label, value, begin: 0, end: value, whole: true })
  return [whole(from), ...moved, whole(to)]
}

/** Where the axis begins: at zero, or at a round number near the values if the parts would be too small to see. */
export function beginOf(bridge: BridgeParts): number {
  const ends = stepsOfBridge(bridge).map(({ end }) => end)
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low <= 0 || high - low > high / 2) return Math.min(0, low)
  return Math.max(0, ticksOf(low - (high - low) / 2, high, 5)[0] ?? 0)
}

const ROW = 30
const NARROW = 420

interface Words {
  format: (value: number) => string
  /** A part, with its sign. */
  formatPart: (value: number) => string
}

/** A bar for the start, one per part that continues from the last, and one for the end. */
export function bridgeOf(bridge: BridgeParts, { format, formatPart }: Words, width: number): Drawn {
  const steps = stepsOfBridge(bridge)
  const begin = beginOf(bridge)
  const most = Math.max(...steps.map(({ end }) => end))
  const left = Math.min(Math.max(...steps.map(({ label }) => widthOf(label))) + 12, width * 0.36)
  const right = width < NARROW ? 74 : 96
  const xOf = (value: number) => left + ((value - begin) / (most - begin || 1)) * (width - left - right)
  const broken = begin > 0
  const bottom = steps.length * ROW
  return {
    width,
    height: bottom + (broken ? 22 : 4),
    marks: [
      upright(left, 0, bottom, '--line-strong'),
      ...steps.flatMap(({ label, value, begin: first, end, whole }, index): Mark[] => {
        const top = index * ROW
        const [from, to] = [Math.max(first, begin), end].map(xOf).sort((a, b) => a - b) as [number, number]
        const colour = whole ? '--d1' : value < 0 ? '--bad-fill' : '--good-fill'
        return [
          { kind: 'text', at: [0, top + 19], text: fitted(label, left - 8), weight: whole ? 600 : 400 },
          { kind: 'box', at: [from, top + 7], width: Math.max(1, to - from), height: 16, colour },
          ...(index < steps.length - 1 ? [upright(xOf(end), top + 23, top + ROW + 7, '--d-rest')] : []),
          { kind: 'text', at: [width, top + 19], text: whole ? format(value) : formatPart(value), anchor: 'end' },
        ]
      }),
      ...(broken
        ? [
            {
              kind: 'text',
              at: [left, bottom + 14],
              text: `The axis begins at ${format(begin)}`,
              colour: '--text-2',
            } satisfies Mark,
          ]
        : []),
    ],
    spots: steps.map((_, index) => ({ at: [0, index * ROW], width, height: ROW })),
  }
}

const upright = (x: number, top: number, bottom: number, colour: string): Mark => ({
  ...{ kind: 'line', colour },
  points: [
    [x, top],
    [x, bottom],
  ],
})
