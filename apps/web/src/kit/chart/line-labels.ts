import type { Plugin } from 'chart.js'
import { fontScale } from '../../shared/font-scale.ts'
import type { Format } from './axes.ts'
import { placeLabels } from './doughnut-labels.ts'
import { roleOf } from './role.ts'

/** A chart at least this wide has room for names at the ends of its lines; a narrower one has a key below. */
const LABELLED_FROM = 520
/** Room right of the lines for their names. */
const ROOM = 150
const NO_ROOM = 8
const GAP = 18
const WIDEST = 124

/** Whether a chart of this width, in px, names its lines at their ends. */
export const namesLines = (width: number): boolean => width >= LABELLED_FROM * fontScale()

/** Room to leave to the right of the lines in a chart of this width, in px. */
export function endRoom(width: number): number {
  return (namesLines(width) ? ROOM : NO_ROOM) * fontScale()
}

/** Each line's name and last value beside its end, without overlap. */
export function endLabels(format: Format): Plugin<'line'> {
  return {
    id: 'ends',
    afterDatasetsDraw(chart) {
      const scale = fontScale()
      if (!namesLines(chart.width)) return
      const { ctx, chartArea, data } = chart
      const wanted = data.datasets.flatMap((set, index) => {
        const values = set.data as (number | null)[]
        const last = values.findLastIndex((value) => value !== null)
        const point = set.label ? chart.getDatasetMeta(index).data[last] : undefined
        return point ? [{ index, right: true, y: (point.y - chartArea.top) / scale }] : []
      })
      ctx.save()
      ctx.scale(scale, scale)
      ctx.textBaseline = 'middle'
      for (const { index, y } of placeLabels(wanted, GAP, (chartArea.bottom - chartArea.top) / scale)) {
        const set = data.datasets[index]!
        const values = set.data as (number | null)[]
        const value = values.findLast((one) => one !== null) as number
        ctx.font = `600 12px ${getComputedStyle(document.body).fontFamily}`
        const [left, middle] = [chartArea.right / scale + 10, chartArea.top / scale + y]
        // The colour of a line is too light for words.
        ctx.fillStyle = set.borderColor as string
        ctx.fillRect(left, middle - 4, 8, 8)
        ctx.fillStyle = roleOf('--text')
        ctx.fillText(shortened(ctx, set.label ?? '', format(value)), left + 13, middle)
      }
      ctx.restore()
    },
  }
}

/** A name and its value; if there is no room, the name is cut, never the value. */
function shortened(ctx: CanvasRenderingContext2D, name: string, value: string): string {
  const fits = (text: string) => ctx.measureText(text).width <= WIDEST
  let text = `${name} ${value}`
  for (let most = name.length - 1; most > 0 && !fits(text); most--) text = `${name.slice(0, most).trimEnd()}… ${value}`
  return text
}
