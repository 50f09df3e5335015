import { CHECK_WORDS, entryLabel } from '@pillar/domain/s8/entry'
import { PRODUCT_TAGS, type ProductTag, STOCK_STATUS_WORDS } from '@pillar/domain/s8/stocktake'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { FileRow } from './drug-register.queries.ts'
import type { ProductRow } from './product.queries.ts'

const PRODUCT_HEAD = ['Product', 'Tags', 'Balance', 'Unit', 'Last Stocktake', 'Pharmacist', 'Note', 'Status']
const REGISTER_HEAD = [
  ...['ID', 'Date', 'Time Zone', 'Product', 'Balance Check', 'Action', 'Name', 'Address', 'In', 'Out', 'Balance'],
  ...['Reference #', 'Pharmacist', 'Countersigned By', 'Doctor', 'Note', 'Balance Recorded', 'Remarks'],
]
const [UNSIGNED, ERASED] = ['Not countersigned', 'erased on request, kept here by law']

/** A stock register as CSV, one line per product. */
export function stockCsv(rows: readonly ProductRow[], country: Country): string {
  const lines = rows.map((row) => [
    safeCell(row.product_name),
    (Object.keys(PRODUCT_TAGS) as ProductTag[])
      .filter((tag) => row[tag])
      .map((tag) => PRODUCT_TAGS[tag].label)
      .join('; '),
    row.balance,
    safeCell(row.unit),
    row.last_stocktake_on === null ? '' : formatDate(country, parseDay(row.last_stocktake_on)!),
    safeCell(row.last_stocktake_taken_by),
    safeCell(row.last_stocktake_note),
    STOCK_STATUS_WORDS[row.status].tag,
  ])
  return csvText([PRODUCT_HEAD, ...lines], { bom: true, record_delimiter: 'windows' })
}

/** A drug register as CSV, one line per entry, in parts: one for the header and one for each lot of entries. */
export async function* registerCsv(lots: AsyncIterable<readonly FileRow[]>, zone: string): AsyncGenerator<string> {
  yield csvText([REGISTER_HEAD], { bom: true, record_delimiter: 'windows' })
  for await (const rows of lots)
    yield csvText(
      rows.map((row) => registerLine(row, zone)),
      { record_delimiter: 'windows' },
    )
}

const registerLine = (row: FileRow, zone: string) => [
  row.number,
  row.at,
  zone,
  safeCell(row.product_name),
  CHECK_WORDS[row.balance_check],
  entryLabel(row.entry_type),
  safeCell(row.name),
  safeCell(row.address),
  row.quantity_in,
  row.quantity_out,
  row.balance,
  safeCell(row.reference),
  safeCell(row.pharmacist),
  safeCell(row.second_signer),
  safeCell(row.doctor),
  safeCell(row.note),
  row.stated,
  [row.waits ? UNSIGNED : '', row.erased ? ERASED : ''].filter(Boolean).join('; '),
]
