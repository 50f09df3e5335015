import type { Country } from '@pillar/domain/time/locale'
import { z } from 'zod'

/** What the cells of a column are; a spreadsheet can add up and sort all but text. */
export type SheetKind = 'text' | 'date' | 'count' | 'money' | 'percent' | 'bound'

/** A cell: text, a number (money in currency, shares as fractions), a day as '2026-11-20' in a column of dates; null for an empty one. */
export type SheetCell = string | number | null

export interface SheetColumn {
  readonly head: string
  readonly kind: SheetKind
  /** In characters. */
  readonly width: number
}

/** A table on its way into a spreadsheet. Rows are taken one by one as the file is written. */
export interface Sheet {
  readonly name: string
  readonly columns: readonly SheetColumn[]
  readonly rows: Iterable<readonly SheetCell[]>
  /** Whose sign money has, and in whose order dates are written. */
  readonly country: Country
}

/** A file as a screen gets it, with what it is called. */
export interface FileReply {
  readonly filename: string
  readonly file: Blob
}

/** The output of a call with `answer: 'xlsx'`: its handler gives the sheet, whoever asks gets the file made of it (FileReply). */
export const sheetFile = z.object({
  filename: z.string(),
  sheet: z.custom<Sheet>((value) => typeof value === 'object' && value !== null),
})
