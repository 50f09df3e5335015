import { readFileSync } from 'node:fs'

/** Rows of one of our own files in demo/data as objects. These files contain no quotes, so a plain split is enough. */
export function readData(name: string): Record<string, string>[] {
  const text = readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8')
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const columns = header.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    if (cells.length !== columns.length) throw new Error(`${name}: ${cells.length} cells in "${line}"`)
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']))
  })
}
