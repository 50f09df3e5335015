import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../../../test/people.ts'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer({ env: { UPLOAD_DAY_COUNT: '1000' } })
  pharmacy = await server.pharmacy()
  const loaded = await pharmacy.load({ Patient: PATIENT, Medication: MEDICATION }, FHIR)
  expect(loaded).toMatchObject({ etl_state: 'COMPLETED' })
})
afterAll(() => server.close())

const FHIR = { data_source: 'fhir' }
const line = (resource: object) => `${JSON.stringify(resource)}\n`
const PATIENT = line({ resourceType: 'Patient', id: 'p1', birthDate: '1950-02-03' })
const MEDICATION = line({ resourceType: 'Medication', id: 'm1', code: { text: 'Rosuvastatin 10 mg' } })
const dispense = (id: string, more: object = {}) => ({
  ...{ resourceType: 'MedicationDispense', id, status: 'completed', subject: { reference: 'Patient/p1' } },
  ...{ medicationReference: { reference: 'Medication/m1' }, whenHandedOver: '2026-06-01' },
  ...more,
})
const good = (from: number, count: number) => Array.from({ length: count }, (_, at) => line(dispense(`g${from + at}`)))

let batch = 0
/** The faults of lines placed among enough good ones. */
async function faultsOf(...lines: string[]) {
  const before = good(1000 * ++batch, lines.length * 100)
  const status = await pharmacy.load({ MedicationDispense: [...before, ...lines].join('') }, FHIR)
  expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: lines.length })
  const [file] = status.files
  expect([file?.rows, file?.loaded, file?.faulty]).toEqual([before.length + lines.length, before.length, lines.length])
  return status.faults.map((fault) => ({ ...fault, line: fault.line - before.length }))
}

describe('a patient who cannot be used', () => {
  it.each([
    [
      'a number that is no text',
      line({ resourceType: 'Patient', id: 'x', telecom: [{ system: 'phone', value: 61477310111 }] }),
    ],
    ['contacts that are no list', line({ resourceType: 'Patient', id: 'x', telecom: { value: '0477 310 111' } })],
    ['contacts that are texts', line({ resourceType: 'Patient', id: 'x', telecom: ['0477 310 111'] })],
    ['a day of birth that is none', line({ resourceType: 'Patient', id: 'x', birthDate: '310-111' })],
    ['a line cut short', '{"resourceType":"Patient","id":"x","telecom":[{"value":"0477 310 111"\n'],
  ])('for %s is reported without the number', async (_why, bad) => {
    const more = Array.from({ length: 120 }, (_, at) => line({ resourceType: 'Patient', id: `more${++batch}-${at}` }))
    const status = await pharmacy.load({ Patient: [...more, bad].join('') }, FHIR)
    expect(status.faults).toMatchObject([{ line: 121, value: '' }])
    expect(await asOwner(server, `select from upload_fault t where t::text ~ '310.?111'`)).toEqual([])
  })
})

