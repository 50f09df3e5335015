import type { ReactNode } from 'react'
import type { Format } from '../axes.ts'
import styles from '../Chart.module.css'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { type BridgeParts, bridgeOf } from './bridge.ts'
import { Drawing } from './Drawing.tsx'

interface BridgeProps extends BridgeParts {
  /** The answer in words. */
  title: string
  /** The question, and the periods it compares. */
  caption: string
  /** The value's name, for the table head. */
  head: string
  format: Format
  /** A part, with its sign. */
  formatPart: Format
  /** How the parts are calculated. */
  note?: string
  /** Beside the title, such as a chart selector. */
  tools?: ReactNode
}

/** The causes of a change: from the value before, part by part, to the value now. */
export function Bridge({ title, caption, head, from, parts, to, format, formatPart, note, tools }: BridgeProps) {
  const draw = (width: number) => bridgeOf({ from, parts, to }, { format, formatPart }, width)
  const rows = [from, ...parts, to]
  const words = [format(from.value), ...parts.map(({ value }) => formatPart(value)), format(to.value)]
  const points = rows.map(({ label }, index) => `${label}: ${words[index]}`)
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{ heads: ['Part', head], rows: rows.map(({ label, value }) => [label, value]) }}
      cells={rows.map(({ label }, index) => [label, words[index]!])}
      points={points}
      tools={tools}
      picture={() => drawnPicture(title, caption, draw(PICTURE_ROOM))}
    >
      {(active) => (
        <>
          <Drawing label={`${title}. ${caption}`} {...{ draw, points, active }} />
          {note ? <p className={styles.note}>{note}</p> : null}
        </>
      )}
    </Picture>
  )
}
