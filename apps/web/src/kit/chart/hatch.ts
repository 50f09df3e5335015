import { roleOf } from './role.ts'

const SIDE = 6

/** Slanting lines in a role's colour, for messages held back and for black-and-white print. A plain colour without a canvas. */
export function hatchOf(colour: string): CanvasPattern | string {
  const tile = document.createElement('canvas')
  tile.width = SIDE
  tile.height = SIDE
  const ink = tile.getContext('2d')
  if (!ink) return roleOf(colour)
  ink.strokeStyle = roleOf(colour)
  ink.lineWidth = 2
  ink.beginPath()
  for (const from of [-SIDE, 0, SIDE]) {
    ink.moveTo(from, SIDE)
    ink.lineTo(from + SIDE, 0)
  }
  ink.stroke()
  return ink.createPattern(tile, 'repeat') ?? roleOf(colour)
}
