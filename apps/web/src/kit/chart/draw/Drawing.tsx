import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { fontScale, rem } from '../../../shared/font-scale.ts'
import styles from './Drawing.module.css'
import { type Drawn, HALO, type Mark, TEXT_SIZE } from './drawing.ts'

interface DrawingProps {
  /** A description of the chart for screen readers. */
  label: string
  /** The strokes for a width in the design's pixels. */
  draw: (width: number) => Drawn
  /** The text of each spot when hovered. */
  points: readonly string[]
  /** The point reached with arrow keys; null for none. */
  active: number | null
  /** A click on a spot. */
  onPress?: (index: number) => void
}

const FIRST_WIDTH = 640
const TIP_WIDTH = 240

/** Strokes as SVG in the available width; hovering or an arrow key circles a point and shows its text. */
export function Drawing({ label, draw, points, active, onPress }: DrawingProps) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  const [hovered, setHovered] = useState<number | null>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(Math.max(200, Math.floor(element.clientWidth / fontScale())))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { height, marks, spots } = draw(width)
  const under = (event: PointerEvent) => {
    const frame = box.current?.getBoundingClientRect()
    const scale = fontScale()
    return frame ? spotAt(spots, (event.clientX - frame.left) / scale, (event.clientY - frame.top) / scale) : null
  }
  const read = active ?? hovered
  const spot = read === null ? undefined : spots[read]
  return (
    <div
      ref={box}
      className={styles.box}
      data-pressable={(onPress && hovered !== null) || undefined}
      onPointerMove={(event) => setHovered(under(event))}
      onPointerLeave={() => setHovered(null)}
      onPointerUp={(event) => {
        const at = under(event)
        // The other buttons open the browser's own menu, or scroll.
        if (at !== null && event.button === 0) onPress?.(at)
      }}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        style={{ '--drawn': rem(width) } as object}
        role="img"
        aria-label={label}
      >
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the strokes of one drawing, redrawn together
          <Stroke key={index} mark={mark} />
        ))}
        {spot ? (
          <rect
            className={styles.ring}
            {...{ x: spot.at[0], y: spot.at[1], width: spot.width, height: spot.height, rx: 4 }}
          />
        ) : null}
      </svg>
      {spot && read !== null ? (
        <p
          className={styles.tip}
          style={{
            left: rem(Math.max(0, Math.min(spot.at[0], width - TIP_WIDTH))),
            top: rem(spot.at[1] + spot.height + 4),
          }}
          aria-hidden="true"
        >
          {points[read]}
        </p>
      ) : null}
    </div>
  )
}

/** The spot at a position: of those containing it, the one with the nearest centre; null for none. */
export function spotAt(spots: Drawn['spots'], x: number, y: number): number | null {
  let best: { index: number; far: number } | null = null
  for (const [index, { at, width, height }] of spots.entries()) {
    if (x < at[0] || x > at[0] + width || y < at[1] || y > at[1] + height) continue
    const far = Math.hypot(x - at[0] - width / 2, y - at[1] - height / 2)
    if (!best || far < best.far) best = { index, far }
  }
  return best?.index ?? null
}

const joined = (points: readonly (readonly [number, number])[]) => points.map(([x, y]) => `${x},${y}`).join(' ')

function Stroke({ mark }: { mark: Mark }) {
  const ink = `var(${mark.colour ?? '--text'})`
  if (mark.kind === 'text') {
    const look = { fill: ink, fontSize: TEXT_SIZE, fontWeight: mark.weight ?? 400, textAnchor: mark.anchor ?? 'start' }
    const halo = mark.halo ? ({ stroke: 'var(--sheet)', strokeWidth: HALO, paintOrder: 'stroke' } as const) : {}
    return (
      <text x={mark.at[0]} y={mark.at[1]} {...look} {...halo}>
        {mark.text}
      </text>
    )
  }
  if (mark.kind === 'box') {
    const { at, width, height, opacity } = mark
    return <rect x={at[0]} y={at[1]} {...{ width, height }} rx={1.5} fill={ink} fillOpacity={opacity} />
  }
  if (mark.kind === 'dot') {
    const { at, radius, hollow, opacity } = mark
    const look = hollow ? { fill: 'var(--sheet)', stroke: ink, strokeWidth: 1.75 } : { fill: ink, fillOpacity: opacity }
    return <circle cx={at[0]} cy={at[1]} r={radius} {...look} />
  }
  if (mark.kind === 'area') return <polygon points={joined(mark.points)} fill={ink} fillOpacity={mark.opacity} />
  const { width = 1, dash } = mark
  return (
    <polyline
      points={joined(mark.points)}
      fill="none"
      stroke={ink}
      strokeWidth={width}
      strokeDasharray={dash?.join(' ')}
      strokeLinejoin="round"
    />
  )
}
