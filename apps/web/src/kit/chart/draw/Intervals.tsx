import type { ReactNode } from 'react'
import type { Format } from '../axes.ts'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { Drawing } from './Drawing.tsx'
import { type IntervalRow, intervalsOf } from './intervals.ts'

interface IntervalsProps {
  /** The answer in words. */
  title: string
  /** The question, and the meaning of the intervals. */
  caption: string
  /** What the rows are, the two counts and the value: ['Patients', 'Messaged', 'Held out', 'Per patient']. */
  heads: readonly [string, string, string, string]
  rows: readonly IntervalRow[]
  /** Replaces a missing interval. */
  few: string
  formatCount: Format
  /** Short, for the axis. */
  format: Format
  /** In full, for reading a single figure. */
  formatFull: Format
  /** Information that the chart does not show. */
  note?: ReactNode
}

/**
 * Results for a whole and its groups, one per row with its interval on a common scale: hollow if it includes zero, words if there are too few to
 * tell.
 */
export function Intervals({ title, caption, heads, rows, few, formatCount, format, formatFull, note }: IntervalsProps) {
  const draw = (width: number) => intervalsOf({ rows, heads, few, formatCount, format, formatFull }, width)
  const [label, ours, theirs, value] = heads
  const points = rows.map(({ label: name, counts, found }) => {
    const range = found
      ? `${formatFull(found.value)}, between ${formatFull(found.low)} and ${formatFull(found.high)}`
      : few
    return `${name}: ${range}; ${ours.toLowerCase()} ${formatCount(counts[0])}, ${theirs.toLowerCase()} ${formatCount(counts[1])}`
  })
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [label, ours, theirs, value, 'Low', 'High'],
        rows: rows.map(({ label: name, counts, found }) => [
          ...[name, ...counts],
          ...[found?.value ?? null, found?.low ?? null, found?.high ?? null],
        ]),
      }}
      cells={rows.map(({ label: name, counts, found }) => [
        ...[name, ...counts.map(formatCount)],
        ...(found ? [found.value, found.low, found.high].map(formatFull) : [few, '–', '–']),
      ])}
      points={points}
      picture={() => drawnPicture(title, caption, draw(PICTURE_ROOM))}
    >
      {(active) => (
        <>
          <Drawing label={`${title}. ${caption}`} {...{ draw, points, active }} />
          {note}
        </>
      )}
    </Picture>
  )
}
