import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
let before: string

const PATIENTS = 'patient_id,sex,date_of_birth\n1,F,1950-02-03\n2,M,1961-12-31\n'
const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n'
const HEADER = 'script_id,dispensed_on,patient_id,drug_id,patient_price'
const rowsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `s${from + at},2026-0${1 + (at % 9)}-1${at % 9},1,A,7.70`)
const scripts = (rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`
const GOOD: Files = { patients: PATIENTS, drugs: DRUGS, scripts: scripts(rowsOf(0, 200)) }

beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
  expect(await pharmacy.load(GOOD)).toMatchObject({ etl_state: 'COMPLETED' })
  before = await pharmacy.fingerprint()
})
afterAll(() => server.close())

/** The upload ends in ERROR with this note, and every number of the pharmacy is unchanged. */
async function refused(files: Files, note: RegExp): Promise<void> {
  const status = await pharmacy.load(files)
  expect(status.notes).toMatch(note)
  expect(status.etl_state).toBe('ERROR')
  expect(await pharmacy.fingerprint()).toBe(before)
}

describe('an upload that is refused at once', () => {
  const refusals: [string, Files, Record<string, string>, string, RegExp][] = [
    ['an unknown source', GOOD, { data_source: 'abacus' }, 'data_source', /"abacus" is not known/],
    ['an unknown set', { tablets: 'a\n' }, {}, 'tablets', /"tablets" is not a file of canonical/],
    ['no files', {}, {}, 'files', /holds no files/],
    ['only empty files', { patients: '', scripts: '' }, {}, 'files', /are empty/],
    ['a uuid that is none', GOOD, { uuid: 'seven' }, 'uuid', /uuid/i],
    ['an unknown field', GOOD, { initial: 'true' }, 'initial', /"initial" is not known/],
    ['moved dates of a source with real ones', GOOD, { date_shift_days: '10' }, 'date_shift_days', /are real/],
    ['a range that ends before it begins', GOOD, { from: '2026-02-01', to: '2026-01-01' }, 'from', /after to/],
  ]
  it.each(refusals)('%s: 422 with the name', async (_name, files, fields, field, message) => {
    const sent = await pharmacy.upload(files, fields)
    expect(sent.status).toBe(422)
    expect(sent.body.message).toMatch(message)
    expect(Object.keys(sent.body.errors ?? {})).toEqual([field])
    expect(await pharmacy.fingerprint()).toBe(before)
  })

  it('an unknown key: 401', async () => {
    const stranger = await fetch(`${server.url}/api/etl/upload`, {
      method: 'POST',
      headers: { authorization: 'Bearer nobody', 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--\r\n',
    })
    expect(stranger.status).toBe(401)
  })
})

describe('an unreadable upload', () => {
  const table = 'patient_id,first_name\n1,Ann\n'
  const wide = `${'a,'.repeat(99_999)}a\n`
  const cases: [string, Files, RegExp][] = [
    [
      'an unknown column',
      { scripts: `${HEADER},colour\n` },
      /scripts\.csv has a column "colour" that canonical does not know/,
    ],
    ['a column twice', { patients: 'patient_id,sex,sex\n1,F,F\n' }, /has the column "sex" twice/],
    ['a column lacking', { scripts: 'script_id,patient_id,drug_id\n1,1,A\n' }, /no column "dispensed_on"/],
    [
      'semicolons between its columns',
      { patients: 'patient_id;first_name\n1;Ann\n' },
      /patients\.csv separates its columns with semicolons\. Separate them with commas/,
    ],
    ['tabs between its columns', { patients: 'patient_id\tfirst_name\n1\tAnn\n' }, /its columns with tabs/],
    [
      'columns without a name, as a spreadsheet adds them',
      { patients: 'patient_id,first_name,,\n1,Ann,,\n' },
      /Column 3 of patients\.csv has no name\. Delete it, or name it/,
    ],
    [
      'two exports joined, with their columns in another order',
      { patients: 'patient_id,first_name,last_name\n1,Ann,Li\npatient_id,last_name,first_name\n2,Lo,Bo\n' },
      /patients\.csv has a second header, .* in line 3: two exports were joined\. Send the second as an upload of its own/,
    ],
    ['an Excel file', { patients: Buffer.from('PK\x03\x04\x14\0\x06\0') }, /patients\.csv is an Excel or zip file/],
    ['UTF-16', { patients: Buffer.from(`\ufeff${table}`, 'utf16le') }, /patients\.csv is UTF-16/],
    [
      'Latin-1',
      { patients: Buffer.from(`${table}2,Ren\xe9\n3,Zo\xeb\n`, 'latin1') },
      /not UTF-8 text \(line 3\)\. Save/,
    ],
    [
      'Latin-1 far into a file',
      { patients: Buffer.from(`${table}${'2,B\n'.repeat(40_000)}3,Ren\xe9\n`, 'latin1') },
      /not UTF-8 text \(line 40003\)\. Save/,
    ],
    [
      'a character cut at the end',
      { patients: Buffer.from(`${table}2,Ren\xc3`, 'latin1') },
      /not UTF-8 text \(line 3\)/,
    ],
    ['NUL', { patients: `${table}2,B\0b\n` }, /NUL character at byte 32/],
    ['100,000 columns', { patients: wide }, /has 100000 columns/],
    ['a gzip cut short', { patients: gzipSync(table.repeat(500)).subarray(0, 60) }, /damaged or cut gzip/],
    ['an empty file beside others', { ...GOOD, patients: '' }, /patients\.csv is empty/],
    [
      'a quote left open over all',
      { patients: `patient_id,first_name\n1,"${'Ann\n'.repeat(50_000)}` },
      /row of more than 128 KB/,
    ],
  ]
  it.each(cases)('%s: ERROR, and the numbers stay', async (_name, files, note) => refused(files, note))

  it('two names of one column: ERROR', async () => {
    const files = { patients: 'patient_id,sex,gender\n1,F,M\n' }
    const { etl_state, notes } = await pharmacy.load(files, { data_source: 'minfos' })
    expect([etl_state, notes]).toEqual(['ERROR', 'patients.csv has both "sex" and "gender": send one of them.'])
  })

  it('a zip bomb: ERROR, and memory stays flat', async () => {
    const bomb = Buffer.concat(Array(8).fill(gzipSync(Buffer.alloc(32 * 1024 ** 2, 'patient_id\n'))))
    global.gc?.()
    const rss = process.memoryUsage().rss
    let peak = rss
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 5)
    await refused({ patients: bomb }, /unpacks to more than 200 times its size/)
    clearInterval(watch)
    expect(peak - rss).toBeLessThan(120 * 1024 ** 2)
  })
})

