import type { Plugin } from 'chart.js'
import { fontScale } from '../../shared/font-scale.ts'
import type { Format } from './axes.ts'
import { roleOf } from './role.ts'

export interface BarRow {
  label: string
  /** One value per series; null if it is unknown or must stay hidden. */
  values: readonly (number | null)[]
  /** Beside the bar instead of its value; also gives the reason for a missing value. */
  note?: string
}

/** The text to the right of each horizontal bar: its note, or else the sum of its parts. */
export function barNotes(rows: readonly BarRow[], format: Format): Plugin<'bar'> {
  return {
    id: 'notes',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea, scales } = chart
      ctx.save()
      ctx.textBaseline = 'middle'
      ctx.font = `550 ${12 * fontScale()}px ${getComputedStyle(document.body).fontFamily}`
      ctx.fillStyle = roleOf('--text')
      for (const [index, row] of rows.entries()) {
        const ends = chart.data.datasets.map((_, at) => chart.getDatasetMeta(at).data[index])
        const x = Math.max(scales.x?.getPixelForValue(0) ?? chartArea.left, ...ends.map((bar) => bar?.x ?? 0))
        const y = scales.y?.getPixelForValue(index) ?? 0
        ctx.fillText(row.note ?? totalOf(row, format), x + 8, y)
      }
      ctx.restore()
    },
  }
}

/** The sum of the known values; an en dash if there are none. */
export function totalOf({ values }: BarRow, format: Format): string {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? '–' : format(known.reduce((sum, value) => sum + value, 0))
}
