import { type Step, stepAt } from '../steps.ts'
import { type Drawn, fitted, type Mark } from './drawing.ts'

export interface HeatCell {
  /** Null where it is not known or may not be shown. */
  value: number | null
  /** Why there is none, or how sure it is. */
  note?: string
  /** Rests on too few to be sure: an outline, no ink. */
  hollow?: boolean
}

export interface HeatRow {
  id: string
  label: string
  /** One a column. */
  cells: readonly HeatCell[]
  /** What the row comes to, without ink: what the columns leave out, the whole. */
  ends: readonly (number | null)[]
}

const LONG_WORD = 8

/** A head with places where a long word may break, between syllables or nearly so: a column is narrower than 'Antihypertensives'. */
export const breakable = (head: string): string =>
  head.replace(new RegExp(`\\p{L}{${LONG_WORD + 1},}`, 'gu'), (word) =>
    word.replace(/([aeiouy][bcdfghjklmnpqrstvwxz]?)(?=[bcdfghjklmnpqrstvwxz][aeiouy]\p{L})/giu, '$1\u00AD'),
  )

/** The step of a cell's ink; undefined for a cell without any. */
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
/** How much ink each step has, and from which on the words are light: as on screen. */
const SHARES = [0.08, 0.2, 0.34, 0.8, 1]
const LIGHT_FROM = 3

/** The heat map as it is kept: the same figures and steps as on screen. */
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
