import type { Chart, Plugin } from 'chart.js'
import { fontScale } from '../../shared/font-scale.ts'
import type { Format } from './axes.ts'
import { placeLabels } from './doughnut-labels.ts'
import { roleOf } from './role.ts'

/** A chart at least this wide has room for names at the ends of its lines; a narrower one has a key below. */
const LABELLED_FROM = 520
/** Of a chart's width, the most that names may take. */
const MOST_SHARE = 0.32
const NO_ROOM = 8
const GAP = 18
/** From the end of the lines to a name's mark, and from there to the name. */
const [BEFORE_MARK, BEFORE_NAME] = [10, 13]

/** Whether a chart of this width, in px, names its lines at their ends. */
export const namesLines = (width: number): boolean => width >= LABELLED_FROM * fontScale()

/** Room to leave to the right of the lines, in px: as wide as the longest name with its value, within reason. */
export function endRoom(chart: Chart, format: Format): number {
  const scale = fontScale()
  if (!namesLines(chart.width)) return NO_ROOM * scale
  chart.ctx.save()
  chart.ctx.font = fontOf()
  const widths = endsOf(chart).map(({ name, value }) => chart.ctx.measureText(`${name} ${format(value)}`).width)
  chart.ctx.restore()
  const wanted = BEFORE_MARK + BEFORE_NAME + Math.ceil(Math.max(0, ...widths)) + 1
  return Math.min(wanted * scale, MOST_SHARE * chart.width)
}

const fontOf = () => `600 12px ${getComputedStyle(document.body).fontFamily}`

/** The named lines of a chart with their last values. */
function endsOf({ data }: Chart) {
  return data.datasets.flatMap(({ label, data: values }, index) => {
    const at = values.findLastIndex((value) => value !== null)
    return label && at >= 0 ? [{ index, at, name: label, value: values[at] as number }] : []
  })
}

/** Each line's name and last value beside its end, without overlap. */
export function endLabels(format: Format): Plugin<'line'> {
  return {
    id: 'ends',
    afterDatasetsDraw(chart) {
      const scale = fontScale()
      if (!namesLines(chart.width)) return
      const { ctx, chartArea, data } = chart
      const ends = new Map(endsOf(chart as Chart).map((end) => [end.index, end]))
      const wanted = [...ends.values()].flatMap(({ index, at }) => {
        const point = chart.getDatasetMeta(index).data[at]
        return point ? [{ index, right: true, y: (point.y - chartArea.top) / scale }] : []
      })
      const widest = (chart.width - chartArea.right) / scale - BEFORE_MARK - BEFORE_NAME
      ctx.save()
      ctx.scale(scale, scale)
      ctx.textBaseline = 'middle'
      ctx.font = fontOf()
      for (const { index, y } of placeLabels(wanted, GAP, (chartArea.bottom - chartArea.top) / scale)) {
        const { name, value } = ends.get(index)!
        const [left, middle] = [chartArea.right / scale + BEFORE_MARK, chartArea.top / scale + y]
        // The colour of a line is too light for words.
        ctx.fillStyle = data.datasets[index]!.borderColor as string
        ctx.fillRect(left, middle - 4, 8, 8)
        ctx.fillStyle = roleOf('--text')
        ctx.fillText(shortened(ctx, { name, value: format(value) }, widest), left + BEFORE_NAME, middle)
      }
      ctx.restore()
    },
  }
}

/** A name and its value; if there is no room, the name is cut, never the value. */
function shortened(
  ctx: CanvasRenderingContext2D,
  { name, value }: { name: string; value: string },
  widest: number,
): string {
  const fits = (text: string) => ctx.measureText(text).width <= widest
  let text = `${name} ${value}`
  for (let most = name.length - 1; most > 0 && !fits(text); most--) text = `${name.slice(0, most).trimEnd()}… ${value}`
  return text
}
