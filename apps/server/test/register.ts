import type { Entry } from '@pillar/domain/s8/entry'

/** A row of s8_transactions, as in a file. */
export type RegisterRow = Record<string, string>

const PRODUCT_COLUMNS = ['product_id', 'name', 'brand', 'unit', 'otp', 'cannabis', 'custom', 'inactive']
const ENTRY_COLUMNS = [
  ...[
    'transaction_id',
    'product_id',
    'entry_type',
    'occurred_at',
    'name',
    'address',
    'patient_id',
    'quantity_in',
    'quantity_out',
  ],
  ...[
    'balance',
    'counted',
    'balance_check',
    'reference',
    'prescribed',
    'pharmacist',
    'intern',
    'second_signer',
    'doctor',
    'note',
    'refers_to',
  ],
]

function csv(columns: readonly string[], rows: readonly RegisterRow[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column] ?? '')).join(','))].join(
    '\n',
  )
}

export const productsFile = (rows: readonly RegisterRow[]) => csv(PRODUCT_COLUMNS, rows)
export const entriesFile = (rows: readonly RegisterRow[]) => csv(ENTRY_COLUMNS, rows)

/** One entry; omitted fields get ordinary values. */
export const entryRow = (transaction_id: number, entry_type: string, more: RegisterRow = {}): RegisterRow => ({
  transaction_id: String(transaction_id),
  product_id: 'M10',
  entry_type,
  occurred_at: '2026-11-01T09:00',
  pharmacist: 'A. Petrou',
  ...more,
})

const number = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text))

/** The same entry as the rules read it. */
export const entryOf = (row: RegisterRow): Entry => ({
  number: Number(row.transaction_id),
  product: row.product_id!,
  type: row.entry_type as Entry['type'],
  in: number(row.quantity_in) ?? 0,
  out: number(row.quantity_out) ?? 0,
  stated: number(row.balance),
  counted: number(row.counted),
  check: (row.balance_check || null) as Entry['check'],
  pharmacist: row.pharmacist!,
  intern: row.intern === '1',
  second: row.second_signer || null,
  refersTo: number(row.refers_to),
  note: row.note || null,
  reference: row.reference || null,
  prescribed: number(row.prescribed),
})

export const MORPHINE: RegisterRow = { product_id: 'M10', name: 'Morphine 10 mg tablet', unit: 'tablets' }
export const METHADONE: RegisterRow = { product_id: 'ME5', name: 'Methadone 5 mg/mL liquid', unit: 'mL', otp: '1' }