describe('a line that cannot be used', () => {
  const lines: [string, string, { column: string; value?: string; reason: RegExp | string }][] = [
    [
      'is no JSON',
      '{"resourceType":\n',
      { column: '', reason: /is not JSON to read: it ends too early at character 17/ },
    ],
    [
      'is another type',
      line({ resourceType: 'Observation', id: 'o' }),
      {
        column: 'resourceType',
        value: 'Observation',
        reason: /MedicationDispense.ndjson holds resources of MedicationDispense only/,
      },
    ],
    [
      'is a Bundle',
      line({ resourceType: 'Bundle', entry: [] }),
      { column: 'resourceType', value: 'Bundle', reason: /send its resources of MedicationDispense one a line/ },
    ],
    ['is a list', '[]\n', { column: '', reason: /is not a resource: NDJSON has one resource on each line/ }],
    ['has no id', line(dispense('')), { column: 'id', reason: /is missing: by its id a resource is recognised again/ }],
    [
      'has a future day',
      line(dispense('b1', { whenHandedOver: '2099-01-01' })),
      { column: 'whenHandedOver', value: '2099-01-01', reason: 'is in the future' },
    ],
    [
      'has no whole day',
      line(dispense('b2', { whenHandedOver: '2026-06' })),
      { column: 'whenHandedOver', value: '2026-06', reason: /is a year or a month; the day is needed/ },
    ],
    [
      'has a negative amount',
      line(dispense('b3', { quantity: { value: -30 } })),
      { column: 'quantity.value', value: '-30', reason: 'is not a number of 0 or more, such as 28 or 2.5' },
    ],
    [
      'has a bad version',
      line(dispense('b4', { meta: { lastUpdated: 'yesterday' } })),
      { column: 'meta.lastUpdated', reason: /is not an instant/ },
    ],
    [
      'names an unknown patient',
      line(dispense('b5', { subject: { reference: 'Patient/p404' } })),
      {
        column: 'subject.reference',
        value: 'p404',
        reason: 'names a patient that is neither in this upload nor stored',
      },
    ],
    [
      'names an unknown product',
      line(dispense('b6', { medicationReference: { reference: 'Medication/m404' } })),
      {
        column: 'medicationReference.reference',
        value: 'm404',
        reason: 'names a drug that is neither in this upload nor stored',
      },
    ],
    [
      'is modified by rules nobody knows',
      line(dispense('b7', { modifierExtension: [{ url: 'urn:not-given', valueBoolean: true }] })),
      { column: 'modifierExtension[0].url', value: 'urn:not-given', reason: /changes the meaning of the record/ },
    ],
    [
      'has a part modified by rules nobody knows',
      line(dispense('b11', { dosageInstruction: [{ text: 'Do', modifierExtension: [{ url: 'urn:not' }] }] })),
      { column: 'dosageInstruction[0].modifierExtension[0].url', value: 'urn:not', reason: /changes the meaning/ },
    ],
    [
      'has a version without its zone',
      line(dispense('b12', { meta: { lastUpdated: '2026-07-31T14:05:00' } })),
      { column: 'meta.lastUpdated', reason: /with its zone/ },
    ],
    [
      'was changed in the future',
      line(dispense('b13', { meta: { lastUpdated: '2099-07-31T14:05:00Z' } })),
      { column: 'meta.lastUpdated', reason: /more than a day in the future, so no later version could replace/ },
    ],
    [
      'says something twice',
      '{"resourceType":"MedicationDispense","id":"b8","status":"completed","status":"cancelled"}\n',
      { column: '', reason: /the key "status" twice/ },
    ],
    [
      'has half a character',
      '{"resourceType":"MedicationDispense","id":"b9","note":[{"text":"\\ud83d"}]}\n',
      { column: '', reason: /half a character/ },
    ],
    ['has a NUL', '{"resourceType":"MedicationDispense","id":"b10\\u0000"}\n', { column: '', reason: /NUL/ }],
    ['is nested without end', `${'['.repeat(5000)}\n`, { column: '', reason: /nested more than 60 deep/ }],
    ['has too long an id', line(dispense('x'.repeat(201))), { column: 'id', reason: 'is longer than 200 characters' }],
  ]
  it('is set aside, with its file, line, place, value and what to do, and the others are loaded', async () => {
    const faults = await faultsOf(...lines.map(([, text]) => text))
    const inOrder = faults.toSorted((a, b) => a.line - b.line)
    expect(inOrder.map(({ file_type, line }) => [file_type, line])).toEqual(
      lines.map((_, at) => ['MedicationDispense', at + 1]),
    )
    for (const [at, [name, , { column, value, reason }]] of lines.entries()) {
      expect(inOrder[at], name).toMatchObject({ column, ...(value === undefined ? {} : { value }) })
      expect(inOrder[at]?.reason, name).toMatch(reason)
    }
  })

  it('does not lose the script stored before under its id, in an initial upload', async () => {
    const own = await server.pharmacy()
    const lines = good(0, 150)
    await own.load({ Patient: PATIENT, Medication: MEDICATION, MedicationDispense: lines.join('') }, FHIR)
    const changed = [...lines.slice(1), line(dispense('g0', { status: 'done' }))]
    const status = await own.load({ MedicationDispense: changed.join('') }, { ...FHIR, initial_upload: 'true' })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 1 })
    expect((await own.scripts()).map(({ source_id }) => source_id)).toContain('g0')
  })

  it('ends the upload in ERROR if such lines are more than 1%', async () => {
    const before = await pharmacy.fingerprint()
    const status = await pharmacy.load({ MedicationDispense: [...good(90_000, 98), '{}\n', '{}\n'].join('') }, FHIR)
    expect(status.etl_state).toBe('ERROR')
    expect(status.notes).toBe(
      '2 of 100 rows of MedicationDispense.ndjson are faulty. More than 1% is too many: nothing was changed.',
    )
    expect(await pharmacy.fingerprint()).toBe(before)
  })
})

