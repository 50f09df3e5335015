import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('OMOP’s concept 0 is no product: its own code is, and of a birthday without a month July is taken', async () => {
  const own = await server.pharmacy()
  const exposure = 'drug_exposure_id,person_id,drug_exposure_start_date,drug_concept_id,drug_source_value\n'
  const status = await own.load(
    {
      person: 'person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth\n1,8532,1950,,\n',
      drug_exposure: `${exposure}1,1,2026-01-05,0,0001\n2,1,2026-01-06,0,0002\n3,1,2026-01-07,1112807,0003\n`,
    },
    { data_source: 'omop' },
  )
  expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  const stored = await sql<object>`
    select d.source_id, p.date_of_birth::text as born from script s join drug d on d.id = s.drug_id join patient p on p.id = s.patient_id
    where s.location_id = ${own.id} order by s.source_id`.execute(server.owner)
  expect(stored.rows).toEqual(
    ['code 0001', 'code 0002', '1112807'].map((source_id) => ({ source_id, born: '1950-07-01' })),
  )
})

it('OMOP’s numbers may have a decimal, as programs write columns in which some are empty', async () => {
  const own = await server.pharmacy()
  const exposure = 'drug_exposure_id,person_id,drug_concept_id,drug_exposure_start_date,drug_source_value\n'
  const status = await own.load(
    {
      person: 'person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth\n1,8532.0,1950.0,3.0,4.0\n',
      drug_exposure: `${exposure}1,1,0.0,2026-01-05,0001\n2,1,0.0,2026-01-06,0002\n3,1,1112807.0,2026-01-07,0003\n`,
    },
    { data_source: 'omop' },
  )
  expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  const { rows } = await sql<object>`
    select d.source_id, p.sex, p.date_of_birth::text as born from script s join drug d on d.id = s.drug_id
    join patient p on p.id = s.patient_id where s.location_id = ${own.id} order by s.source_id`.execute(server.owner)
  expect(rows).toEqual(
    ['code 0001', 'code 0002', '1112807'].map((source_id) => ({ source_id, sex: 'F', born: '1950-03-04' })),
  )
})