describe('faulty rows', () => {
  beforeEach(async () => {
    before = await pharmacy.fingerprint()
  })

  it('more than 1%: ERROR, nothing applied, the rows listed', async () => {
    const rows = rowsOf(1000, 97)
    const bad = ['b1,2026-02-30,1,A,7.70', 'b2,2026-02-01,1,A,lots']
    const status = await pharmacy.load({ scripts: scripts([...rows, ...bad]) })
    expect(status.etl_state).toBe('ERROR')
    expect(status.notes).toBe('2 of 99 rows of scripts.csv are faulty. More than 1% is too many: nothing was changed.')
    expect(status.faults).toEqual([
      {
        file_type: 'scripts',
        line: 99,
        column: 'dispensed_on',
        value: '2026-02-30',
        reason: 'is not a date such as 2026-07-31',
      },
      {
        file_type: 'scripts',
        line: 100,
        column: 'patient_price',
        value: 'lots',
        reason: 'is not an amount such as 31.60',
      },
    ])
    expect(await pharmacy.fingerprint()).toBe(before)
  })

  it('up to 1%: each is listed with line, column, value and reason, and the good rows load', async () => {
    const bad = [
      'x1,2099-01-01,1,A,1.00',
      'x2,2026-01-01,99,A,1.00',
      'x3,2026-01-01,1,Z,1.00',
      'x4,2026-01-01,1,A,1.00,9',
      ',2026-01-01,1,A,1.00',
      `x6,2026-01-01,1,A,${'9'.repeat(200)}`,
    ]
    const status = await pharmacy.load({ scripts: scripts([...rowsOf(2000, 700), ...bad]) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 6 })
    expect(status.faults).toMatchObject([
      { line: 702, column: 'dispensed_on', value: '2099-01-01', reason: 'is in the future' },
      {
        line: 703,
        column: 'patient_id',
        value: '99',
        reason: 'names a patient that is neither in this upload nor stored',
      },
      { line: 704, column: 'drug_id', value: 'Z', reason: 'names a drug that is neither in this upload nor stored' },
      // A line that may contain a patient's name or number is not quoted.
      { line: 705, column: '', value: '', reason: 'has 6 values for 5 columns' },
      { line: 706, column: 'script_id', value: '', reason: 'is missing' },
      { line: 707, column: 'patient_price', value: `${'9'.repeat(80)}…`, reason: 'is not an amount such as 31.60' },
    ])
    expect(status.files).toMatchObject([{ file_type: 'scripts', rows: 706, loaded: 700, faulty: 6 }])
    expect(await pharmacy.scripts()).toHaveLength(900)
  })

  it('a row whose patient and drug are both unknown is one faulty row', async () => {
    const bad = ['x1,2026-01-01,99,Z,1.00', 'x2,2026-01-01,1,Z,1.00']
    const status = await pharmacy.load({ scripts: scripts([...rowsOf(3000, 300), ...bad]) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 2 })
    expect(status.faults.map(({ line, column }) => [line, column])).toEqual([
      [302, 'patient_id'],
      [303, 'drug_id'],
    ])
    expect(status.files).toMatchObject([{ file_type: 'scripts', rows: 302, loaded: 300, faulty: 2 }])
  })

  it('a fault in a patient’s name or date does not quote it', async () => {
    const bad = [`91,${'Ann'.repeat(40)},,`, '92,Bo,17/03/1951,', '93,Cy,2951-03-17,', '94,Di,1951-03-17,17.3.2020']
    const good = Array.from({ length: 400 }, (_, at) => `${1000 + at},Ann,1951-03-17,`)
    const patients = ['patient_id,first_name,date_of_birth,deceased_on', ...good, ...bad].join('\n')
    const status = await pharmacy.load({ patients: `${patients}\n` })
    expect(status.faults.map(({ column, value, reason }) => [column, value, reason])).toEqual([
      ['first_name', '', 'is longer than 100 characters'],
      ['date_of_birth', '', 'is not a date such as 2026-07-31'],
      ['date_of_birth', '', 'is in the future'],
      ['deceased_on', '', 'is not a date such as 2026-07-31'],
    ])
  })

  it('an id that a spreadsheet has shortened is faulty, because many become the same', async () => {
    const shortened = rowsOf(0, 3).map((row) => row.replace(/^s\d+/, '1.23457E+11'))
    const status = await pharmacy.load({ scripts: scripts([...rowsOf(5000, 400), ...shortened]) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 3 })
    expect(status.faults[0]).toMatchObject({ column: 'script_id', value: '1.23457E+11' })
    expect(status.faults[0]?.reason).toMatch(/spreadsheet has shortened/)
  })

  it('lines swallowed by a broken quote are all counted', async () => {
    const broken = ['q1,2026-01-01,1,A,"1.00"x', 'q2,2026-01-01,1,A,1.00', 'q3,2026-01-01,1,A,"2.00"']
    const status = await pharmacy.load({ scripts: scripts([...rowsOf(3000, 400), ...broken]) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 3 })
    expect(status.faults).toMatchObject([{ line: 402, reason: expect.stringContaining('text after a closing quote') }])
    expect(status.files).toMatchObject([{ rows: 403, loaded: 400, faulty: 3 }])
  })
})

