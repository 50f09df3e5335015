/** A figure's target: at most or at least a value, in the figure's unit. */
export type Target = { most: number } | { least: number }

export interface Figure {
  suite: string
  name: string
  unit: string
  measured: number
  /** A figure without one is only reported. */
  target?: Target
  /** The rival's result for the same work in the same run and unit, and its name. */
  rival?: { name: string; measured: number }
  /** How many times better than the rival (below 1: worse). */
  ratio?: number
  /** The individual measurements behind `measured`. */
  samples?: readonly number[]
  note?: string
}

export interface Spread {
  count: number
  min: number
  median: number
  p95: number
  p99: number
  max: number
}

/** The value below which a share `q` (0..1) of the samples lies: nearest rank, so always a measured one. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))]
  if (value === undefined) throw new Error('No measurement to take a quantile of.')
  return value
}

export function spreadOf(samples: readonly number[]): Spread {
  const at = (q: number) => quantile(samples, q)
  return { count: samples.length, min: at(0), median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** 'pass' or 'FAIL'; empty without a target. NaN fails. */
export function verdictOf({ measured, target }: Pick<Figure, 'measured' | 'target'>): 'pass' | 'FAIL' | '' {
  if (!target) return ''
  return ('most' in target ? measured <= target.most : measured >= target.least) ? 'pass' : 'FAIL'
}

/** The same figure with a target nothing can meet, to show that the comparison can fail. */
export function impossible(figure: Figure): Figure {
  if (!figure.target) return figure
  return { ...figure, target: 'most' in figure.target ? { most: -1 } : { least: Number.POSITIVE_INFINITY } }
}

const number = (value: number): string => {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-AU', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function targetText({ target, unit }: Figure): string {
  if (!target) return ''
  return 'most' in target ? `<= ${number(target.most)} ${unit}` : `>= ${number(target.least)} ${unit}`
}

/** All figures as one table of plain text. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['Suite', 'Figure', 'Target', 'Measured', 'Ratio to the rival', 'Verdict']
  const rows = figures.map((figure) => [
    figure.suite,
    figure.name,
    targetText(figure),
    `${number(figure.measured)} ${figure.unit}`,
    figure.ratio === undefined ? '' : `${number(figure.ratio)}x ${figure.rival?.name ?? ''}`,
    verdictOf(figure),
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
