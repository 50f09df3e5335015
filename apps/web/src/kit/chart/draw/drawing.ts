import { roleOf } from '../role.ts'

type Spot = readonly [x: number, y: number]

/** One stroke of a drawing, in px from its top left corner; colours are roles such as '--d1'. */
export type Mark =
  | { kind: 'line'; points: readonly Spot[]; colour: string; width?: number; dash?: readonly number[] }
  | { kind: 'area'; points: readonly Spot[]; colour: string; opacity: number }
  | { kind: 'box'; at: Spot; width: number; height: number; colour: string; opacity?: number }
  | { kind: 'dot'; at: Spot; radius: number; colour: string; hollow?: boolean; opacity?: number }
  | {
      kind: 'text'
      at: Spot
      text: string
      colour?: string
      weight?: number
      anchor?: 'start' | 'middle' | 'end'
      /** Separates its letters from lines that pass behind. */
      halo?: boolean
    }

/** A chart made of strokes, drawn the same on screen (SVG) and for download (canvas). */
export interface Drawn {
  width: number
  height: number
  marks: readonly Mark[]
  /** The hover area of each point, in the order arrow keys read them. */
  spots: readonly { at: Spot; width: number; height: number }[]
}

export const TEXT_SIZE = 12
export const HALO = 4
/** Width of an average letter relative to its height. */
const LETTER = 0.53

/** As much of a text as roughly fits into `width` px: an average letter is a little over half as wide as high. */
export function fitted(text: string, width: number): string {
  const most = Math.floor(width / (TEXT_SIZE * LETTER))
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…`
}

/** The width of a text in px, roughly. */
export const widthOf = (text: string): number => text.length * TEXT_SIZE * LETTER

/** Draws the marks on a canvas, `left` and `top` px from its corner. */
export function drawOn(ink: CanvasRenderingContext2D, marks: readonly Mark[], left: number, top: number): void {
  const { fontFamily } = getComputedStyle(document.body)
  ink.save()
  ink.translate(left, top)
  for (const mark of marks) {
    ink.globalAlpha = 'opacity' in mark && mark.opacity !== undefined ? mark.opacity : 1
    const colour = roleOf(mark.colour ?? '--text')
    ink.fillStyle = colour
    ink.strokeStyle = colour
    stroke(ink, mark, fontFamily)
  }
  ink.restore()
}

function stroke(ink: CanvasRenderingContext2D, mark: Mark, fontFamily: string) {
  ink.setLineDash([])
  if (mark.kind === 'text') {
    ink.font = `${mark.weight ?? 400} ${TEXT_SIZE}px ${fontFamily}`
    ink.textAlign = mark.anchor === 'middle' ? 'center' : (mark.anchor ?? 'start')
    ink.textBaseline = 'alphabetic'
    if (mark.halo) {
      ink.strokeStyle = roleOf('--sheet')
      ink.lineWidth = HALO
      ink.strokeText(mark.text, ...mark.at)
    }
    ink.fillText(mark.text, ...mark.at)
    return
  }
  if (mark.kind === 'box') {
    ink.fillRect(...mark.at, mark.width, mark.height)
    return
  }
  ink.beginPath()
  if (mark.kind === 'dot') {
    ink.arc(...mark.at, mark.radius, 0, 2 * Math.PI)
    ink.lineWidth = 1.75
    if (mark.hollow) ink.stroke()
    else ink.fill()
    return
  }
  for (const point of mark.points) ink.lineTo(...point)
  if (mark.kind === 'area') return ink.fill()
  ink.lineWidth = mark.width ?? 1
  ink.setLineDash([...(mark.dash ?? [])])
  ink.stroke()
}
