import { isoOf } from '../calendar.ts'

const COLUMNS = [
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
    'reference',
    'prescribed',
    'pharmacist',
    'intern',
    'second_signer',
    'doctor',
    'note',
    'refers_to',
  ],
] as const

/** A register entry as a person writes it. */
interface Written {
  product: string
  type: string
  in?: number
  out?: number
  counted?: number
  name?: string
  address?: string
  patient?: string
  reference?: string
  prescribed?: number
  signer?: string
  intern?: boolean
  second?: string
  doctor?: string
  note?: string
  refers?: number
  /** No balance is recorded with it. */
  unchecked?: boolean
}

/** A register being written: its lines by day, and each product's balance. */
export interface Book {
  lines: { day: string; cells: string[] }[]
  balances: Map<string, number>
  balance: (product: string) => number
  /** Writes the last supply a second time, with a different quantity. */
  contradict: () => void
  /** Its file, with the lines of these days. */
  text: (from: string, to: string) => string
}

/** An empty register. */
export function openBook(): Book {
  const balances = new Map<string, number>()
  const lines: Book['lines'] = []
  return {
    lines,
    balances,
    balance: (product) => balances.get(product) ?? 0,
    contradict() {
      const last = lines.findLast(({ cells }) => cells[2] === 'supply')
      if (!last) return
      const cells = [...last.cells]
      cells[8] = String(Number(cells[8]) + 10)
      lines.push({ day: last.day, cells })
    },
    text: (from, to) =>
      [COLUMNS, ...lines.filter(({ day }) => day >= from && day <= to).map(({ cells }) => cells)]
        .map((cells) => `${cells.join(',')}\n`)
        .join(''),
  }
}

/** Adds an entry at the end of a register. @returns its number */
export function write(book: Book, on: { day: number; signer: string }, entry: Written): number {
  const day = isoOf(on.day)
  const number = book.lines.length + 1
  const balance = book.balance(entry.product) + (entry.in ?? 0) - (entry.out ?? 0)
  book.balances.set(entry.product, balance)
  const minute = 540 + (number % 480)
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const text = (value: string | number | undefined) => String(value ?? '').replaceAll(',', ' ')
  const cells = [
    ...[
      number,
      entry.product,
      entry.type,
      `${day}T${time}`,
      entry.name,
      entry.address,
      entry.patient,
      entry.in,
      entry.out,
    ],
    ...[
      entry.unchecked || entry.counted !== undefined ? '' : balance,
      entry.counted,
      entry.reference,
      entry.prescribed,
    ],
    ...[entry.signer ?? on.signer, entry.intern ? 1 : 0, entry.second, entry.doctor, entry.note, entry.refers],
  ].map(text)
  book.lines.push({ day, cells })
  return number
}
