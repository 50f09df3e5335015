import type { ConsentEvent, Unstamped } from '@pillar/domain/consent/consent'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { consentRow, consentTokenFor, solvedCaptcha } from '../../../../test/consent.ts'
import { freshMobile, makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { asOwner, fresh } from '../../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { followUp } from '../../upload/after-upload.jobs.ts'
import { recordConsent } from '../consent-log.queries.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
})
afterAll(() => server.close())

interface Person {
  id: string
  first?: string
  mobile?: string
  email?: string
  postcode?: string
}
const OLD = { data_source: 'fred' }

/** Loads people, and does the work after it. */
async function load(people: readonly Person[], fields: Record<string, string> = {}): Promise<void> {
  const rows = people.map(({ id, first = id, mobile = '', email = '', postcode = '' }) =>
    [id, first, 'Roe', 'F', '1950-05-05', mobile, email, postcode].join(','),
  )
  const script = fresh('s')
  const done = await pharmacy.load(
    {
      patients: `patient_id,first_name,last_name,sex,date_of_birth,mobile,email,postcode\n${rows.join('\n')}\n`,
      drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n',
      scripts: `script_id,dispensed_on,patient_id,drug_id\n${script},2026-01-05,${people[0]!.id},A\n`,
    },
    fields,
  )
  expect([done.etl_state, done.notes]).toEqual(['COMPLETED', expect.any(String)])
  await followUp(server.services, pharmacy.companyId, pharmacy.id, ['contacts'])
}

const inPharmacy = <T>(work: Parameters<typeof inScope<T>>[2]) =>
  inScope(server.services.pools.app, { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }, work)

/** The record's patient says something; `at` in minutes from the start of the test. */
async function say(record: string, event: Unstamped<ConsentEvent>, at = 0): Promise<void> {
  const [row] = await asOwner<{ id: number }>(server, 'select id from patient where source_id = $1', [record])
  const entry = { locationId: pharmacy.id, patientId: row!.id, wording: 'STOP', source: 'reply' }
  const time = new Date(Date.parse('2026-03-03T00:00:00Z') + at * 60_000)
  await inPharmacy((tx) => recordConsent(tx, { ...entry, at: time, event }, server.services.now()))
}

const form = (sms: boolean, email: boolean): Unstamped<ConsentEvent> => ({
  type: 'form',
  answers: {
    ...{ health_outreach_sms_consent: sms, health_outreach_email_consent: email },
    ...{ marketing_sms_consent: true, marketing_email_consent: true },
  },
})

/** What each record allows: SMS and email, health outreach and marketing. */
async function choices(...records: string[]): Promise<(string | undefined)[]> {
  const rows = await asOwner<{ record: string; said: string }>(
    server,
    `select p.source_id as record, concat_ws(' ', sms_health_outreach, sms_marketing, email_health_outreach, email_marketing) as said
     from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id`,
  )
  return records.map((record) => rows.find((row) => row.record === record)?.said)
}
const SMS_OUT = 'out out unknown unknown'
const EMAIL_OUT = 'unknown unknown out out'

it('a STOP counts for a record that gets the number later, as from a new dispensing system, and so does its START; nobody else is out', async () => {
  const [number, other] = [freshMobile(), freshMobile()]
  await load([{ id: 'old1', mobile: number }], OLD)
  await say('old1', { type: 'stop' })
  const people = [
    { id: 'new1', first: 'Ann', mobile: number },
    { id: 'new2', first: 'Ben', mobile: other },
  ]
  await load(people)
  expect(await choices('old1', 'new1', 'new2')).toEqual([SMS_OUT, SMS_OUT, undefined])
  const entries = () =>
    asOwner(
      server,
      `select e.type, e.at, e.wording, e.source from consent_entry e join patient p on p.id = e.patient_id where p.source_id = 'new1'`,
    )
  const carried = { type: 'stop', at: new Date('2026-03-03T00:00:00Z'), wording: 'STOP', source: 'another record' }
  expect(await entries()).toEqual([carried])
  await load(people)
  expect(await entries()).toEqual([carried])
  for (const record of ['old1', 'new1']) await say(record, { type: 'start' }, 5)
  await load(people)
  expect(await choices('old1', 'new1')).toEqual(Array(2).fill('unknown unknown unknown unknown'))
})

