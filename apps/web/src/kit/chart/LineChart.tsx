import type { Chart, ChartConfiguration, ChartDataset } from 'chart.js'
import { type ReactNode, useCallback, useRef } from 'react'
import { axesOf, type Format } from './axes.ts'
import styles from './Chart.module.css'
import { ChartCanvas } from './ChartCanvas.tsx'
import { Key } from './Key.tsx'
import { endLabels, endRoom, namesLines } from './line-labels.ts'
import { Picture } from './Picture.tsx'
import { roleOf } from './role.ts'

export interface Line {
  label: string
  /** One value per point of the axis; null if unknown or too small, where the line breaks. */
  values: readonly (number | null)[]
  /** A role such as '--d1'. */
  colour: string
  /** For comparison, such as the year before. */
  thin?: boolean
  /** Marks each point: for values that are set, not measured in between. */
  marked?: boolean
  /** Index of the first point still running: the line to it is dashed. */
  dashedFrom?: number
  /** The uncertainty of each point: lower and upper bound. */
  band?: readonly (readonly [number, number] | null)[]
}

interface LineChartProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption: string
  /** What the points of the axis are, for the table head: 'Month'. */
  head: string
  x: readonly string[]
  series: readonly Line[]
  format: Format
  /** In full, for reading a single point. */
  formatFull?: Format
  /** Columns of the table and files that are not drawn, such as a month's total. */
  beside?: readonly { label: string; values: readonly (number | null)[]; format: Format }[]
  /** Below the chart: what the dashed line means. */
  note?: string
  /** A value holds until the next point, as in a survival curve. */
  stepped?: boolean
  /** The axis begins at zero; on unless the change is what matters. */
  fromZero?: boolean
  max?: number
  height?: number
  /** Beside the title, such as a chart selector. */
  tools?: ReactNode
}

/** Lines over time with axes, labelled at their ends; hovering, arrow keys and a table give the same figures. */
export function LineChart({ title, caption, head, x, series, format, height = 240, ...look }: LineChartProps) {
  const { stepped = false, fromZero = true, max, formatFull = format, beside = [], note, tools } = look
  const key = JSON.stringify({ x, series, stepped, fromZero, max })
  const latest = useRef({ format, formatFull })
  latest.current = { format, formatFull }
  const config = useCallback(
    () =>
      configOf(
        JSON.parse(key) as Drawn,
        (value) => latest.current.format(value),
        (value) => latest.current.formatFull(value),
      ),
    [key],
  )
  const word = (value: number | null | undefined, as = formatFull) => (typeof value === 'number' ? as(value) : '–')
  const points = x.map(
    (name, index) => `${name}: ${series.map(({ label, values }) => `${label} ${word(values[index])}`).join(', ')}`,
  )
  const banded = series.filter(({ band }) => band)
  const bounds = banded.flatMap(({ label }) => [`${label}, low`, `${label}, high`])
  const drawn = series.filter(({ values }) => values.some((value) => value !== null))
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [head, ...series.map(({ label }) => label), ...bounds, ...beside.map(({ label }) => label)],
        rows: x.map((name, index) => [
          name,
          ...series.map(({ values }) => values[index] ?? null),
          ...banded.flatMap(({ band }) => [band?.[index]?.[0] ?? null, band?.[index]?.[1] ?? null]),
          ...beside.map(({ values }) => values[index] ?? null),
        ]),
      }}
      cells={x.map((name, index) => [
        name,
        ...series.map(({ values }) => word(values[index])),
        ...banded.flatMap(({ band }) => [word(band?.[index]?.[0]), word(band?.[index]?.[1])]),
        ...beside.map((column) => word(column.values[index], column.format)),
      ])}
      points={drawn.length > 0 ? points : []}
      keyOf={(width) => (namesLines(width) ? [] : drawn)}
      tools={tools}
    >
      {(active) => (
        <div className={styles.plot}>
          <ChartCanvas config={config} label={`${title}. ${caption}`} height={height} active={active} />
          <Key parts={drawn} narrowOnly />
          {note ? <p className={styles.note}>{note}</p> : null}
        </div>
      )}
    </Picture>
  )
}

interface Drawn extends Pick<LineChartProps, 'x' | 'series'> {
  stepped: boolean
  fromZero: boolean
  max?: number
}

type LineData = ChartDataset<'line', (number | null)[]>

function configOf(
  { x, series, stepped, fromZero, max }: Drawn,
  format: Format,
  formatFull: Format,
): ChartConfiguration {
  // Where all figures are 0, an axis around them would begin below 0.
  const allZero = series.every(({ values }) => values.every((value) => value === null || value === 0))
  const begins = { fromZero: fromZero || allZero }
  const axes = axesOf(format, { ...begins, formatFull, ...(max === undefined ? {} : { max }) })
  const config: ChartConfiguration<'line', (number | null)[]> = {
    type: 'line',
    // Bands lie under all lines and have no name, so neither tooltip nor label mentions them.
    data: {
      labels: [...x],
      datasets: [...series.flatMap((line) => bandOf(line, stepped)), ...series.map((line) => lineOf(line, stepped))],
    },
    options: {
      ...axes,
      layout: { padding: (at: { chart: Chart }) => ({ right: endRoom(at.chart, format) }) },
    } as never,
    plugins: [endLabels(format)],
  }
  return config as unknown as ChartConfiguration
}

function lineOf({ label, values, colour, thin, marked, dashedFrom }: Line, stepped: boolean): LineData {
  const ink = roleOf(colour)
  return {
    ...{ label, data: [...values], stepped, borderColor: ink, borderWidth: thin ? 1 : 2, spanGaps: false },
    ...{ pointBackgroundColor: ink, pointBorderColor: roleOf('--sheet'), pointHoverRadius: 5, pointHitRadius: 12 },
    pointRadius: ({ dataIndex }) => (marked || isAlone(values, dataIndex) ? 3 : 0),
    segment: {
      borderDash: ({ p1DataIndex }) => (dashedFrom !== undefined && p1DataIndex >= dashedFrom ? [4, 3] : undefined),
    },
  }
}

/** Whether a point lies between two gaps, where no line would make it visible. */
const isAlone = (values: readonly (number | null)[], at: number) =>
  values[at] !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null

function bandOf({ band, colour }: Line, stepped: boolean): LineData[] {
  if (!band) return []
  const edge = (index: 0 | 1): LineData => ({
    data: band.map((at) => at?.[index] ?? null),
    ...{ stepped, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, spanGaps: false },
  })
  return [edge(0), { ...edge(1), fill: '-1', backgroundColor: `${roleOf(colour)}2e` }]
}
