import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import type { FileRow } from './drug-register.queries.ts'
import { registerCsv } from './s8-csv.ts'

const ENTRY: FileRow = {
  ...{ number: 7, at: '2026-11-20 14:05', product_name: 'Oxycodone 5 mg tablet', balance_check: 'incorrect' },
  ...{ entry_type: 'count', name: 'Ruth Hale', address: null, quantity_in: 0, quantity_out: 0, balance: 132 },
  ...{ stated: 130, reference: null, pharmacist: 'Ian Intern', second_signer: null, waits: true, erased: true },
  ...{ doctor: null, note: null },
}

it('a register’s file has the screen’s words for an entry: what was recorded, who has not signed, why a name is kept', async () => {
  async function* lots() {
    yield [ENTRY, { ...ENTRY, stated: null, waits: false, erased: false, second_signer: 'Pat Lee' }]
  }
  let text = ''
  for await (const part of registerCsv(lots(), 'Australia/Sydney')) text += part
  const [entry, other] = parse(text, { bom: true, columns: true }) as Record<string, string>[]
  expect(entry).toMatchObject({ Balance: '132', 'Balance Recorded': '130', 'Balance Check': 'Incorrect Balance' })
  expect(entry).toMatchObject({
    'Countersigned By': '',
    Remarks: 'Not countersigned; erased on request, kept here by law',
  })
  expect(other).toMatchObject({ 'Balance Recorded': '', 'Countersigned By': 'Pat Lee', Remarks: '' })
})