it('what somebody said later about their own record wins, and what they said before does not', async () => {
  const number = freshMobile()
  const people = [
    { id: 'late', mobile: '' },
    { id: 'early', mobile: '' },
    { id: 'stopped', mobile: number },
  ]
  await load(people)
  await say('stopped', { type: 'stop' }, 10)
  await say('early', form(true, true), 5)
  await say('late', form(true, true), 15)
  await load(people.map(({ id }) => ({ id, mobile: number })))
  expect(await choices('early', 'late')).toEqual(['out out in in', 'in in in in'])
})

it('an unsubscribed address counts for each record that gets it, and changes nothing about texts', async () => {
  const email = `${fresh('ana')}@mail.example`
  await load([{ id: 'mail1', email }], OLD)
  await say('mail1', { type: 'unsubscribe' })
  await load([
    { id: 'mail2', email },
    { id: 'mail3', email: `other-${email}` },
  ])
  expect(await choices('mail2', 'mail3')).toEqual([EMAIL_OUT, undefined])
})

it('the number at which somebody was texted counts when their record has another one by then', async () => {
  const number = freshMobile()
  await load([{ id: 'moved', mobile: number }])
  const [row] = await asOwner<{ id: number }>(server, `select id from patient where source_id = 'moved'`)
  const patients = [{ id: row!.id, locationId: pharmacy.id, sms_to: number, email_to: null }]
  await makeRun(server, { company: { id: pharmacy.companyId } }, { patients, state: 'done' })
  await asOwner(server, `update message set state = 'delivered', sent_at = now() where patient_id = $1`, [row!.id])
  await load([{ id: 'moved', mobile: freshMobile() }])
  await say('moved', { type: 'stop' })
  await load([{ id: 'next', mobile: number }])
  expect(await choices('next')).toEqual([SMS_OUT])
})

it('a No on the form or in the dispensing system counts for the same person’s other record, not for a relative’s; a Yes counts for no other record', async () => {
  const [number, other] = [freshMobile(), freshMobile()]
  const person = { first: 'Zoe', postcode: '2204' }
  const email = `${fresh('zoe')}@mail.example`
  await load([{ id: 'zoe1', ...person, mobile: number, email }])
  await say('zoe1', form(false, true))
  await load([
    { id: 'zoe2', ...person, mobile: other },
    { id: 'son', first: 'Tim', postcode: '2204', mobile: number, email },
  ])
  expect(await choices('zoe1', 'zoe2', 'son')).toEqual(['out in in in', 'out unknown unknown unknown', undefined])
  await say('zoe1', { type: 'import_opt_out', channel: 'email' }, 5)
  await load([{ id: 'zoe1', ...person, mobile: number }])
  expect(await choices('zoe2')).toEqual(['out unknown out out'])
})

it('the No on the consent page counts at once for the person’s other record', async () => {
  const world = await makeMessagingWorld(server)
  const [one, other] = await makePatients(server, world.locations[0]!.id, 2)
  for (const { id, locationId } of [one!, other!])
    await asOwner(
      server,
      `insert into person_key (location_id, patient_id, kind, key) values ($1, $2, 'phone', 'one person')`,
      [locationId, id],
    )
  const token = await consentTokenFor(server, world, one!)
  const { answers } = form(false, true) as Extract<ConsentEvent, { type: 'form' }>
  const captcha = await solvedCaptcha(server)
  expect((await server.call(`/api/communication-consent/${token}/submit`, { ...answers, captcha })).status).toBe(200)
  expect(await consentRow(server, other!)).toMatchObject({
    sms_health_outreach: 'out',
    email_health_outreach: 'unknown',
  })
})
