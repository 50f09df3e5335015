import { isolated } from '@pillar/domain/text/sentence'
import type { ChartConfiguration } from 'chart.js'
import { useCallback, useRef } from 'react'
import { fontScale } from '../../shared/font-scale.ts'
import { axesOf, type Format } from './axes.ts'
import { type BarRow, barNotes } from './bar-notes.ts'
import styles from './Chart.module.css'
import { ChartCanvas } from './ChartCanvas.tsx'
import { hatchOf } from './hatch.ts'
import { Key } from './Key.tsx'
import { Picture } from './Picture.tsx'
import { roleOf } from './role.ts'

interface BarChartProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption: string
  /** What the bars are, for the table head: 'Medicine'. */
  head: string
  rows: readonly BarRow[]
  /** `colour` is a role such as '--d1'. `sum`, written, stands in the key. */
  series: readonly { label: string; colour: string; hatched?: boolean; sum?: string }[]
  format: Format
  /** Bars are horizontal, so that long names have room and a rank reads from top to bottom. */
  horizontal?: boolean
  /** Several series form one bar; otherwise they stand side by side. */
  stacked?: boolean
  height?: number
}

const ROW = 30
const NOTE_ROOM = 96

/** Bars from zero, ranked or over time; hovering, arrow keys and a table give the same figures. */
export function BarChart({ title, caption, head, rows, series, format, ...look }: BarChartProps) {
  const { horizontal = false, stacked = true, height = horizontal ? rows.length * ROW + 48 : 240 } = look
  const key = JSON.stringify({ rows, series, horizontal, stacked })
  const latest = useRef(format)
  latest.current = format
  const config = useCallback(() => configOf(JSON.parse(key) as Drawn, (value) => latest.current(value)), [key])
  const word = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : '–')
  const points = rows.map(({ label, values, note }) => {
    const parts = series.map((one, index) => `${one.label} ${word(values[index])}`)
    return `${isolated(label)}: ${parts.join(', ')}${note ? `, ${note}` : ''}`
  })
  const noted = rows.some(({ note }) => note)
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [head, ...series.map(({ label }) => label), ...(noted ? ['Note'] : [])],
        rows: rows.map(({ label, values, note }) => [
          label,
          ...series.map((_, index) => values[index] ?? null),
          ...(noted ? [note ?? ''] : []),
        ]),
      }}
      cells={rows.map(({ label, values, note }) => [
        label,
        ...series.map((_, index) => word(values[index])),
        ...(noted ? [note ?? ''] : []),
      ])}
      points={points}
      keyOf={() => series}
    >
      {(active) => (
        <div className={styles.plot}>
          <ChartCanvas config={config} label={`${title}. ${caption}`} height={height} active={active} />
          <Key parts={series} />
        </div>
      )}
    </Picture>
  )
}

interface Drawn extends Pick<BarChartProps, 'rows' | 'series'> {
  horizontal: boolean
  stacked: boolean
}

function configOf({ rows, series, horizontal, stacked }: Drawn, format: Format): ChartConfiguration {
  const axes = axesOf(format, { across: horizontal, stacked })
  const config: ChartConfiguration<'bar', (number | null)[]> = {
    type: 'bar',
    data: {
      labels: rows.map(({ label }) => label),
      datasets: series.map(({ label, colour, hatched }, index) => ({
        ...{ label, data: rows.map(({ values }) => values[index] ?? null) },
        backgroundColor: hatched ? hatchOf(colour) : roleOf(colour),
        ...{
          hoverBackgroundColor: hatched ? hatchOf(colour) : roleOf(colour),
          hoverBorderColor: roleOf('--focus'),
          hoverBorderWidth: 2,
        },
        ...{ maxBarThickness: (horizontal ? 18 : 28) * fontScale(), borderRadius: 2 },
      })),
    },
    options: { ...axes, layout: { padding: { right: (horizontal ? NOTE_ROOM : 8) * fontScale() } } } as never,
    plugins: horizontal ? [barNotes(rows, format)] : [],
  }
  return config as unknown as ChartConfiguration
}
