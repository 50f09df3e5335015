import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { historyCsv } from './history-csv.ts'
import { historyLots } from './report.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

// A reply is kept word for word, whatever it begins with.
const WORDING = '=Texts about your health from Sturt Street Pharmacy: Yes'
const YES = { health_outreach_sms_consent: true, health_outreach_email_consent: false }
const NOT_ASKED = { marketing_sms_consent: null, marketing_email_consent: null }

it('a message history names the consent behind each message, even once the patient has declined', async () => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!
  const patients = await makePatients(server, place.id, 2, () => ({ sms_to: freshMobile() }))
  const say = (patientId: number, at: string, event: Parameters<typeof recordConsent>[1]['event'], wording: string) =>
    world.inside((tx) =>
      recordConsent(
        tx,
        { locationId: place.id, patientId, at: new Date(at), event, wording, source: 'consent page' },
        server.services.now(),
      ),
    )
  const answers = { ...YES, ...NOT_ASKED }
  const { entryId } = await say(patients[0]!.id, '2026-03-02T23:15:00Z', { type: 'form', answers }, WORDING)
  const run = await makeRun(server, world, { patients, state: 'stopped' })
  const allow = (patientId: number, rule: string, entry: number | null) =>
    asOwner(
      server,
      `update message set state = 'sent', sent_at = '2026-03-03', rule = $3, consent_entry_id = $4 where run_id = $1 and patient_id = $2`,
      [run.id, patientId, rule, entry],
    )
  await allow(patients[0]!.id, 'Health outreach: agreed to', entryId)
  await allow(patients[1]!.id, 'Health outreach: nobody has said no', null)
  await say(patients[0]!.id, '2026-04-01T00:00:00Z', { type: 'stop' }, 'STOP')
  const ask = { locationId: place.id, timeZone: 'Australia/Melbourne', from: '2026-03-01', to: '2026-03-31' }
  const csv = await world.inside((tx) => Array.fromAsync(historyCsv(historyLots(tx, ask), 'AU')))
  const rows = parse(csv.join(''), { columns: true })
  expect(rows).toMatchObject([
    {
      'Allowed by': 'Health outreach: agreed to',
      'Consent given': '2026-03-03 10:15, consent page',
      'Consent wording': `'${WORDING}`,
    },
    { 'Allowed by': 'Health outreach: nobody has said no', 'Consent given': '', 'Consent wording': '' },
  ])
})
