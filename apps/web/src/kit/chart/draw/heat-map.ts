import { type Step, stepAt } from '../steps.ts'
import { type Drawn, fitted, type Mark } from './drawing.ts'

export interface HeatCell {
  /** Null if it is unknown or must stay hidden. */
  value: number | null
  /** Why there is no value, or how uncertain it is. */
  note?: string
  /** Too few observations to be sure: an outline, no colour. */
  hollow?: boolean
}

export interface HeatRow {
  id: string
  label: string
  /** One per column. */
  cells: readonly HeatCell[]
  /** The row's totals, without colour: the columns left out, and the whole. */
  ends: readonly (number | null)[]
}

const LONG_WORD = 8
/** A piece this short, such as 'an-', is not worth a line. */
const SHORT_PIECE = 3

/** A head with break opportunities in a long word, between syllables or nearly so, because a column is narrower than 'Antihypertensives'. */
export const breakable = (head: string): string =>
  head.replace(new RegExp(`\\p{L}{${LONG_WORD + 1},}`, 'gu'), (word) =>
    word
      .split(/(?<=[aeiouy][bcdfghjklmnpqrstvwxz]?)(?=[bcdfghjklmnpqrstvwxz][lr]?[aeiouy]\p{L})/iu)
      .reduce((begun, piece) => begun + (lastPiece(begun) > SHORT_PIECE ? '\u00AD' : '') + piece),
  )

const lastPiece = (word: string) => word.length - 1 - word.lastIndexOf('\u00AD')

/** A cell's colour step; undefined for a cell without colour. */
export const stepOfCell = ({ value, hollow }: HeatCell, steps: readonly Step[]): number | undefined =>
  value === null || hollow ? undefined : stepAt(value, steps)

interface Heat {
  columns: readonly string[]
  endHeads: readonly string[]
  rows: readonly HeatRow[]
  steps: readonly Step[]
  format: (value: number) => string
}

const NAME = 190
const ROW = 24
const HEAD = 24
/** The amount of ink in each step, and the step from which the words are light, as on screen. */
const SHARES = [0.08, 0.2, 0.34, 0.8, 1]
const LIGHT_FROM = 3

/** The heat map for saving, with the same figures and steps as on screen. */
export function heatOf({ columns, endHeads, rows, steps, format }: Heat, width: number): Drawn {
  const heads = [...columns, ...endHeads]
  const each = (width - NAME) / heads.length
  const right = (column: number) => NAME + (column + 1) * each - 6
  return {
    width,
    height: HEAD + rows.length * ROW,
    marks: [
      ...heads.map((head, column) => text(fitted(head, each - 6), right(column), 14, '--text-2')),
      ...rows.flatMap((row, index): Mark[] => {
        const top = HEAD + index * ROW
        return [
          { kind: 'text', at: [0, top + 16], text: fitted(row.label, NAME - 12) },
          ...row.cells.flatMap((cell, column) => {
            const step = stepOfCell(cell, steps)
            const ink = step !== undefined && step >= LIGHT_FROM ? '--on-accent' : '--text'
            const at: Mark[] =
              step === undefined
                ? []
                : [
                    {
                      ...{ kind: 'box', at: [NAME + column * each + 1, top + 1], width: each - 2, height: ROW - 2 },
                      ...{ colour: '--d1', opacity: SHARES[step] ?? 1 },
                    },
                  ]
            return [...at, text(cell.value === null ? '–' : format(cell.value), right(column), top + 16, ink)]
          }),
          ...row.ends.map((value, end) =>
            text(value === null ? '–' : format(value), right(columns.length + end), top + 16, '--text'),
          ),
        ]
      }),
    ],
    spots: [],
  }
}

const text = (word: string, x: number, y: number, colour: string): Mark => ({
  ...{ kind: 'text', at: [x, y], text: word, colour, anchor: 'end' },
})
