import { capital } from '@pillar/domain/text/sentence'
import type { ChartConfiguration } from 'chart.js'
import { useCallback } from 'react'
import { ChartCanvas } from './ChartCanvas.tsx'
import { countText, type DoughnutPart, labelsOf, percentText, shareText } from './doughnut-labels.ts'
import { Picture } from './Picture.tsx'
import { barsPicture } from './picture.ts'
import { roleOf } from './role.ts'

interface DoughnutProps {
  /** The answer in words. */
  title: string
  /** Parts of one sum; empty parts are not drawn. */
  parts: readonly DoughnutPart[]
  /** Under the sum: 'pharmacies'. */
  of: string
  /** What the parts are, for the table head. */
  head: string
}

const HEIGHT = 280

/** Parts of one sum as a ring with direct labels, or as a table. Arrow keys read the parts one by one. */
export function Doughnut({ title, parts: given, of, head }: DoughnutProps) {
  const key = JSON.stringify(given.filter(({ value }) => value > 0))
  const parts = JSON.parse(key) as DoughnutPart[]
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const config = useCallback(() => configOf(JSON.parse(key) as DoughnutPart[], of), [key, of])
  const share = (value: number) => Math.round((100 * value) / total)
  const words = parts.map((part) => `${part.label} ${shareText(part.value, total)}`)
  const picture = () => {
    const rows = parts.map((part) => ({ label: part.label, parts: [part], note: percentText(part.value, total) }))
    return barsPicture(title, `${countText(total)} ${of}`, Math.max(0, ...parts.map(({ value }) => value)), rows)
  }
  return (
    <Picture
      title={title}
      figures={{
        heads: [head, capital(of), 'Share in percent'],
        rows: parts.map(({ label, value }) => [label, value, share(value)]),
      }}
      cells={parts.map(({ label, value }) => [label, countText(value), percentText(value, total)])}
      points={words}
      picture={picture}
    >
      {(active) => (
        <ChartCanvas
          config={config}
          label={`${countText(total)} ${of}: ${words.join(', ')}`}
          height={HEIGHT}
          active={active}
        />
      )}
    </Picture>
  )
}

function configOf(parts: readonly DoughnutPart[], of: string): ChartConfiguration {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const config: ChartConfiguration<'doughnut'> = {
    type: 'doughnut',
    data: {
      labels: parts.map(({ label }) => label),
      datasets: [
        {
          data: parts.map(({ value }) => value),
          backgroundColor: parts.map(({ colour }) => roleOf(colour)),
          borderColor: roleOf('--sheet'),
          hoverBorderColor: roleOf('--focus'),
          borderWidth: 2,
          hoverOffset: 4,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      cutout: '66%',
      radius: 70,
      layout: { padding: 8 },
      plugins: { tooltip: { enabled: false } },
    },
    plugins: [labelsOf(parts, countText(total), of)],
  }
  return config as unknown as ChartConfiguration
}
