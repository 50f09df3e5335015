import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { alone, copyDatabase, databaseOf } from '../../../test/process/erasure-world.ts'
import { makeSupport } from '../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { eraseAgain } from './erase.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
}, 120_000)
afterAll(() => server.close())

const PATIENTS = `patient_id,first_name,last_name,date_of_birth,mobile
P1,Ada,Quirrenbach,1951-03-17,0477 123 001
P2,Ben,Oldbrook,1960-01-02,0477 000 111
P3,Cho,Lim,1970-05-06,0477 000 222
`

const names = async () =>
  (await asOwner<{ name: string | null }>(server, 'select first_name as name from patient order by id')).map(
    ({ name }) => name,
  )

it('several people who were erased since the backup are erased again, each by their own line, and nobody else', async () => {
  const place = await server.pharmacy()
  expect((await place.load({ patients: PATIENTS })).etl_state).toBe('COMPLETED')
  const [where] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id',
  )
  const name = databaseOf(server)
  await alone(server, copyDatabase(server, name, `${name}_before`))
  const support = await makeSupport(server)
  const of = { id: where!.company, location_id: where!.place, reason: 'Asked in writing' }
  for (const [number, last_name] of [
    ['P1', 'Quirrenbach'],
    ['P2', 'Oldbrook'],
  ] as const)
    expect((await support.ask(contract.erasure.erasePatient, { ...of, number, last_name })).status).toBe(200)
  expect(await names()).toEqual([null, null, 'Cho'])
  await alone(server, `alter database ${name} rename to ${name}_after`, copyDatabase(server, `${name}_before`, name))
  expect(await names()).toEqual(['Ada', 'Ben', 'Cho'])
  expect(await eraseAgain(server.services)).toEqual({ erasures: 2, records: 2 })
  expect(await names()).toEqual([null, null, 'Cho'])
  const records = 'select count(*)::int as n from erasure_record group by erasure order by 1'
  expect(await asOwner(server, records)).toEqual([{ n: 1 }, { n: 1 }])
})