describe('a file that cannot be used', () => {
  const long = line(dispense('long', { note: [{ text: 'x'.repeat(10 * 1024 ** 2) }] }))
  const files: [string, Files, RegExp][] = [
    [
      'with a line of 10 MB',
      { MedicationDispense: good(0, 3).join('') + long },
      /1 of 4 rows of MedicationDispense\.ndjson is faulty/,
    ],
    [
      'in UTF-16',
      { Patient: Buffer.from(`\ufeff${PATIENT}`, 'utf16le') },
      /Patient\.ndjson is UTF-16 text\. Save it as NDJSON in UTF-8/,
    ],
    [
      'in Latin-1',
      { Patient: Buffer.from('{"resourceType":"Patient","id":"Ren\xe9"}\n', 'latin1') },
      /Patient\.ndjson is not UTF-8 text/,
    ],
    ['with a NUL', { Patient: `${PATIENT}\0\n` }, /Patient\.ndjson holds a NUL character.*not NDJSON text/],
    [
      'cut within its gzip',
      { Patient: gzipSync(PATIENT.repeat(500)).subarray(0, 60) },
      /Patient\.ndjson is a damaged or cut gzip/,
    ],
    [
      'of pretty-printed JSON',
      { Patient: JSON.stringify({ resourceType: 'Patient', id: 'p1' }, null, 2) },
      /4 of 4 rows of Patient\.ndjson are faulty/,
    ],
    [
      'that an initial upload would erase the record with',
      { MedicationDispense: '\n' },
      /MedicationDispense\.ndjson holds no row to load/,
    ],
  ]
  it.each(files)('%s: ERROR, and the numbers stay', async (_name, sent, note) => {
    const before = await pharmacy.fingerprint()
    const status = await pharmacy.load(sent, {
      ...FHIR,
      ...(sent.MedicationDispense === '\n' ? { initial_upload: 'true' } : {}),
    })
    expect(status.notes).toMatch(note)
    expect(status.etl_state).toBe('ERROR')
    expect(await pharmacy.fingerprint()).toBe(before)
  })

  it('of a type Pillar does not read, or from another source, is refused by name', async () => {
    const sent = await pharmacy.upload({ Observation: '{}\n' }, FHIR)
    expect([sent.status, sent.body.message]).toEqual([
      422,
      '"Observation" is not a file of fhir: it has Patient, Practitioner, Medication, MedicationRequest, MedicationDispense, deleted.',
    ])
    expect((await pharmacy.upload({ Patient: PATIENT })).status).toBe(422)
  })
})

describe('versions of one resource', () => {
  const version = (day: number, whenHandedOver: string) =>
    line(dispense('v1', { whenHandedOver, meta: { lastUpdated: `2026-07-0${day}T10:00:00+10:00` } }))

  it('the newest by meta.lastUpdated counts, wherever it is in the file', async () => {
    const own = await server.pharmacy()
    const status = await own.load(
      {
        ...{ Patient: PATIENT, Medication: MEDICATION },
        MedicationDispense:
          version(2, '2026-06-02') + version(3, '2026-06-03') + version(1, '2026-06-01') + line(dispense('v1')),
      },
      FHIR,
    )
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.notes).toContain(
      'MedicationDispense.ndjson: older versions left out: 3; the newest by meta.lastUpdated counts.',
    )
    expect((await own.scripts()).map(({ day }) => day)).toEqual(['2026-06-03'])
  })

  it('an older one that arrives later reverts nothing, and an initial upload of it deletes nothing', async () => {
    const own = await server.pharmacy()
    const send = (text: string, fields = {}) => own.load({ MedicationDispense: text }, { ...FHIR, ...fields })
    const day = async () => (await own.scripts()).find(({ source_id }) => source_id === 'v1')?.day
    await own.load({ Patient: PATIENT, Medication: MEDICATION, MedicationDispense: version(2, '2026-06-02') }, FHIR)
    const late = await send(version(1, '2026-06-01'))
    expect(late.notes).toContain('MedicationDispense.ndjson: older versions left out: 1')
    expect(await day()).toBe('2026-06-02')
    await send(version(3, '2026-06-03'))
    expect(await day()).toBe('2026-06-03')
    await send(good(0, 3).join('') + version(2, '2026-06-02'), { initial_upload: 'true' })
    expect(await day()).toBe('2026-06-03')
    await send(line(dispense('v1', { whenHandedOver: '2026-05-05' })))
    expect(await day()).toBe('2026-05-05')
  })

  it('without it the last line counts', async () => {
    const own = await server.pharmacy()
    const lines = ['2026-06-02', '2026-06-03', '2026-06-01'].map((whenHandedOver) =>
      line(dispense('v1', { whenHandedOver })),
    )
    const status = await own.load(
      { Patient: PATIENT, Medication: MEDICATION, MedicationDispense: lines.join('') },
      FHIR,
    )
    expect(status.notes).toContain('2 rows of MedicationDispense.ndjson repeat an id; the last of each counts.')
    expect((await own.scripts()).map(({ day }) => day)).toEqual(['2026-06-01'])
  })

  it('a later one can undo a supply', async () => {
    const own = await server.pharmacy()
    await own.load({ Patient: PATIENT, Medication: MEDICATION, MedicationDispense: good(0, 2).join('') }, FHIR)
    const counted = async () => (await own.fingerprint()).split('|')[4]
    const before = await counted()
    const status = await own.load({ MedicationDispense: line(dispense('g0', { status: 'entered-in-error' })) }, FHIR)
    expect(status.notes).toContain('MedicationDispense.ndjson: 1 dispense is no supply by status (1 entered-in-error).')
    expect(status.notes).toContain('Scripts: 0 new, 1 changed.')
    expect(await counted()).not.toBe(before)
  })
})
