import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile } from '../../../../../test/messaging.ts'
import { asOwner } from '../../../../../test/people.ts'
import { makeSupport } from '../../../../../test/support.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../../test/upload.ts'
import { rowName, SEALED } from '../../../../db/field/columns.ts'
import { openContacts } from '../../../../db/field/contact.ts'
import { inScope } from '../../../../db/scope.ts'
import { recordConsent } from '../../../consent/consent-log.queries.ts'
import { followUp } from '../../after-upload.jobs.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const OLD = { data_source: 'fred' }
const HEAD = 'patient_id,first_name,last_name,sex,date_of_birth,mobile,postcode'
const DRUGS = 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n'
const table = (head: string, rows: readonly string[]) => `${[head, ...rows].join('\n')}\n`
const patients = (...rows: string[]) => ({ patients: table(HEAD, rows) })
const scripts = (...rows: string[]) => ({
  drugs: DRUGS,
  scripts: table('script_id,dispensed_on,patient_id,drug_id', rows),
})
/** Supplies on the first of consecutive months of 2026. */
const monthly = (prefix: string, number: string, from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, n) => `${prefix}${n},2026-${String(from + n).padStart(2, '0')}-01,${number},A`,
  )

const recordsOf = async ({ id }: TestPharmacy) =>
  asOwner<{ number: string; scripts: number }>(
    server,
    `select p.source || ' ' || p.source_id as number, count(s.source_id)::int as scripts from patient p
     left join script s on s.location_id = p.location_id and s.patient_id = p.id
     where p.location_id = ${id} group by 1 order by 1`,
  )

it('a patient who gets a new number in a new system keeps their record, history and consent', async () => {
  const pharmacy = await server.pharmacy()
  const [ann, ben] = [freshMobile(), freshMobile()]
  await pharmacy.load(
    {
      ...patients(`1,Ann,Roe,F,1950-05-05,${ann},2204`, `2,Ben,Poe,M,1960-06-06,${ben},2204`),
      ...scripts(...monthly('a', '1', 1, 6), 'b,2026-06-02,2,A'),
    },
    OLD,
  )
  const [record] = await asOwner<{ id: number }>(
    server,
    `select id from patient where location_id = ${pharmacy.id} and source_id = '1'`,
  )
  await inScope(server.services.pools.app, { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }, (tx) =>
    recordConsent(
      tx,
      {
        locationId: pharmacy.id,
        patientId: record!.id,
        at: new Date(),
        event: { type: 'stop' },
        wording: 'STOP',
        source: 'reply',
      },
      new Date(),
    ),
  )
  const done = await pharmacy.load({
    ...patients(`N7,ANN,ROE,F,1950-05-05,${ann},2205`, `N8,Cho,Li,F,1970-07-07,${freshMobile()},2204`),
    ...scripts(...monthly('n', 'N7', 7, 9), 'c,2026-09-01,N8,A'),
  })
  expect([done.etl_state, done.notes]).toEqual([
    'COMPLETED',
    expect.stringContaining('Patients who were recognised from another dispensing system and keep their record: 1.'),
  ])
  expect(await recordsOf(pharmacy)).toEqual([
    { number: 'canonical N7', scripts: 9 },
    { number: 'canonical N8', scripts: 1 },
    { number: 'fred 2', scripts: 1 },
  ])
  const [kept] = await asOwner(
    server,
    `select p.id, p.postcode, c.sms_health_outreach as sms from patient p join consent c on c.patient_id = p.id where p.source_id = 'N7'`,
  )
  expect(kept).toEqual({ id: record!.id, postcode: '2205', sms: 'out' })
  // Nine months of one person: measured, and adherent.
  const [measured] = await asOwner(
    server,
    `select adherent from metric_total where location_id = ${pharmacy.id} order by period limit 1`,
  )
  expect(measured).toEqual({ adherent: 1 })
})

it('rows that the former system still sends belong to the same people, with or without its file of patients', async () => {
  const pharmacy = await server.pharmacy()
  const person = (number: string) => patients(`${number},Ann,Roe,F,1950-05-05,${'0491570156'},2204`)
  await pharmacy.load({ ...person('1'), ...scripts('a,2026-01-01,1,A') }, OLD)
  await pharmacy.load({ ...person('N1'), ...scripts('n,2026-02-01,N1,A') })
  expect(await pharmacy.load(scripts('b,2026-01-30,1,A'), OLD)).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await recordsOf(pharmacy)).toEqual([{ number: 'canonical N1', scripts: 3 }])
  // Too little to recognise her by, but her number.
  await pharmacy.load({ patients: 'patient_id,first_name\n1,Ann\n', ...scripts('c,2026-01-31,1,A') }, OLD)
  expect(await recordsOf(pharmacy)).toEqual([{ number: 'fred 1', scripts: 4 }])
  expect(await pharmacy.load(scripts('o,2026-02-02,N1,A'))).toMatchObject({ etl_state: 'COMPLETED' })
  expect(await recordsOf(pharmacy)).toEqual([{ number: 'fred 1', scripts: 5 }])
  const unknown = await pharmacy.load(scripts('x,2026-02-03,N2,A'))
  expect(unknown).toMatchObject({ etl_state: 'ERROR' })
})

