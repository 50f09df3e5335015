import type { ChartOptions } from 'chart.js'
import { fontScale } from '../../shared/font-scale.ts'
import { roleOf } from './role.ts'
import { finestOf } from './steps.ts'

/** Formats a figure for an axis, a tooltip or a table. */
export type Format = (value: number) => string

const font = (size = 12, weight = 400) => ({
  family: getComputedStyle(document.body).fontFamily,
  size: size * fontScale(),
  weight,
})

interface Ask {
  across?: boolean
  stacked?: boolean
  fromZero?: boolean
  max?: number
  /** For the tooltip, if the axis is shorter. */
  formatFull?: Format
}

/** What every chart with axes shares: hairlines, few ticks, a strong line at zero, and a tooltip in the theme's colours. */
export function axesOf(format: Format, ask: Ask) {
  const { across = false, stacked = false, fromZero = true, max, formatFull = format } = ask
  const value = {
    stacked,
    beginAtZero: fromZero,
    ...(max === undefined ? {} : { max }),
    border: { display: false },
    grid: {
      color: ({ tick }: { tick: { value: number } }) => roleOf(tick.value === 0 ? '--line-strong' : '--line-soft'),
    },
    ticks: {
      ...{ color: roleOf('--text-2'), font: font(), maxTicksLimit: 6 },
      // No tick if the format would show a different number: for two scripts, none at one and a half.
      precision: Math.round(-Math.log10(finestOf(format))),
      callback: (at: number | string) => format(Number(at)),
    },
  }
  const category = {
    stacked,
    border: { display: false },
    grid: { display: false },
    ticks: {
      ...{ color: roleOf(across ? '--text' : '--text-2'), font: font(), maxRotation: 0, autoSkipPadding: 16 },
      ...(across ? { autoSkip: false, callback: shortName } : {}),
    },
  }
  return {
    animation: false,
    maintainAspectRatio: false,
    indexAxis: across ? 'y' : 'x',
    interaction: { mode: 'index', intersect: false, axis: across ? 'y' : 'x' },
    scales: across ? { x: value, y: category } : { x: category, y: value },
    plugins: { tooltip: tooltipOf(formatFull) },
  } satisfies ChartOptions<'bar'> | ChartOptions<'line'>
}

/** A name shortened to the room in the chart; the table and the tooltip have all of it. */
function shortName(this: { chart: { width: number }; getLabelForValue: (at: number) => string }, at: string | number) {
  const name = this.getLabelForValue(Number(at))
  const most = Math.max(12, Math.floor(this.chart.width / 20))
  return name.length > most ? `${name.slice(0, most - 1)}…` : name
}

function tooltipOf(format: Format) {
  return {
    ...{ backgroundColor: roleOf('--raised'), borderColor: roleOf('--line-strong'), borderWidth: 1, cornerRadius: 6 },
    ...{ titleColor: roleOf('--text'), bodyColor: roleOf('--text-2'), titleFont: font(12, 600), bodyFont: font() },
    ...{ padding: 10, boxWidth: 8, boxHeight: 8, boxPadding: 4 },
    filter: ({ dataset }: { dataset: { label?: string } }) => Boolean(dataset.label),
    callbacks: {
      label: ({ dataset, raw }: { dataset: { label?: string }; raw: unknown }) =>
        ` ${dataset.label}  ${typeof raw === 'number' ? format(raw) : '–'}`,
    },
  }
}
