import type { DispensingSet } from '@pillar/domain/upload/upload-format'
import { type GenerateRange, generatePharmacy } from './generate.ts'
import type { DemoNetwork } from './network.ts'

export type Row = Record<string, string>

/**
 * The files of one upload as whole texts, for tests.
 *
 * @internal
 */
export function textsOf(network: DemoNetwork, index: number, range: GenerateRange = {}): Record<DispensingSet, string> {
  const texts: Partial<Record<DispensingSet, string>> = {}
  for (const { set, text } of generatePharmacy(network, index, range)) texts[set] = (texts[set] ?? '') + text
  return texts as Record<DispensingSet, string>
}

/** Cells of one CSV line; quotes may enclose commas. */
export function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? '')
}

/**
 * Rows of a CSV text as objects by column name. A line with another number of cells than the header throws.
 *
 * @internal
 */
export function rowsOf(text: string): Row[] {
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const columns = header.split(',')
  return lines.map((line) => {
    const cells = cellsOf(line)
    if (cells.length !== columns.length) throw new Error(`${cells.length} cells in "${line}"`)
    const row: Row = {}
    columns.forEach((column, i) => {
      row[column] = cells[i] ?? ''
    })
    return row
  })
}
