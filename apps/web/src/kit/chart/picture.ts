import { type Drawn, drawOn } from './draw/drawing.ts'
import { hatchOf } from './hatch.ts'
import { roleOf } from './role.ts'

const EDGE = 24
const WIDTH = 900
const ROW = 64
const BAR = 22
/** Twice the screen's resolution, for print. */
const SCALE = 2

export interface BarsRow {
  /** To the left of the bar, with smaller words under it. */
  label: string
  under?: string
  /** Parts of the bar from left to right; the colour is a role such as '--d1'. */
  parts: readonly { label: string; value: number; colour: string }[]
  /** To the right of the bar. */
  note?: string
}

const TITLE = { weight: 650, size: 17, line: 22 }
const CAPTION = { weight: 400, size: 13, line: 18 }
const BELOW_HEAD = 20

/** Words wrapped into lines that fit; a word too long for any line gets its own. */
export function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** An empty chart on the current theme's background, with its title and its question; `top` is where its content begins. */
function paper(width: number, height: number, title: string, caption: string) {
  const canvas = document.createElement('canvas')
  const ink = canvas.getContext('2d')
  if (!ink) return null
  const { fontFamily } = getComputedStyle(document.body)
  const linesIn = (text: string, { weight, size }: typeof TITLE) => {
    ink.font = `${weight} ${size}px ${fontFamily}`
    return linesOf(text, (line) => ink.measureText(line).width <= width - 2 * EDGE)
  }
  const [titles, captions] = [linesIn(title, TITLE), linesIn(caption, CAPTION)]
  const under = EDGE + titles.length * TITLE.line
  const top = under + captions.length * CAPTION.line + BELOW_HEAD
  canvas.width = width * SCALE
  canvas.height = (top + height) * SCALE
  ink.scale(SCALE, SCALE)
  ink.fillStyle = roleOf('--sheet')
  ink.fillRect(0, 0, width, top + height)
  ink.textBaseline = 'top'
  const write = (text: string, x: number, y: number, role = '--text', weight = 400, size = 13) => {
    ink.font = `${weight} ${size}px ${fontFamily}`
    ink.fillStyle = roleOf(role)
    ink.fillText(text, x, y)
    return ink.measureText(text).width
  }
  for (const [at, line] of titles.entries())
    write(line, EDGE, EDGE + at * TITLE.line, '--text', TITLE.weight, TITLE.size)
  for (const [at, line] of captions.entries()) write(line, EDGE, under + 4 + at * CAPTION.line, '--text-2')
  return { canvas, ink, write, top }
}

/** Bars on one scale, on which `most` takes the full width, with each part's count below. */
export function barsPicture(title: string, caption: string, most: number, rows: readonly BarsRow[]) {
  const drawn = paper(WIDTH, rows.length * ROW + EDGE, title, caption)
  if (!drawn) return null
  const { canvas, ink, write, top } = drawn
  const from = 240
  const room = WIDTH - from - EDGE - 150
  for (const [index, { label, under, parts, note }] of rows.entries()) {
    const y = top + index * ROW
    write(label, EDGE, y + 2, '--text', 550)
    if (under) write(under, EDGE, y + 22, '--text-2', 400, 12)
    let x = from
    let key = from
    for (const part of parts) {
      const width = most > 0 ? (part.value / most) * room : 0
      ink.fillStyle = roleOf(part.colour)
      ink.fillRect(x, y, width, BAR)
      ink.fillRect(key, y + BAR + 9, 8, 8)
      x += width
      key += 27 + write(`${part.label} ${part.value}`, key + 13, y + BAR + 6, '--text-2', 400, 12)
    }
    if (note) write(note, WIDTH - EDGE - 140, y + 4, '--text', 550)
  }
  return canvas
}

export interface DrawnTile {
  code: string
  word: string
  /** Null if it must stay hidden. */
  step: number | null
}

const TILE = { width: 104, height: 64, gap: 4 }
/** The amount of ink on a tile of each step, and the step from which the words are light, as on screen. */
const SHARES = [0.08, 0.2, 0.34, 0.8, 1]
const LIGHT_FROM = 3