it('no record is chosen if two could be the same person, or if both are from one system', async () => {
  const pharmacy = await server.pharmacy()
  const ann = (number: string) => `${number},Ann,Roe,F,1950-05-05,0491570157,2204`
  const zoe = (number: string) => `${number},Zoe,Roe,F,1950-05-05,0491570157,2204`
  const kim = (number: string) => `${number},Kim,Roe,F,1950-05-05,0491570157,2204`
  await pharmacy.load({ ...patients(ann('1'), ann('2'), zoe('3'), kim('5')), ...scripts('a,2026-01-01,1,A') }, OLD)
  await pharmacy.load({ ...patients(ann('4')), ...scripts('b,2026-01-02,4,A') }, OLD)
  await pharmacy.load({ ...patients(ann('N1'), zoe('N3'), zoe('N4')), ...scripts('n,2026-02-01,N1,A') })
  await pharmacy.load(patients(kim('6')), OLD)
  expect((await recordsOf(pharmacy)).map(({ number }) => number)).toEqual([
    ...['canonical N1', 'canonical N3', 'canonical N4', 'fred 1', 'fred 2', 'fred 3', 'fred 4', 'fred 5', 'fred 6'],
  ])
})

it('an address and an email that the new system does not send are kept, though they were sealed for the former number', async () => {
  const pharmacy = await server.pharmacy()
  const first = table(`${HEAD},email,address`, ['1,Ann,Roe,F,1950-05-05,0491570158,2204,ann@mail.example,1 High St'])
  await pharmacy.load({ patients: first, ...scripts('a,2026-01-01,1,A') }, OLD)
  await pharmacy.load({ ...patients('N1,Ann,Roe,F,1950-05-05,0491570158,2204'), ...scripts('n,2026-02-01,N1,A') })
  await followUp(server.services, pharmacy.companyId, pharmacy.id, ['contacts'])
  const [row] = await asOwner<{ address_sealed: Buffer; email_to: string }>(
    server,
    `select address_sealed, email_to from patient where location_id = ${pharmacy.id}`,
  )
  const { keys, pools } = server.services
  expect([...(await openContacts(pools.system, keys, [row!.email_to])).values()]).toEqual(['ann@mail.example'])
  const name = rowName(pharmacy.id, 'canonical', 'N1')
  expect(await keys.openIfWhole(SEALED.patientAddress.name, name, row!.address_sealed)).toBe('1 High St')
})

it('an erased person stays erased under their former number: in the register, and when the former system sends them again', async () => {
  const pharmacy = await server.pharmacy()
  const person = (number: string) => patients(`${number},Ida,Quill,F,1950-05-05,0491570159,2204`)
  const register = {
    s8_products: 'product_id,name\nM,Morphine 10 mg\n',
    s8_transactions:
      'transaction_id,product_id,entry_type,occurred_at,patient_id,quantity_in,pharmacist\n1,M,opening,2026-01-01T09:00,1,10,Kim\n',
  }
  await pharmacy.load({ ...person('1'), ...scripts('a,2026-01-01,1,A'), ...register })
  await pharmacy.load({ ...person('N1'), ...scripts('n,2026-02-01,N1,A') }, OLD)
  const [where] = await asOwner<{ company: string; place: string }>(
    server,
    `select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = ${pharmacy.id}`,
  )
  const ask = {
    id: where!.company,
    location_id: where!.place,
    reason: 'Asked in writing',
    number: 'N1',
    last_name: 'Quill',
  }
  const erased = await (await makeSupport(server)).ask(contract.erasure.erasePatient, ask)
  expect(erased.status).toBe(200)
  expect(await asOwner(server, `select number::int from erasure_hold where location_id = ${pharmacy.id}`)).toEqual([
    { number: 1 },
  ])
  expect(await asOwner(server, `select from patient_former where location_id = ${pharmacy.id}`)).toEqual([])
  await pharmacy.load({ patients: 'patient_id,first_name,last_name\n1,Ida,Quill\n', ...scripts('b,2026-03-01,1,A') })
  const names = await asOwner(
    server,
    `select distinct concat(first_name, last_name) as name from patient where location_id = ${pharmacy.id}`,
  )
  expect(names).toEqual([{ name: '' }])
})
