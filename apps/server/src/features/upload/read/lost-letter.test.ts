import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('letters that were lost in the export are loaded as they are, and a note names the first line, once a file', async () => {
  const pharmacy = await server.pharmacy()
  const ordinary = Array.from({ length: 30_000 }, (_, at) => `${at},Zoë`).join('\n')
  const status = await pharmacy.load({
    patients: `patient_id,first_name\n${ordinary}\n30000,Ren�e\n30001,Zo�\n`,
    drugs: 'drug_id,name\nA,Crème\n',
  })
  expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  expect(status.notes).toBe(
    'patients.csv has the sign � from line 30002 on, for letters lost in the export: names and texts with it are shown and sent like that.',
  )
  const exposure = 'drug_exposure_id,person_id,drug_concept_id,drug_exposure_start_date,drug_source_value\n'
  const person = 'person_id,year_of_birth\n1,1950\n'
  const read = { person, drug_exposure: `${exposure}1,1,0,2026-01-05,Cr�me\n` }
  // One file fills two sets here: it is read twice.
  const { notes } = await (await server.pharmacy()).load(read, { data_source: 'omop' })
  expect(notes.match(/�/g)).toHaveLength(1)
  const patient = JSON.stringify({ resourceType: 'Patient', id: '1', name: [{ family: 'M�ller' }] })
  const fhir = await (await server.pharmacy()).load({ Patient: `${patient}\n` }, { data_source: 'fhir' })
  expect(fhir.notes).toContain('Patient.ndjson has the sign � from line 1 on')
})
