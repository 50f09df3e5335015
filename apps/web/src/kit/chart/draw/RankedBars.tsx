import { isolated } from '@pillar/domain/text/sentence'
import { useState } from 'react'
import type { Format } from '../axes.ts'
import styles from '../Chart.module.css'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { Drawing } from './Drawing.tsx'
import { type RankedRow, type RowTarget, rankedOf } from './ranked-bars.ts'

interface RankedBarsProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption: string
  /** What the bars are, and their value, for the table head: ['Pharmacy', 'Revenue']. */
  heads: readonly [string, string]
  /** In reading order. */
  rows: readonly RankedRow[]
  format: Format
  /** How a change is formatted. */
  formatChange?: Format
  average?: { label: string; value: number } | null
  /** The highlighted row, and what a click on another one does. */
  marked?: string | null
  onMark?: (id: string | null) => void
}

/** The number drawn at once; the table and the files have all. */
const FIRST = 60

/** Who leads and who lags: one bar each in the given order, with the year before, the average and the change. */
export function RankedBars({ title, caption, heads, rows, format, ...look }: RankedBarsProps) {
  const { formatChange = format, average = null, marked = null, onMark } = look
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FIRST)
  const draw = (width: number) => rankedOf({ rows: shown, format, formatChange, average, marked }, width)
  const changed = rows.some(({ change }) => change != null)
  const noted = rows.some(({ note }) => note)
  const word = (value: number | null | undefined, as = format) => (value == null ? '–' : as(value))
  const aimed = rows.some(({ target }) => target)
  const extra = [
    ...(changed ? ['Year before', 'Change'] : []),
    ...(aimed ? ['Target', 'Due by now', 'How it stands'] : []),
    ...(noted ? ['Note'] : []),
  ]
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [...heads, ...extra],
        rows: rows.map(({ label, value, before = null, change = null, target, note = '' }) => [
          ...[label, value],
          ...(changed ? [before, change] : []),
          ...(aimed ? [target?.whole ?? null, target?.byNow ?? null, target?.words ?? ''] : []),
          ...(noted ? [note] : []),
        ]),
      }}
      cells={rows.map(({ label, value, before, change, target, note = '' }) => [
        ...[label, word(value)],
        ...(changed ? [word(before), word(change, formatChange)] : []),
        ...(aimed ? [word(target?.whole), word(target?.byNow), target?.words ?? '–'] : []),
        ...(noted ? [note] : []),
      ])}
      points={shown.map(({ label, value, change, target, note }) => {
        const parts = [
          word(value),
          ...(change == null ? [] : [formatChange(change)]),
          ...aimOf(target, format),
          ...(note ? [note] : []),
        ]
        return `${isolated(label)}: ${parts.join(', ')}`
      })}
      picture={() => drawnPicture(title, caption, draw(PICTURE_ROOM))}
    >
      {(active) => (
        <>
          <Drawing
            label={`${title}. ${caption}`}
            {...{ draw, active }}
            points={shown.map(({ label, value, target, note }) =>
              [`${isolated(label)}: ${word(value)}`, ...aimOf(target, format), ...(note ? [note] : [])].join(', '),
            )}
            onPress={(index) => onMark?.(shown[index]!.id === marked ? null : shown[index]!.id)}
          />
          {aimed ? <p className={styles.note}>The upright mark is what a pharmacy’s target asks for by now.</p> : null}
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

/** A target in words: 'target $120,000, $12,400 behind the pace needed'. */
const aimOf = (target: RowTarget | undefined, format: Format): string[] =>
  target ? [`target ${format(target.whole)}`, target.words] : []