describe('values as systems export them', () => {
  const BLANKS = ['\t,', ', ', '\u00a0,', ',\u2007']
  it('spaces, tabs and no-break spaces around them do not count: the same scripts with them change nothing', async () => {
    const padded = rowsOf(0, 200).map((row, at) =>
      row.replaceAll(',', BLANKS[at % 4]!).replace(/^s/, at % 4 === 2 ? '\ufeffs' : ' s'),
    )
    const status = await pharmacy.load({ scripts: scripts(padded) })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.notes).toContain('Scripts: 0 new, 0 changed.')
  })

  it('a medicine may have quotes, braces and backslashes in its name', async () => {
    const name = '"Lion" \\ {balm}'
    const drugs = `drug_id,name\nG,"${name.replaceAll('"', '""')}"\n`
    expect(await pharmacy.load({ drugs })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    const { rows } = await sql<{ name: string }>`
      select name from drug where location_id = ${pharmacy.id} and source_id = 'G'`.execute(server.owner)
    expect(rows).toEqual([{ name }])
  })

  it('a mobile and an email of spaces are none', async () => {
    const patients = 'patient_id,mobile,email\nblank, , \n'
    expect(await pharmacy.load({ patients })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    const { rows } = await sql<object>`
      select mobile_sealed, email_sealed from patient where location_id = ${pharmacy.id} and source_id = 'blank'`.execute(
      server.owner,
    )
    expect(rows).toEqual([{ mobile_sealed: null, email_sealed: null }])
  })
})
