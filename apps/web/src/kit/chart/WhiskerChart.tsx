import type { ChartConfiguration, Plugin } from 'chart.js'
import { useCallback, useRef } from 'react'
import { axesOf, type Format } from './axes.ts'
import styles from './Chart.module.css'
import { ChartCanvas, roleOf } from './ChartCanvas.tsx'
import { Picture } from './Picture.tsx'

export interface Whisker {
  label: string
  value: number
  low: number
  high: number
  /** How many it rests on. */
  n?: number
  /** Drawn hollow: its interval includes what it is compared with. */
  hollow?: boolean
}

interface WhiskerChartProps {
  /** The answer in words. */
  title: string
  /** The question, and what the whiskers are. */
  caption: string
  /** What the rows are, as the head of the table. */
  head: string
  rows: readonly Whisker[]
  format: Format
}

const ROW = 46

/** Values with their intervals, one a row on one scale with a line at zero; hover, arrow keys and a table read the same figures. */
export function WhiskerChart({ title, caption, head, rows, format }: WhiskerChartProps) {
  const key = JSON.stringify(rows)
  const latest = useRef(format)
  latest.current = format
  const config = useCallback(() => configOf(JSON.parse(key) as Whisker[], (value) => latest.current(value)), [key])
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [head, 'Patients', 'Value', 'Low', 'High'],
        rows: rows.map(({ label, n, value, low, high }) => [label, n ?? null, value, low, high]),
      }}
      cells={rows.map(({ label, n, value, low, high }) => [
        label,
        n === undefined ? '–' : String(n),
        format(value),
        format(low),
        format(high),
      ])}
      points={rows.map((row) => `${nameOf(row)}: ${rangeOf(row, format)}`)}
    >
      {(active) => (
        <div className={styles.plot}>
          <ChartCanvas config={config} label={`${title}. ${caption}`} height={rows.length * ROW + 40} active={active} />
        </div>
      )}
    </Picture>
  )
}

const nameOf = ({ label, n }: Whisker) => (n === undefined ? label : `${label}, ${n} patients`)
const rangeOf = ({ value, low, high }: Whisker, format: Format) =>
  `${format(value)}, between ${format(low)} and ${format(high)}`

type Range = [low: number, high: number]

function configOf(rows: readonly Whisker[], format: Format): ChartConfiguration {
  const axes = axesOf(format, { across: true })
  const config: ChartConfiguration<'bar', Range[]> = {
    type: 'bar',
    data: {
      labels: rows.map(({ label }) => label),
      datasets: [
        {
          label: 'Value',
          data: rows.map(({ low, high }) => [low, high]),
          backgroundColor: rows.map(({ hollow }) => `${roleOf(hollow ? '--text-3' : '--d1')}66`),
          ...{ borderSkipped: false, borderRadius: 3, maxBarThickness: 6 },
        },
      ],
    },
    options: {
      ...axes,
      layout: { padding: { right: 16 } },
      plugins: {
        tooltip: {
          ...axes.plugins.tooltip,
          callbacks: { label: ({ dataIndex }: { dataIndex: number }) => ` ${rangeOf(rows[dataIndex]!, format)}` },
        },
      },
    } as never,
    plugins: [dots(rows, format)],
  }
  return config as unknown as ChartConfiguration
}

/** The value on its whisker, with its words above. */
function dots(rows: readonly Whisker[], format: Format): Plugin<'bar'> {
  return {
    id: 'dots',
    afterDatasetsDraw({ ctx, scales }) {
      const { x, y } = scales
      if (!x || !y) return
      ctx.save()
      ctx.font = `600 12px ${getComputedStyle(document.body).fontFamily}`
      ctx.textAlign = 'center'
      for (const [index, { value, hollow }] of rows.entries()) {
        const [at, line] = [x.getPixelForValue(value), y.getPixelForValue(index)]
        ctx.beginPath()
        ctx.arc(at, line, 5, 0, 2 * Math.PI)
        ctx.fillStyle = roleOf(hollow ? '--sheet' : '--d1')
        ctx.fill()
        ctx.lineWidth = 2
        ctx.strokeStyle = roleOf(hollow ? '--text-2' : '--d1')
        ctx.stroke()
        ctx.fillStyle = roleOf('--text')
        ctx.fillText(format(value), at, line - 11)
      }
      ctx.restore()
    },
  }
}
