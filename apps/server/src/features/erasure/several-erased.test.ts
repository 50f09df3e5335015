import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePatients } from '../../../test/messaging.ts'
import { asOwner, fresh, makeLocation } from '../../../test/people.ts'
import { alone, copyDatabase, databaseOf } from '../../../test/process/erasure-world.ts'
import { makeSupport } from '../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { seal } from '../../api/seal.ts'
import { SEALED } from '../../db/field/columns.ts'
import { insertMail } from '../mail/mail.queries.ts'
import { followUp } from '../upload/after-upload.jobs.ts'
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

/** Stores an email to a pharmacy for each of these texts. */
async function letters(...texts: readonly string[]): Promise<void> {
  const { pools, keys, secret } = server.services
  const recipient = 'shop@pharmacy.example'
  for (const text of texts) {
    const body = seal(secret, text, recipient, 'mail body')
    await pools.system
      .transaction()
      .execute((tx) => insertMail(tx, keys, { recipient, subject: 'A note', body, now: new Date() }))
  }
}

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
  await followUp(server.services, place.companyId, place.id)
  await letters('Call +61477123001', 'Call +61477000111', 'Call +61477000222')
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
  const { keys } = server.services
  let opened = 0
  const counted: typeof keys = {
    ...keys,
    open(column, row, sealed) {
      if (column === SEALED.mailRecipient.name) opened++
      return keys.open(column, row, sealed)
    },
  }
  expect(await eraseAgain({ ...server.services, keys: counted })).toEqual({ erasures: 2, records: 2 })
  // Each email is read once, not once for each person.
  expect(opened).toBe(3)
  const kept = `select body is not null as kept from mail where subject = 'A note' order by id`
  expect(await asOwner(server, kept)).toEqual([{ kept: false }, { kept: false }, { kept: true }])
  expect(await names()).toEqual([null, null, 'Cho'])
  const records = 'select count(*)::int as n from erasure_record group by erasure order by 1'
  expect(await asOwner(server, records)).toEqual([{ n: 1 }, { n: 1 }])
})

it('a record corrected to an erased person is theirs with all that it held, names nobody, and has left its trials', async () => {
  const place = await server.pharmacy()
  const drugs = 'drug_id,name\nA,Rosuvastatin\n'
  const script = (id: number, patient: string) =>
    `script_id,dispensed_on,patient_id,drug_id,directions\n${id},2026-05-0${id},${patient},A,Dora takes one\n`
  const head = 'patient_id,first_name,last_name,date_of_birth,sex,mobile\n'
  const load = async (files: Record<string, string>) => expect((await place.load(files)).etl_state).toBe('COMPLETED')
  await load({
    patients: `${head}N1,Dora,Vale,1951-03-17,F,0477 123 555\nN2,Dor,Vail,1951-03-17,F,0477 123 556\n`,
    drugs,
  })
  await load({ patients: 'patient_id,email,address,suburb\nN2,dora@example.com,1 High St,Carlton\n' })
  const prescription = 'prescription_id,patient_id,drug_id,authority,original_pharmacy\nR1,N2,A,Z123,Vale Pharmacy\n'
  await load({ prescriptions: prescription, scripts: script(1, 'N2') })
  const [where] = await asOwner<{ company: string; place: string }>(
    server,
    'select c.uuid as company, l.uuid as place from location l join company c on c.id = l.company_id where l.id = $1',
    [place.id],
  )
  const of = { id: where!.company, location_id: where!.place, reason: 'Asked in writing' }
  const { ask } = await makeSupport(server)
  expect((await ask(contract.erasure.erasePatient, { ...of, number: 'N1', last_name: 'Vale' })).status).toBe(200)
  await asOwner(
    server,
    `insert into resource_version (location_id, source, upload_set, source_id, version)
     select location_id, source, 'patients', source_id, now() from patient where location_id = $1 and source_id = 'N2'`,
    [place.id],
  )
  const twin = await linkTwin(place, 'N2')
  await asOwner(
    server,
    `with p as (select location_id, id from patient where location_id = $1 and source_id = 'N2'),
       link as (insert into trial_link (location_id, trial_id, patient_id, purpose, token_hash)
         select location_id, 1, id, 'withdraw', sha256('out') from p),
       request as (insert into consent_request (location_id, token_hash, patient_id, marketing, health_outreach, expires_at)
         select location_id, sha256('in'), id, true, true, now() + interval '1 day' from p)
     insert into trial_referral (location_id, trial_id, patient_id, consent_id, recruiter_id, referred_on, referred_at, trial_name,
       first_name, phone_number)
     select location_id, 1, id, gen_random_uuid(), 1, '2026-05-01', now(), 'Heart', 'Dora', '0477 123 556' from p`,
    [place.id],
  )
  await load({ patients: `${head}N2,Dora,Vale,1951-03-17,F,0477 123 555\n` })
  expect(await asOwner(server, 'select from person_link where person = $1', [twin])).toEqual([])
  const left = `select first_name, phone_number, withdrawn_at is not null as withdrawn, (select count(*)::int from trial_link) +
    (select count(*)::int from consent_request) as links from trial_referral`
  expect(await asOwner(server, left)).toEqual([{ first_name: null, phone_number: null, withdrawn: true, links: 0 }])
  expect(await asOwner(server, 'select from resource_version where location_id = $1', [place.id])).toEqual([])
  await load({ scripts: script(2, 'N2') })
  await followUp(server.services, place.companyId, place.id)
  const records = await asOwner(
    server,
    `with s as materialized (select patient_id, directions from script where location_id = $1)
     select concat(first_name, email, email_sealed, email_to, address, address_sealed, suburb) as name, sms_to, sms_opt_out,
       erased_at is not null as erased, (select count(*)::int from s where s.patient_id = p.id) as scripts,
       (select count(directions)::int from s) as directions,
       (select count(*)::int from person_key k where k.location_id = p.location_id and k.patient_id = p.id) as keys,
       (select max(concat(authority, original_pharmacy)) from prescription where location_id = $1) as prescribed
     from patient p where location_id = $1 order by scripts`,
    [place.id],
  )
  const erased = { name: '', sms_to: null, sms_opt_out: true, erased: true, directions: 0, prescribed: '' }
  expect(records).toEqual([
    // Those of the erased person stay; those made of what was corrected go.
    { ...erased, scripts: 0, keys: 1 },
    { ...erased, scripts: 2, keys: 0 },
  ])
})

/** Makes another pharmacy of the company know the same person. @returns the name under which the two are linked */
async function linkTwin(place: { id: number; companyId: number }, number: string): Promise<string> {
  const { id } = await makeLocation(server, place.companyId)
  const [twin] = await makePatients(server, id, 1)
  const person = fresh('person').slice(-22)
  await asOwner(
    server,
    `with own as (select id from patient where location_id = $1 and source_id = $2),
     key as (
       insert into person_key (location_id, patient_id, kind, key)
       select $3, $4, kind, key from person_key where location_id = $1 and patient_id = (select id from own))
     insert into person_link (location_id, patient_id, person) select $1, id, $5 from own union all select $3, $4, $5`,
    [place.id, number, id, twin!.id, person],
  )
  return person
}
