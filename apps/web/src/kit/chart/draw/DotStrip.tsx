import { isolated } from '@pillar/domain/text/sentence'
import type { Format } from '../axes.ts'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { Drawing } from './Drawing.tsx'
import { type StripDot, stripOf } from './dot-strip.ts'

interface DotStripProps {
  /** The answer in words. */
  title: string
  /** The question, and the period it covers. */
  caption: string
  /** What the dots are, and their value, for the table head: ['Pharmacy', 'Revenue']. */
  heads: readonly [string, string]
  dots: readonly StripDot[]
  /** Short, for the axis. */
  format: Format
  /** In full, for reading a single dot. */
  formatFull?: Format
  /** What the dots are compared with, such as their average; the first line is the strongest. */
  lines: readonly { label: string; value: number }[]
  /** What a hollow dot means, as the table's note: 'under 30 measured'. */
  hollowMeans?: string
  /** The highlighted dot, and what a click on another one does. */
  marked?: string | null
  onMark?: (id: string | null) => void
}

/** One item's position among all: one dot each, deciles as ticks, the average as a line, ours filled. */
export function DotStrip({ title, caption, heads, dots, format, lines, hollowMeans, ...look }: DotStripProps) {
  const { formatFull = format, marked = null, onMark } = look
  const sorted = dots.toSorted((a, b) => a.value - b.value)
  const draw = (width: number) => stripOf({ dots: sorted, lines, marked, format, formatFull }, width)
  const noted = sorted.some(({ hollow }) => hollow) && hollowMeans !== undefined
  const noteOf = ({ hollow }: StripDot) => (hollow ? (hollowMeans ?? '') : '')
  const points = sorted.map((dot, index) => {
    const note = noteOf(dot)
    const place = sorted.length > 1 ? `${sorted.length - index} of ${sorted.length} from the top` : ''
    return [`${isolated(dot.label)}: ${formatFull(dot.value)}`, note, place].filter(Boolean).join(', ')
  })
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [...heads, ...(noted ? ['Note'] : [])],
        rows: [
          ...sorted.toReversed().map((dot) => [dot.label, dot.value, ...(noted ? [noteOf(dot)] : [])]),
          ...lines.map(({ label, value }) => [label, value, ...(noted ? [''] : [])]),
        ],
      }}
      cells={[
        ...sorted.toReversed().map((dot) => [dot.label, formatFull(dot.value), ...(noted ? [noteOf(dot)] : [])]),
        ...lines.map(({ label, value }) => [label, formatFull(value)]),
      ]}
      points={points}
      picture={() => drawnPicture(title, caption, draw(PICTURE_ROOM))}
    >
      {(active) => (
        <Drawing
          label={`${title}. ${caption}`}
          {...{ draw, points, active }}
          onPress={(index) => onMark?.(sorted[index]!.id === marked ? null : sorted[index]!.id)}
        />
      )}
    </Picture>
  )
}
