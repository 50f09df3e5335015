import { readFileSync } from 'node:fs'
import {
  ListFault,
  type ListRow,
  readList,
  SIXTY_DAY_LISTS,
  type SixtyDayListKind,
  type SixtyDayLists,
} from '@pillar/domain/sixty-day/list'
import { parse } from 'csv-parse/sync'

const FILES = {
  items: new URL('../../../data/sixty-day-items.csv', import.meta.url),
  fees: new URL('../../../data/sixty-day-fees.csv', import.meta.url),
  uptake: new URL('../../../data/sixty-day-uptake.csv', import.meta.url),
}

/**
 * Reads a list as an operator provides it: CSV with the columns of its kind in the first line, in any order.
 * @throws ListFault with one sentence for every unusable line
 */
export function parseList<K extends SixtyDayListKind>(kind: K, content: string): SixtyDayLists[K] {
  const columns: readonly string[] = SIXTY_DAY_LISTS[kind]
  let rows: ListRow[]
  try {
    rows = parse(content, { bom: true, columns: true, trim: true, skip_empty_lines: true }) as ListRow[]
  } catch (error) {
    throw new ListFault(`The file could not be read as CSV: ${(error as Error).message}`)
  }
  const head = Object.keys(rows[0] ?? {})
  const first = content.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? ''
  const given = head.length > 0 ? head : first.split(',').map((name) => name.trim())
  const missing = columns.filter((name) => !given.includes(name))
  if (missing.length > 0)
    throw new ListFault(`The first line must name the columns ${columns.join(', ')}; missing: ${missing.join(', ')}.`)
  return readList(kind, rows)
}

const shipped = new Map<SixtyDayListKind, unknown>()

/** The list of a kind that comes with Pillar; null for shortages, which have none. */
export function shippedList<K extends SixtyDayListKind>(kind: K): SixtyDayLists[K] | null {
  if (kind === 'shortages') return null
  const file = FILES[kind as keyof typeof FILES]
  if (!shipped.has(kind)) shipped.set(kind, parseList(kind, readFileSync(file, 'utf8')))
  return shipped.get(kind) as SixtyDayLists[K]
}
