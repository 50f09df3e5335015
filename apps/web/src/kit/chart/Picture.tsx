import { ActionIcon } from '@mantine/core'
import { ChartNoAxesCombined, Table2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import { scrollEdges } from '../display/scroll-edges.ts'
import { segmentAfter } from '../form/Segments.tsx'
import { DataTable } from '../list/DataTable.tsx'
import styles from './Chart.module.css'
import type { Figures } from './csv.ts'
import { DownloadMenu } from './DownloadMenu.tsx'
import { chartPicture, type KeyPart } from './picture.ts'

interface PictureProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption?: string
  /** The figures saved as CSV. */
  figures: Figures
  /** The same figures in the table's words; the first column names the row. */
  cells: readonly (readonly string[])[]
  /** What arrow keys read out for each point. */
  points: readonly string[]
  /** Points per row if they form rows and columns: up and down then move by rows. */
  across?: number
  /** Beside the title, such as a chart selector. */
  tools?: ReactNode
  /** The chart for saving; left out, the canvas as shown. */
  picture?: () => HTMLCanvasElement | null
  /** The colour key of the saved chart: the names that the canvas of this width does not show itself. */
  keyOf?: (width: number) => readonly KeyPart[]
  /** The chart, given the point that is read out; null for none. */
  children: (active: number | null) => ReactNode
}

/** The frame of every chart: title, question, an alternative table, downloads, and arrow keys that read the points one by one. */
export function Picture({ title, caption, figures, cells, points, picture, children, ...look }: PictureProps) {
  const { across, tools, keyOf = () => [] } = look
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const [table, setTable] = useState(false)
  const [active, setActive] = useState<number | null>(null)
  const drawn = () => {
    if (picture) return picture()
    const chart = box.current?.querySelector('canvas')
    return chart ? chartPicture(title, caption ?? '', chart, keyOf(chart.clientWidth)) : null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfter(event.key, active, points.length, across)
    if (next === null) return
    event.preventDefault()
    setActive(next)
  }
  return (
    <section ref={box} className={styles.chart} aria-labelledby={`${id}-title`}>
      <header>
        <div className={styles.titles}>
          <h2 id={`${id}-title`}>{title}</h2>
          {caption ? <p>{caption}</p> : null}
        </div>
        {tools}
        {points.length > 0 ? (
          <>
            <ActionIcon
              aria-label={`Show “${title}” as table`}
              title={table ? 'Show the picture' : 'Show as table'}
              aria-pressed={table}
              onClick={() => setTable(!table)}
            >
              <Icon of={table ? ChartNoAxesCombined : Table2} />
            </ActionIcon>
            <DownloadMenu title={title} figures={figures} picture={table && !picture ? null : drawn} />
          </>
        ) : null}
      </header>
      {points.length === 0 ? (
        <p className="muted">Nothing to show.</p>
      ) : table ? (
        <FiguresTable label={title} heads={figures.heads} cells={cells} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: it groups a chart, not fields.
        <div
          role="group"
          aria-label={`${title}: arrow keys read the points`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read the points.
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setActive(null)}
        >
          {children(active)}
          <p className="sr" aria-live="polite">
            {active === null ? '' : points[active]}
          </p>
        </div>
      )}
    </section>
  )
}

/** The point an arrow, Home or End key leads to, starting from none; null for another key. Up and down do not wrap. */
export function pointAfter(key: string, active: number | null, count: number, across?: number): number | null {
  if (across !== undefined && active !== null && (key === 'ArrowUp' || key === 'ArrowDown')) {
    const next = active + (key === 'ArrowUp' ? -across : across)
    return next < 0 || next >= count ? active : next
  }
  const none = Array.from({ length: count }, () => ({}))
  return segmentAfter(key, active ?? -1, none)
}

/** A chart's figures as a table; words left-aligned, figures right. */
function FiguresTable({
  label,
  heads,
  cells,
}: {
  label: string
  heads: readonly string[]
  cells: readonly (readonly string[])[]
}) {
  return (
    <div ref={scrollEdges} className={styles.table}>
      <DataTable
        label={label}
        rows={cells.map((row, at) => ({ at, row }))}
        // Two rows may have the same name, such as a pharmacy and its namesake in another town.
        idOf={({ at }) => String(at)}
        columns={heads.map((head, index) => ({
          label: head,
          num: index > 0,
          cell: ({ row }: { row: readonly string[] }) => row[index] ?? '',
        }))}
      />
    </div>
  )
}
