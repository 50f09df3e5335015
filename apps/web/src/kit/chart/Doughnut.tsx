import type { ChartConfiguration } from 'chart.js'
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react'
import { Segments, segmentAfter } from '../form/Segments.tsx'
import { DataTable } from '../list/DataTable.tsx'
import styles from './Chart.module.css'
import { ChartCanvas, roleOf } from './ChartCanvas.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { type DoughnutPart, labelsOf, shareText } from './doughnut-labels.ts'
import { barsPicture, chartPicture } from './picture.ts'

interface DoughnutProps {
  /** The answer in words. */
  title: string
  /** Parts of one sum; parts of nothing are not drawn. */
  parts: readonly DoughnutPart[]
  /** Under the sum: 'pharmacies'. */
  of: string
  /** What the parts are, as the head of the table. */
  head: string
}

const HEIGHT = 280

/** Parts of one sum as a ring with direct labels, or as a table. Arrow keys read one part after the other. */
export function Doughnut({ title, parts: given, of, head }: DoughnutProps) {
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const [active, setActive] = useState<number | null>(null)
  const key = JSON.stringify(given.filter(({ value }) => value > 0))
  const parts = JSON.parse(key) as DoughnutPart[]
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const words = (part: DoughnutPart) => `${part.label} ${shareText(part.value, total)}`
  const config = useCallback(() => configOf(JSON.parse(key) as DoughnutPart[], of), [key, of])
  const share = (value: number) => Math.round((value / total) * 100)
  const figures = {
    heads: [head, capital(of), 'Share in percent'],
    rows: parts.map(({ label, value }) => [label, value, share(value)]),
  }
  const picture = () => {
    const caption = `${total} ${of}`
    const chart = box.current?.querySelector('canvas')
    if (chart) return chartPicture(title, caption, chart)
    const rows = parts.map((part) => ({ label: part.label, parts: [part], note: `${share(part.value)}%` }))
    return barsPicture(title, caption, Math.max(0, ...parts.map(({ value }) => value)), rows)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = segmentAfter(
      event.key,
      active ?? -1,
      parts.map(() => ({})),
    )
    if (next === null) return
    event.preventDefault()
    setActive(next)
  }
  return (
    <section ref={box} className={styles.chart} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <Segments
          label="Shown as"
          options={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={view}
          onChange={setView}
        />
        {parts.length > 0 ? <DownloadMenu title={title} figures={figures} picture={picture} /> : null}
      </header>
      {view === 'table' ? (
        <DataTable
          label={title}
          rows={parts}
          idOf={({ label }) => label}
          columns={[
            { label: head, cell: ({ label }) => label },
            { label: capital(of), num: true, cell: ({ value }) => value },
            { label: 'Share', num: true, cell: ({ value }) => `${share(value)}%` },
          ]}
        />
      ) : parts.length === 0 ? (
        <p className="muted">Nothing to show.</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: it groups a picture, not fields.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read the parts.
        <div role="group" aria-label={`${title}: arrow keys read the parts`} tabIndex={0} onKeyDown={onKeyDown}>
          <ChartCanvas
            config={config}
            label={`${total} ${of}: ${parts.map(words).join(', ')}`}
            height={HEIGHT}
            active={active}
          />
          <p className="sr" aria-live="polite">
            {active !== null && parts[active] ? words(parts[active]) : ''}
          </p>
        </div>
      )}
    </section>
  )
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

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
    },
    plugins: [labelsOf(parts, String(total), of)],
  }
  return config as unknown as ChartConfiguration
}
