import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../../../test/deep.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

const RUNS = DEEP ? 400 : 40

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  // Far more uploads than any pharmacy sends in a day.
  server = await startUploadServer({ env: { UPLOAD_DAY_COUNT: '10000' } })
  pharmacy = await server.pharmacy()
  const Patient = ['1', '2'].map((id) => `${JSON.stringify({ resourceType: 'Patient', id })}\n`).join('')
  const Medication = `${JSON.stringify({ resourceType: 'Medication', id: 'A', code: { text: 'Metformin 500 mg' } })}\n`
  expect(await pharmacy.load({ Patient, Medication }, { data_source: 'fhir' })).toMatchObject({
    etl_state: 'COMPLETED',
  })
})
afterAll(() => server.close())

/** A resource with something in most of the places that are read. */
const whole = (type: string, id: number) => ({
  resourceType: type,
  id: `s${id}`,
  meta: { lastUpdated: '2026-07-01T10:00:00Z' },
  ...{ status: 'completed', intent: 'order', subject: { reference: 'Patient/1' } },
  ...(id % 3
    ? { medicationReference: { reference: 'Medication/A' } }
    : {
        medicationCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: `${id}` }], text: 'Metformin' },
      }),
  ...{ whenHandedOver: '2026-05-20T10:00:00+10:00', authoredOn: '2026-05-01' },
  ...{ quantity: { value: 30, unit: 'TAB' }, daysSupply: { value: 30, code: 'd' } },
  dosageInstruction: [
    {
      sequence: 1,
      text: 'Take ONE daily',
      timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
      doseAndRate: [{ doseQuantity: { value: 1 } }],
    },
  ],
  authorizingPrescription: [{ reference: '#rx' }],
  contained: [
    {
      resourceType: 'MedicationRequest',
      id: 'rx',
      identifier: [{ value: '7' }],
      dispenseRequest: { numberOfRepeatsAllowed: 5 },
      requester: { reference: 'Practitioner/1' },
    },
  ],
  ...{
    type: { coding: [{ code: 'FF' }] },
    extension: [{ url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number', valueInteger: 1 }],
  },
  ...{
    name: [{ use: 'official', family: 'Hale', given: ['Ruth'] }],
    telecom: [{ system: 'phone', use: 'mobile', value: '0491570156' }],
  },
  ...{
    address: [{ line: ['7 Now St'], state: 'NSW', postalCode: '2204' }],
    gender: 'female',
    birthDate: '1956-04',
    deceasedBoolean: false,
  },
  ...{
    identifier: [{ system: 'urn:mrn', value: `${id}`, type: { coding: [{ code: 'PRES' }] } }],
    qualification: [{ code: { text: 'GP' } }],
  },
  ...{ code: { text: 'Metformin 500 mg' }, form: { text: 'tablet' }, amount: { numerator: { value: 30 } } },
  ingredient: [{ itemCodeableConcept: { text: 'metformin' }, strength: { numerator: { value: 500, unit: 'mg' } } }],
})

/** What mistaken, broken and hostile programs put in a place. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    'null',
    '\\N',
    '\\.',
    '\t',
    '\n',
    '💊',
    '\u202e',
    '\ufeff',
    '2026-02-30',
    '0000',
    '9999-12-31',
    '2026-13',
    '1e999',
    '#',
    '#rx',
    'Patient/',
    'Patient/1/2',
    'urn:uuid:',
    'http://',
    'Patient?identifier=%|',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    '}'.repeat(50),
  ),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    0.1,
    1e-9,
    1e21,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    ['a', null],
    [{}],
    { reference: {} },
    { coding: {} },
    { coding: [null] },
    { value: '30' },
    { toString: 1 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** The value with one of its places, chosen by the numbers, replaced. */
function spoil(value: unknown, steps: readonly number[], by: unknown): unknown {
  const [step, ...more] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return by
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...value }
  copy[key] = spoil(copy[key], more, by)
  return copy
}

const resource = fc.record({
  id: fc.nat(80),
  spoiled: fc.oneof(
    { weight: 150, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.tuple(fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), odd) },
  ),
})
type Damage = (bytes: Buffer) => Buffer
const place = fc.double({ min: 0, max: 1, noNaN: true })
const spliced =
  (at: number, piece: Buffer): Damage =>
  (bytes) => {
    const cut = Math.floor(at * bytes.length)
    return Buffer.concat([bytes.subarray(0, cut), piece, bytes.subarray(cut)])
  }
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Damage>((bytes) => bytes) },
  fc.constant<Damage>((bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])),
  fc.constant<Damage>((bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))),
  fc.constant<Damage>((bytes) => Buffer.from(bytes.toString(), 'utf16le')),
  fc.constant<Damage>((bytes) => gzipSync(bytes)),
  place.map<Damage>((at) => (bytes) => gzipSync(bytes).subarray(0, Math.floor(at * 80) + 1)),
  place.map<Damage>((at) => (bytes) => bytes.subarray(0, Math.floor(at * bytes.length))),
  fc
    .tuple(place, fc.constantFrom('"', '\0', '\n', '{', '\\', '\\ud800', '['.repeat(100_000), 'x'.repeat(1_100_000)))
    .map(([at, text]) => spliced(at, Buffer.from(text))),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, bytes]) => spliced(at, Buffer.from(bytes))),
)
const upload = fc.record({
  type: fc.constantFrom(
    'MedicationDispense',
    'MedicationDispense',
    'Patient',
    'Medication',
    'MedicationRequest',
    'Practitioner',
  ),
  rows: fc.array(resource, { minLength: 60, maxLength: 250 }),
  damage,
})

describe('any file of resources', () => {
  it('loads completely or not at all, with a reason, and a repeat changes nothing', {
    timeout: DEEP ? 900_000 : 240_000,
  }, async () => {
    let [completed, refused, faulty, nth] = [0, 0, 0, 0]
    // A separate date range, so that two equal files are two uploads.
    const fields = () => ({ data_source: 'fhir', from: new Date(Date.UTC(2000, 0, ++nth)).toISOString().slice(0, 10) })
    await fc.assert(
      fc.asyncProperty(upload, async ({ type, rows, damage: harm }) => {
        const lines = rows.map(({ id, spoiled }) => {
          const made = whole(type, id)
          return `${JSON.stringify(spoiled ? spoil(made, ...spoiled) : made)}\n`
        })
        const bytes = harm(Buffer.from(lines.join('')))
        if (bytes.length === 0) return
        const before = await pharmacy.fingerprint()
        const status = await pharmacy.load({ [type]: bytes }, fields())
        expect(status.notes).not.toContain('failed on the server')
        for (const fault of status.faults)
          expect(fault).toMatchObject({ file_type: type, reason: expect.stringMatching(/\w/) })
        if (status.etl_state === 'ERROR') {
          refused++
          expect(status.notes).toMatch(/\w.*[.?]$/)
          expect(await pharmacy.fingerprint()).toBe(before)
          return
        }
        completed++
        const [file] = status.files
        faulty += file?.faulty ?? 0
        expect((file?.loaded ?? 0) + (file?.faulty ?? 0)).toBe(file?.rows)
        expect(status.fault_count).toBe(file?.faulty)
        const facts = (await pharmacy.fingerprint()).split('|').slice(0, 6)
        await pharmacy.load({ [type]: bytes }, fields())
        expect((await pharmacy.fingerprint()).split('|').slice(0, 6)).toEqual(facts)
      }),
      { numRuns: RUNS, ...(DEEP ? {} : { seed: 33 }) },
    )
    expect(completed).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
    expect(faulty).toBeGreaterThan(0)
  })
})
