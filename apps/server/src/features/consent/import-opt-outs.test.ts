import { CHANNELS, consentOf } from '@pillar/domain/consent/consent'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, makeRun, statesOf, type TestPatient } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { inScope } from '../../db/scope.ts'
import { readLog, recordConsent } from './consent-log.queries.ts'
import { importOptOuts } from './import-opt-outs.queries.ts'

let server: UploadServer
let place: TestPharmacy
let companyId: number
beforeAll(async () => {
  server = await startUploadServer()
  place = await server.pharmacy()
  companyId = (await asOwner<{ company_id: number }>(server, 'select company_id from location'))[0]!.company_id
})
afterAll(() => server.close())

const HEAD = 'patient_id,first_name,sms_opt_out,email_opt_out\n'
const DRUGS = 'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\n'
const RX = 'prescription_id,patient_id,drug_id,repeats_authorised\nR1,1,A,5\n'

let day = 0
/** One night's upload with these patients. */
async function night(patients: string) {
  day++
  const line = `S${day},2026-02-${String(day).padStart(2, '0')},1,A,R1,30,${day},General,7.70`
  const head =
    'script_id,dispensed_on,patient_id,drug_id,prescription_id,units,supply_number,patient_type,patient_price'
  const scripts = `${head}\n${line}\n`
  const done = await place.load({ patients: HEAD + patients, drugs: DRUGS, prescriptions: RX, scripts })
  expect([done.etl_state, done.notes]).toEqual(['COMPLETED', expect.any(String)])
}

const rows = () =>
  asOwner(
    server,
    `select p.source_id as patient, c.sms_health_outreach || ' ' || c.sms_marketing as sms, c.email_health_outreach || ' ' || c.email_marketing as email
     from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id order by 1`,
  )
const entries = () =>
  asOwner(
    server,
    `select p.source_id as patient, e.channel, e.type, e.source from consent_entry e
     join patient p on p.location_id = e.location_id and p.id = e.patient_id order by e.id`,
  )

it('an opt-out in the dispensing system counts once per channel; removing the flag does nothing', async () => {
  await night('1,Ann,0,0\n2,Ben,1,0\n3,Cho,1,1\n')
  expect(await rows()).toEqual([
    { patient: '2', sms: 'out out', email: 'unknown unknown' },
    { patient: '3', sms: 'out out', email: 'out out' },
  ])
  expect(await entries()).toHaveLength(3)
  expect((await entries())[0]).toEqual({ patient: '2', channel: 'sms', type: 'import_opt_out', source: 'upload' })
  await night('1,Ann,0,0\n2,Ben,1,0\n3,Cho,1,1\n')
  expect(await entries()).toHaveLength(3)
  // Cleared: remembered, but nothing opens.
  await night('1,Ann,0,0\n2,Ben,0,0\n3,Cho,1,1\n')
  expect(await entries()).toHaveLength(3)
  expect((await rows())[0]).toEqual({ patient: '2', sms: 'out out', email: 'unknown unknown' })
  // Set again is a new opt-out, and email has its own.
  await night('1,Ann,0,0\n2,Ben,1,1\n3,Cho,1,1\n')
  expect(await entries()).toHaveLength(5)
  expect((await rows())[0]).toEqual({ patient: '2', sms: 'out out', email: 'out out' })
})

it('an opt-out on one channel leaves the other alone, to which the person has agreed since', async () => {
  const others = '1,Ann,0,0\n2,Ben,1,1\n3,Cho,1,1\n'
  await night(`${others}4,Dee,1,0\n5,Eve,0,1\n`)
  const texted: TestPatient[] = []
  for (const [number, channel] of [
    ['4', 'sms'],
    ['5', 'email'],
  ] as const) {
    const [one] = await asOwner<{ id: number }>(server, 'select id from patient where source_id = $1', [number])
    texted.push({ id: one!.id, locationId: place.id, sms_to: freshMobile(), email_to: null })
    const [sms, email] = CHANNELS.map((of) => (of === channel ? true : null))
    const answers = {
      ...{ health_outreach_sms_consent: sms!, marketing_sms_consent: sms! },
      ...{ health_outreach_email_consent: email!, marketing_email_consent: email! },
    }
    const event = { type: 'form' as const, answers }
    const said = { locationId: place.id, patientId: one!.id, at: new Date(), wording: '', source: 'consent page' }
    const scope = { companyId, locationIds: [place.id] }
    await inScope(server.services.pools.app, scope, (tx) => recordConsent(tx, { ...said, event }, new Date()))
  }
  const run = await makeRun(server, { company: { id: companyId } }, { patients: texted })
  await night(`${others}4,Dee,1,1\n5,Eve,1,1\n`)
  expect((await rows()).slice(-2)).toEqual([
    { patient: '4', sms: 'in in', email: 'out out' },
    { patient: '5', sms: 'out out', email: 'in in' },
  ])
  // The text that waited for Eve is cancelled at once.
  expect(await statesOf(server, run.id)).toEqual({ queued: 1, 'skipped opted_out': 1 })
})

it('the rows match what the domain derives from the log', async () => {
  const scope = { companyId, locationIds: [place.id] }
  const people = await asOwner<{ patient_id: number; sms: string; email: string; entry: string }>(
    server,
    'select patient_id, sms_marketing as sms, email_marketing as email, sms_marketing_entry as entry from consent',
  )
  for (const one of people) {
    const log = await inScope(server.services.pools.app, scope, (tx) => readLog(tx, place.id, one.patient_id))
    const consent = consentOf(log.map(({ event }) => event))
    expect([one.sms, one.email, String(one.entry)]).toEqual([
      consent.sms.marketing.choice,
      consent.email.marketing.choice,
      consent.sms.marketing.entry,
    ])
  }
})

it('an upload without changes adds a few milliseconds', async () => {
  await asOwner(
    server,
    `insert into patient (location_id, source, source_id, sms_opt_out)
     select $1, 'canonical', 'bulk' || n, n % 20 = 0 from generate_series(1, 20000) n`,
    [place.id],
  )
  await asOwner(server, 'analyze patient')
  const scope = { companyId, locationIds: [place.id] }
  const timed = async () => {
    const began = performance.now()
    const added = await inScope(server.services.pools.app, scope, (tx) => importOptOuts(tx, place.id, new Date()))
    return { added, ms: performance.now() - began }
  }
  const first = await timed()
  expect(first.added).toBe(1000)
  const again = [await timed(), await timed(), await timed()]
  expect(again.map((one) => one.added)).toEqual([0, 0, 0])
  if (process.env.TEST_LOG) process.stderr.write(`${first.ms} then ${again.map((one) => one.ms)}\n`)
  expect(Math.min(...again.map((one) => one.ms))).toBeLessThan(200)
})
