import type { ArcElement, Chart, Plugin } from 'chart.js'
import { fontScale } from '../../shared/font-scale.ts'
import { roleOf } from './role.ts'

export interface DoughnutPart {
  label: string
  value: number
  /** A role such as '--d1'. */
  colour: string
}

/** '1,234': a count in the ring. */
export const countText = (value: number): string => value.toLocaleString('en-AU')

/** '39%'; a part that is neither empty nor everything is never shown as 0% or 100%. */
export function percentText(value: number, total: number): string {
  if (total === 0 || value === 0) return '0%'
  const share = (100 * value) / total
  if (share < 0.5) return 'under 1%'
  return share >= 99.5 && value < total ? 'over 99%' : `${Math.round(share)}%`
}

/** '9 · 39%': the count and its share. */
export const shareText = (value: number, total: number): string => `${countText(value)} · ${percentText(value, total)}`

export interface Placed {
  index: number
  right: boolean
  y: number
}

/** Positions of the labels without overlap: per side, from top to bottom, at least `gap` apart and within the height. */
export function placeLabels(wanted: readonly Placed[], gap: number, height: number): Placed[] {
  return [true, false].flatMap((right) => {
    const side = wanted.filter((one) => one.right === right).toSorted((a, b) => a.y - b.y)
    let free = gap / 2
    const down = side.map((one) => {
      const y = Math.max(one.y, free)
      free = y + gap
      return { ...one, y }
    })
    let last = height - gap / 2
    return down
      .toReversed()
      .map((one) => {
        const y = Math.min(one.y, last)
        last = y - gap
        return { ...one, y }
      })
      .toReversed()
  })
}

const GAP = 34
/** Between the end of a line and its words, and between the words and the edge of the chart. */
const SPACE = 5

/** The ring the labels surround: its centre and its outer radius. */
interface Ring {
  x: number
  y: number
  radius: number
}

/**
 * Where a label's line ends and its words begin: outside the ring at the height of the words, and at least the words' width from the edge of the
 * chart.
 */
export function labelEnd({ right, y }: Placed, ring: Ring, words: number, width: number): number {
  // Two lines of words reach half a gap up and down.
  const nearest = Math.max(0, Math.abs(y - ring.y) - GAP / 2)
  const outside = Math.sqrt(Math.max(0, ring.radius ** 2 - nearest ** 2)) + 3 * SPACE
  const room = (right ? width - ring.x : ring.x) - words - 2 * SPACE
  return ring.x + (right ? 1 : -1) * Math.min(outside, Math.max(room, 0))
}

/** Names and counts beside the parts, with a line to each, and the sum in the middle. */
export function labelsOf(parts: readonly DoughnutPart[], total: string, of: string): Plugin<'doughnut'> {
  const sum = parts.reduce((all, { value }) => all + value, 0)
  return {
    id: 'labels',
    afterDatasetsDraw(chart) {
      const { ctx } = chart
      const scale = fontScale()
      const [width, height] = [chart.width / scale, chart.height / scale]
      const arcs = (chart.getDatasetMeta(0).data as unknown as ArcElement[]).map((arc) => ringOf(arc, scale))
      const font = (weight: number, size: number) => `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`
      const ends = arcs.map((arc, index) => {
        const middle = (arc.startAngle + arc.endAngle) / 2
        const at = (radius: number) => ({ x: arc.x + Math.cos(middle) * radius, y: arc.y + Math.sin(middle) * radius })
        return { index, from: at(arc.radius + 3), to: at(arc.radius + 14), right: Math.cos(middle) >= 0 }
      })
      const wanted = ends.map(({ index, right, to }) => ({ index, right, y: to.y }))
      ctx.save()
      ctx.scale(scale, scale)
      ctx.textBaseline = 'middle'
      for (const placed of placeLabels(wanted, GAP, height)) {
        const { index, right, y } = placed
        const { from, to } = ends[index]!
        const part = parts[index]!
        ctx.font = font(550, 12.5)
        const words = ctx.measureText(part.label).width
        const x = labelEnd(placed, arcs[index]!, words, width)
        ctx.strokeStyle = roleOf('--line-strong')
        ctx.beginPath()
        ctx.moveTo(from.x, from.y)
        ctx.lineTo(to.x, to.y)
        ctx.lineTo(x, y)
        ctx.stroke()
        ctx.textAlign = right ? 'left' : 'right'
        ctx.fillStyle = roleOf('--text')
        ctx.fillText(part.label, x + (right ? SPACE : -SPACE), y - 8)
        ctx.fillStyle = roleOf('--text-2')
        ctx.font = font(400, 12.5)
        ctx.fillText(shareText(part.value, sum), x + (right ? SPACE : -SPACE), y + 8)
      }
      middle(chart as Chart, arcs[0], font, total, of)
      ctx.restore()
    },
  }
}

/** A part of the ring in the design's pixels, and the position of the part on it. */
const ringOf = ({ x, y, outerRadius, startAngle, endAngle }: ArcElement, scale: number) => ({
  ...{ x: x / scale, y: y / scale, radius: outerRadius / scale },
  ...{ startAngle, endAngle },
})

function middle(
  { ctx }: Chart,
  arc: Ring | undefined,
  font: (weight: number, size: number) => string,
  total: string,
  of: string,
): void {
  if (!arc) return
  ctx.textAlign = 'center'
  ctx.fillStyle = roleOf('--text')
  ctx.font = font(600, 26)
  ctx.fillText(total, arc.x, arc.y - 8)
  ctx.fillStyle = roleOf('--text-2')
  ctx.font = font(400, 12.5)
  ctx.fillText(of, arc.x, arc.y + 14)
}
