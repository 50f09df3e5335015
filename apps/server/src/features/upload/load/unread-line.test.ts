import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const COUNT = 200
const ids = Array.from({ length: COUNT }, (_, at) => `s${at}`)
const CSV = { patients: 'patient_id\n1\n', drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n' }
const row = (id: string) => `${id},2026-06-01,1,A\n`
const csvOf = (rows: readonly string[]) => ({ scripts: `script_id,dispensed_on,patient_id,drug_id\n${rows.join('')}` })
const line = (resource: object) => `${JSON.stringify(resource)}\n`
const FHIR = {
  Patient: line({ resourceType: 'Patient', id: '1' }),
  Medication: line({ resourceType: 'Medication', id: 'A', code: { text: 'Rosuvastatin 10 mg' } }),
}
const dispense = (id: string) =>
  line({
    ...{ resourceType: 'MedicationDispense', id, status: 'completed', subject: { reference: 'Patient/1' } },
    ...{ medicationReference: { reference: 'Medication/A' }, whenHandedOver: '2026-06-01' },
  })

/** A dispense that contains a document of 3 MB. */
const long = dispense('s0').replace('"completed"', `"completed","note":[{"text":"${'x'.repeat(3 * 1024 ** 2)}"}]`)

const stored = async (pharmacy: TestPharmacy) => new Set((await pharmacy.scripts()).map(({ source_id }) => source_id))

/** A pharmacy with all scripts, and the status after an initial upload of the given lines. */
async function replaced(source: 'canonical' | 'fhir', before: Files, after: Files) {
  const pharmacy = await server.pharmacy()
  await pharmacy.load(before, { data_source: source, initial_upload: 'true' })
  expect(await stored(pharmacy)).toEqual(new Set(ids))
  const status = await pharmacy.load(after, { data_source: source, initial_upload: 'true' })
  expect(status.etl_state).toBe('COMPLETED')
  return { status, left: await stored(pharmacy) }
}

/** What an initial upload deletes when the script s0 is unreadable and s1 is missing. */
describe('an initial upload with a line unreadable up to its id', () => {
  const [, , ...rest] = ids
  const broken: [string, 'canonical' | 'fhir', Files, Files][] = [
    [
      'of CSV with too few values',
      'canonical',
      { ...CSV, ...csvOf(ids.map(row)) },
      csvOf(['s0,2026-06-01\n', ...rest.map(row)]),
    ],
    ['of CSV without an id', 'canonical', { ...CSV, ...csvOf(ids.map(row)) }, csvOf([row(''), ...rest.map(row)])],
    [
      'of FHIR that is no JSON',
      'fhir',
      { ...FHIR, MedicationDispense: ids.map(dispense).join('') },
      { MedicationDispense: `${dispense('s0').slice(0, 60)}\n${rest.map(dispense).join('')}` },
    ],
    [
      'of FHIR without an id',
      'fhir',
      { ...FHIR, MedicationDispense: ids.map(dispense).join('') },
      { MedicationDispense: [dispense(''), ...rest.map(dispense)].join('') },
    ],
    [
      'of FHIR that is longer than 1 MB',
      'fhir',
      { ...FHIR, MedicationDispense: ids.map(dispense).join('') },
      { MedicationDispense: [long, ...rest.map(dispense)].join('') },
    ],
  ]
  it.each(broken)('%s deletes nothing, and says so', async (_name, source, before, after) => {
    const { status, left } = await replaced(source, before, after)
    expect(status.fault_count).toBe(1)
    expect(status.notes).toContain(
      'Scripts: 0 new, 0 changed. None was deleted, although this is an initial upload: 1 line could not be read as far as its id, so it is not known which scripts are missing. Correct the file and send it again.',
    )
    expect(left).toEqual(new Set(ids))
  })

  it('with a readable id is kept, and missing rows are deleted', async () => {
    const bad = `${dispense('s0').replace('completed', 'done')}${rest.map(dispense).join('')}`
    const before = { ...FHIR, MedicationDispense: ids.map(dispense).join('') }
    const ofFhir = await replaced('fhir', before, { MedicationDispense: bad })
    expect(ofFhir.left).toEqual(new Set(ids.filter((id) => id !== 's1')))
    const ofCsv = await replaced(
      'canonical',
      { ...CSV, ...csvOf(ids.map(row)) },
      csvOf(['s0,nonsense,1,A\n', ...rest.map(row)]),
    )
    expect(ofCsv.left).toEqual(new Set(ids.filter((id) => id !== 's1')))
    expect(ofCsv.status.notes).toContain('1 deleted that this initial upload no longer holds.')
  })

  it('with an unknown medicine does not add its day to those whose missing scripts are deleted', async () => {
    const pharmacy = await server.pharmacy()
    const initial = { initial_upload: 'true' }
    await pharmacy.load({ ...CSV, ...csvOf(['old,2020-03-01,1,A\n', ...ids.map(row)]) }, initial)
    const { fault_count } = await pharmacy.load(csvOf(['s0,2020-01-01,1,Z\n', ...rest.map(row)]), initial)
    expect(fault_count).toBe(1)
    expect(await stored(pharmacy)).toEqual(new Set(['old', ...ids.filter((id) => id !== 's1')]))
  })

  it('deletes nothing of the dispensing system before, on the same days', async () => {
    const pharmacy = await server.pharmacy()
    await pharmacy.load({ ...CSV, ...csvOf(ids.map(row)) }, { initial_upload: 'true' })
    const fhir = { data_source: 'fhir', initial_upload: 'true' }
    const own = ids.map((id) => `f${id}`)
    await pharmacy.load({ ...FHIR, MedicationDispense: own.map(dispense).join('') }, fhir)
    await pharmacy.load({ MedicationDispense: own.slice(1).map(dispense).join('') }, fhir)
    expect(await stored(pharmacy)).toEqual(new Set([...ids, ...own.slice(1)]))
  })

  it('in another file deletes rows that the scripts lack', async () => {
    const before = { ...CSV, ...csvOf(ids.map(row)) }
    const patients = `patient_id\n${Array.from({ length: 150 }, (_, at) => `${at + 1}\n`).join('')}1,2\n`
    const { left } = await replaced('canonical', before, { patients, ...csvOf(ids.slice(1).map(row)) })
    expect(left).toEqual(new Set(ids.slice(1)))
  })
})

it('a script that refers to a patient of the dispensing system before is a fault, and is not lost unnoticed', async () => {
  const pharmacy = await server.pharmacy()
  await pharmacy.load({ ...CSV, ...csvOf([row('s0')]) })
  const files = { Medication: FHIR.Medication, MedicationDispense: dispense('f0') }
  expect(await pharmacy.load(files, { data_source: 'fhir' })).toMatchObject({ etl_state: 'ERROR', fault_count: 1 })
})
