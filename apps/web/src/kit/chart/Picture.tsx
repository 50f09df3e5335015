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
  /** The question, and the time it is asked about. */
  caption?: string
  /** What is kept as CSV. */
  figures: Figures
  /** The same as the table shows it; the first column names the row. */
  cells: readonly (readonly string[])[]
  /** What each point says when arrow keys read it. */
  points: readonly string[]
  /** Points in a row, where they lie in rows and columns: up and down then move by rows. */
  across?: number
  /** Beside the title, such as a choice of what is shown. */
  tools?: ReactNode
  /** The picture as it is kept; left out, what the canvas shows. */
  picture?: () => HTMLCanvasElement | null
  /** Which colour is what, for the kept picture: what the canvas of this width does not name itself. */
  keyOf?: (width: number) => readonly KeyPart[]
  /** The picture, given the point that is read out; null for none. */
  children: (active: number | null) => ReactNode
}

/** The frame of every picture: title, question, a table in its place, downloads, and arrow keys that read one point after the other. */
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
        // biome-ignore lint/a11y/useSemanticElements: it groups a picture, not fields.
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

/** The point an arrow, Home or End key leads to, from none at first; null for another key. Rows do not wrap up and down. */
export function pointAfter(key: string, active: number | null, count: number, across?: number): number | null {
  if (across !== undefined && active !== null && (key === 'ArrowUp' || key === 'ArrowDown')) {
    const next = active + (key === 'ArrowUp' ? -across : across)
    return next < 0 || next >= count ? active : next
  }
  const none = Array.from({ length: count }, () => ({}))
  return segmentAfter(key, active ?? -1, none)
}

/** A picture's figures as a table; words left, figures right. */
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
        // Two may have one name, such as a pharmacy and its namesake in another town.
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
