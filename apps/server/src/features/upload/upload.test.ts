import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formOf, post, startUploadServer, type UploadServer } from '../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const PATIENTS = 'patient_id,first_name,sex,date_of_birth\n1,Ann,F,1950-02-03\n2,Bob,M,\n'
const DRUGS =
  'drug_id,name,molecule,atc,pack_size\nA,Rosuvastatin 10 mg tablet,rosuvastatin,C10AA07,30\nB,Perindopril 4 mg,,,\n'
const SCRIPTS =
  'script_id,dispensed_on,patient_id,drug_id,units,supply_number,patient_type,patient_price,government_amount,directions,days_supply\n' +
  's1,2026-09-01,1,A,30,1,Concession,7.70,10.94,Take ONE tablet daily,\n' +
  's2,2026-10-01,1,A,60,2,Concession,7.70,10.94,Take ONE tablet twice a day,\n' +
  's3,2026-10-02,2,B,30,1,General,31.60,,,28\n'

describe('a canonical upload', () => {
  it('is COMPLETED and stored with molecules, days of supply and cents', async () => {
    const pharmacy = await server.pharmacy()
    const sent = await pharmacy.upload({ patients: PATIENTS, drugs: DRUGS, scripts: SCRIPTS })
    expect(sent).toMatchObject({ status: 200, body: { etl_state: 'RECEIVED', repeated: false } })
    const status = await pharmacy.settled(sent.body.uuid)
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0, notes: 'Scripts: 3 new, 0 changed.' })
    expect(status.files).toMatchObject([
      { file_type: 'patients', rows: 2, loaded: 2, faulty: 0 },
      { file_type: 'drugs', rows: 2 },
      { file_type: 'scripts', rows: 3, loaded: 3 },
    ])
    expect(await pharmacy.scripts()).toEqual([
      {
        source_id: 's1',
        day: '2026-09-01',
        patient: '1',
        molecule: 'Rosuvastatin',
        k: 1,
        days: 30,
        basis: 2,
        type: 2,
        cents: 1864,
      },
      {
        source_id: 's2',
        day: '2026-10-01',
        patient: '1',
        molecule: 'Rosuvastatin',
        k: 2,
        days: 30,
        basis: 2,
        type: 2,
        cents: 1864,
      },
      {
        source_id: 's3',
        day: '2026-10-02',
        patient: '2',
        molecule: 'Perindopril',
        k: 1,
        days: 28,
        basis: 1,
        type: 1,
        cents: 3160,
      },
    ])
  })
})

it.each([
  ['from', '20/11/2026', 'From: please enter a date such as 2026-11-20.'],
  ['initial_upload', 'perhaps', 'Initial upload: please choose'],
])('a wrong %s is refused with a sentence that says what to send', async (field, value, sentence) => {
  const pharmacy = await server.pharmacy()
  const files = { patients: 'patient_id\n1\n' }
  const answer = await post(
    `${server.url}/api/etl/upload`,
    pharmacy.key,
    formOf(files, { data_source: 'canonical', [field]: value }),
  )
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining(sentence) })
})
