import { useState } from 'react'
import type { Format } from '../axes.ts'
import styles from '../Chart.module.css'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { Drawing } from './Drawing.tsx'
import { type RankedRow, rankedOf } from './ranked-bars.ts'

interface RankedBarsProps {
  /** The answer in words. */
  title: string
  /** The question, and the time it is asked about. */
  caption: string
  /** What the bars are, and their value, as heads of the table: ['Pharmacy', 'Revenue']. */
  heads: readonly [string, string]
  /** In the order they are to be read. */
  rows: readonly RankedRow[]
  format: Format
  /** How a change is written. */
  formatChange?: Format
  average?: { label: string; value: number } | null
  /** The row that stands out, and what a click on another does. */
  marked?: string | null
  onMark?: (id: string | null) => void
}

/** So many are drawn at once; the table and the files have all. */
const FIRST = 60

/** Who leads and who lags: a bar each in the order given, with the year before, the average and the change. */
export function RankedBars({ title, caption, heads, rows, format, ...look }: RankedBarsProps) {
  const { formatChange = format, average = null, marked = null, onMark } = look
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FIRST)
  const draw = (width: number) => rankedOf({ rows: shown, format, formatChange, average, marked }, width)
  const changed = rows.some(({ change }) => change != null)
  const noted = rows.some(({ note }) => note)
  const word = (value: number | null | undefined, as = format) => (value == null ? '–' : as(value))
  const extra = [...(changed ? ['Year before', 'Change'] : []), ...(noted ? ['Note'] : [])]
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [...heads, ...extra],
        rows: rows.map(({ label, value, before = null, change = null, note = '' }) => [
          ...[label, value],
          ...(changed ? [before, change] : []),
          ...(noted ? [note] : []),
        ]),
      }}
      cells={rows.map(({ label, value, before, change, note = '' }) => [
        ...[label, word(value)],
        ...(changed ? [word(before), word(change, formatChange)] : []),
        ...(noted ? [note] : []),
      ])}
      points={shown.map(({ label, value, change, note }) => {
        const parts = [word(value), ...(change == null ? [] : [formatChange(change)]), ...(note ? [note] : [])]
        return `${label}: ${parts.join(', ')}`
      })}
      picture={() => drawnPicture(title, caption, draw(PICTURE_ROOM))}
    >
      {(active) => (
        <>
          <Drawing
            label={`${title}. ${caption}`}
            {...{ draw, active }}
            points={shown.map(({ label, value, note }) => `${label}: ${word(value)}${note ? `, ${note}` : ''}`)}
            onPress={(index) => onMark?.(shown[index]!.id === marked ? null : shown[index]!.id)}
          />
          {shown.length < rows.length ? (
            <button type="button" className={styles.more} onClick={() => setAll(true)}>
              Show all {rows.length.toLocaleString('en-AU')}
            </button>
          ) : null}
        </>
      )}
    </Picture>
  )
}