/** A map of tiles, column and row counted from 1, and below it the ranked tiles of the open area. */
export function tilesPicture(
  title: string,
  caption: string,
  states: readonly (DrawnTile & { place: readonly [number, number] })[],
  inside: readonly DrawnTile[],
) {
  const rows = Math.max(0, ...states.map(({ place }) => place[1]))
  const across = Math.floor((WIDTH - 2 * EDGE) / (TILE.width + TILE.gap))
  const all = rows + (inside.length > 0 ? 1 : 0) + Math.ceil(inside.length / across)
  const drawn = paper(WIDTH, all * (TILE.height + TILE.gap) + EDGE, title, caption)
  if (!drawn) return null
  const { canvas, ink, write, top } = drawn
  const tile = ({ code, word, step }: DrawnTile, column: number, row: number) => {
    const x = EDGE + column * (TILE.width + TILE.gap)
    const y = top + row * (TILE.height + TILE.gap)
    ink.globalAlpha = step === null ? 1 : (SHARES[step] ?? 1)
    ink.fillStyle = roleOf(step === null ? '--line-soft' : '--d1')
    ink.fillRect(x, y, TILE.width, TILE.height)
    ink.globalAlpha = 1
    const role = step !== null && step >= LIGHT_FROM ? '--on-accent' : '--text'
    write(code, x + 8, y + 12, role, 600)
    write(word, x + 8, y + 34, role, 400, 12)
  }
  for (const state of states) tile(state, state.place[0] - 1, state.place[1] - 1)
  for (const [index, one] of inside.entries()) tile(one, index % across, rows + 1 + Math.floor(index / across))
  return canvas
}

/** The width for a drawing in a saved chart, in px. */
export const PICTURE_ROOM = WIDTH - 2 * EDGE

/** Strokes below their title. */
export function drawnPicture(title: string, caption: string, { height, marks }: Drawn) {
  const drawn = paper(WIDTH, height + EDGE, title, caption)
  if (drawn) drawOn(drawn.ink, marks, EDGE, drawn.top)
  return drawn?.canvas ?? null
}

/** One colour of a saved chart's key: a role such as '--d1'. */
export interface KeyPart {
  label: string
  colour: string
  hatched?: boolean
}

const KEY = { box: 10, line: 20, gap: 16 }

/** The positions of a key's parts, from its top left corner, in as many lines as needed. */
function keyPlaces(parts: readonly KeyPart[], width: number) {
  const ink = document.createElement('canvas').getContext('2d')
  if (ink) ink.font = `400 13px ${getComputedStyle(document.body).fontFamily}`
  let [x, y] = [0, 0]
  return parts.map((part) => {
    const wide = KEY.box + 6 + (ink?.measureText(part.label).width ?? 0)
    if (x > 0 && x + wide > width) [x, y] = [0, y + KEY.line]
    const place = { part, x, y }
    x += wide + KEY.gap
    return place
  })
}

/** A chart's drawing below its title and above its key; without a key if the chart itself names its parts. */
export function chartPicture(title: string, caption: string, chart: HTMLCanvasElement, parts: readonly KeyPart[]) {
  const { clientWidth, clientHeight: height } = chart
  const width = Math.max(clientWidth, 420)
  const key = parts.length > 1 ? keyPlaces(parts, width - 2 * EDGE) : []
  const last = key.at(-1)
  const drawn = paper(width, height + (last ? last.y + KEY.line + EDGE : 0), title, caption)
  if (!drawn) return null
  const { canvas, ink, write, top } = drawn
  ink.drawImage(chart, 0, top, clientWidth, height)
  for (const { part, x, y } of key) {
    const [left, line] = [EDGE + x, top + height + 4 + y]
    ink.fillStyle = part.hatched ? hatchOf(part.colour) : roleOf(part.colour)
    ink.fillRect(left, line + 3, KEY.box, KEY.box)
    write(part.label, left + KEY.box + 6, line + 1, '--text-2')
  }
  return canvas
}
