import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'

const RUNS = DEEP ? 200 : 25

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  // Far more uploads than any pharmacy sends in a day.
  server = await startUploadServer({ env: { UPLOAD_DAY_COUNT: '10000' } })
  pharmacy = await server.pharmacy()
  const status = await pharmacy.load({
    patients: 'patient_id,sex\n1,F\n2,M\n',
    drugs: 'drug_id,name,atc\nA,Metformin 500 mg,A10BA02\n',
  })
  expect(status.etl_state).toBe('COMPLETED')
})
afterAll(() => server.close())

const COLUMNS =
  'script_id,dispensed_on,patient_id,drug_id,units,supply_number,patient_type,reversed,patient_price,directions,days_supply'.split(
    ',',
  )

/** What people, spreadsheets and broken exports put into a cell. */
const odd = fc.oneof(
  fc.constantFrom(
    '\\N',
    '\\.',
    '\\',
    '\t',
    'a\\tb',
    '"',
    '""',
    '"x"',
    "'",
    ' ',
    '-1',
    '1e9',
    'NaN',
    'Infinity',
    '0',
    '00',
    '+5',
    '9'.repeat(30),
  ),
  fc.constantFrom(
    '2026-02-29',
    '0000-00-00',
    '9999-12-31',
    '2026-1-1',
    '31/12/2025',
    '=1+1',
    '{"a":1}',
    '💊',
    'é',
    '\u202e',
    '\ufeff',
    'null',
    'A\u0301',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 300 }),
)
const row = fc.record({
  id: fc.nat(60),
  day: fc.integer({ min: 1, max: 28 }),
  // About one row in twelve.
  spoiled: fc.oneof(
    { weight: 11, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(COLUMNS.length - 1), odd) },
  ),
})
function lineOf(
  { id, day, spoiled }: { id: number; day: number; spoiled: [number, string] | null },
  quote: boolean,
): string {
  const cells = [
    `s${id}`,
    `2026-05-${String(day).padStart(2, '0')}`,
    '1',
    'A',
    '30',
    '1',
    'General',
    '0',
    '31.60',
    'Take ONE daily',
    '',
  ]
  if (spoiled) cells[spoiled[0]] = spoiled[1]
  return cells.map((cell) => (quote ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

type Damage = (bytes: Buffer) => Buffer
const spliced =
  (at: number, piece: Buffer): Damage =>
  (bytes) => {
    const cut = Math.floor(at * bytes.length)
    return Buffer.concat([bytes.subarray(0, cut), piece, bytes.subarray(cut)])
  }
const place = fc.double({ min: 0, max: 1, noNaN: true })
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Damage>((bytes) => bytes) },
  fc.constant<Damage>((bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])),
  fc.constant<Damage>((bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))),
  fc.constant<Damage>((bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r'))),
  fc.constant<Damage>((bytes) => Buffer.from(bytes.toString(), 'utf16le')),
  fc.constant<Damage>((bytes) => gzipSync(bytes)),
  place.map<Damage>((at) => (bytes) => gzipSync(bytes).subarray(0, Math.floor(at * 80) + 1)),
  place.map<Damage>((at) => (bytes) => bytes.subarray(0, Math.floor(at * bytes.length))),
  fc
    .tuple(place, fc.constantFrom('"', '\0', '\n\n\n', ',', '\r', 'x'.repeat(200_000), '"\n"'))
    .map(([at, text]) => spliced(at, Buffer.from(text))),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, bytes]) => spliced(at, Buffer.from(bytes))),
  fc.constant<Damage>(() => Buffer.from(`${'a,'.repeat(99_999)}a\n`)),
)
const corpus = fc
  .record({ rows: fc.array(row, { maxLength: 250 }), quote: fc.boolean(), damage })
  .map(({ rows, quote, damage }) =>
    damage(Buffer.from(`${[COLUMNS.join(','), ...rows.map((one) => lineOf(one, quote))].join('\n')}\n`)),
  )

describe('any file', () => {
  it('loads completely or not at all, with a reason, and a repeat changes nothing', {
    timeout: DEEP ? 900_000 : 60_000,
  }, async () => {
    let [completed, refused, nth] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(corpus, async (bytes) => {
        const before = await pharmacy.fingerprint()
        // A separate date range, so that two equal files are two uploads.
        const sent = await pharmacy.upload(
          { scripts: bytes },
          { from: new Date(Date.UTC(2000, 0, ++nth)).toISOString().slice(0, 10) },
        )
        if (bytes.length === 0) {
          expect(sent.status).toBe(422)
          return
        }
        expect(sent.status).toBe(200)
        const status = await pharmacy.settled(sent.body.uuid)
        expect(status.notes).not.toContain('failed on the server')
        if (status.etl_state === 'ERROR') {
          refused++
          expect(status.notes).toMatch(/\w.*[.?]$/)
          expect(await pharmacy.fingerprint()).toBe(before)
          return
        }
        completed++
        const [file] = status.files
        expect((file?.loaded ?? 0) + (file?.faulty ?? 0)).toBe(file?.rows)
        expect(status.fault_count).toBe(file?.faulty)
        const facts = (await pharmacy.fingerprint()).split('|').slice(0, 6)
        const again = await pharmacy.load(
          { scripts: bytes },
          { from: new Date(Date.UTC(2000, 0, ++nth)).toISOString().slice(0, 10) },
        )
        expect(again.notes).toContain('Scripts: 0 new, 0 changed.')
        expect((await pharmacy.fingerprint()).split('|').slice(0, 6)).toEqual(facts)
      }),
      { numRuns: RUNS, ...(DEEP ? {} : { seed: 33 }) },
    )
    expect(completed).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})
