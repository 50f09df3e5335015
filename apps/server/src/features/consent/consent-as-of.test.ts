import { contract, FLAGS } from '@pillar/contract'
import type { ConsentEvent } from '@pillar/domain/consent/consent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
  type PatientColumns,
  type TestPatient,
} from '../../../test/messaging.ts'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { askAs, makeSupport, refusal, type Support } from '../../../test/support.ts'
import { recordConsent } from './consent-log.queries.ts'
import { importOptOuts } from './import-opt-outs.queries.ts'
import { MISSES } from './look-up-throttle.ts'

const { asOf } = contract.consentAdmin
const NOBODY = 'This pharmacy has no patient with that number and last name. People who were erased cannot be found.'
const WORDING = 'Messages about your medicines\nSMS Health Outreach: Yes'
const ANSWERS = {
  health_outreach_sms_consent: true,
  health_outreach_email_consent: null,
  marketing_sms_consent: false,
  marketing_email_consent: null,
}

let server: TestServer
let world: MessagingWorld
let place: MessagingWorld['locations'][number]
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = Date.parse('2026-11-20T03:00:00Z') - Date.now()
  world = await makeMessagingWorld(server, { locations: 2 })
  place = world.locations[0]!
  await zone('Australia/Sydney')
  support = await makeSupport(server)
})
afterAll(() => server.close())

const zone = (name: string) => asOwner(server, 'update location set time_zone = $2 where id = $1', [place.id, name])

async function makePatient(columns: PatientColumns = {}): Promise<TestPatient & { number: string }> {
  const [patient] = await makePatients(server, place.id, 1, () => columns)
  const [row] = await asOwner<{ number: string }>(server, 'select source_id as number from patient where id = $1', [
    patient!.id,
  ])
  return { ...patient!, ...row! }
}

type Said = ConsentEvent extends infer E ? (E extends ConsentEvent ? Omit<E, 'id' | 'at'> : never) : never
const FORM: Said = { type: 'form', answers: ANSWERS }
async function say(patient: TestPatient, at: string, event: Said, wording: string | null, source = 'reply') {
  const entry = { locationId: place.id, patientId: patient.id, at: new Date(at), event, wording, source }
  const { entryId } = await world.inside((tx) => recordConsent(tx, entry, server.services.now()))
  return entryId
}

const asking = (number: string, day: string, more: object = {}) => ({
  ...{ id: place.uuid, number, day, last_name: ' moran', reason: 'Ticket 1190: complaint about a text' },
  ...more,
})
/** The choice for SMS health outreach at the end of a day, since when, and by which words. */
async function sms({ number }: { number: string }, day: string) {
  const { status, body } = await support.ask(asOf, asking(number, day))
  expect([status, body.message]).toEqual([200, undefined])
  const entry = (id: string | null) => body.entries.find((one) => one.id === id)
  const [first] = body.choices
  const since = entry(first!.since)?.at.slice(0, 16) ?? null
  return [first!.choice, since, entry(first!.entry)?.wording ?? null, body.entries.length]
}

describe('what a patient had agreed to', () => {
  it('is the state at the end of the day: before, on and after each change, and a START restores', async () => {
    const patient = await makePatient()
    // Out of order, as a gateway's messages may arrive.
    await say(patient, '2026-03-05T02:00:00Z', { type: 'start' }, 'Start')
    await say(patient, '2026-03-02T23:15:00Z', FORM, WORDING, 'consent page')
    await say(patient, '2026-03-04T02:00:00Z', { type: 'stop' }, 'STOP please')
    expect(await sms(patient, '2026-03-02')).toEqual(['unknown', null, null, 0])
    expect(await sms(patient, '2026-03-03')).toEqual(['in', '2026-03-02T23:15', WORDING, 1])
    expect(await sms(patient, '2026-03-04')).toEqual(['out', '2026-03-04T02:00', 'STOP please', 2])
    expect(await sms(patient, '2026-03-05')).toEqual(['in', '2026-03-05T02:00', WORDING, 3])
    const { body } = await support.ask(asOf, asking(patient.number, '2026-11-20'))
    expect(body).toMatchObject({
      as_of: expect.stringMatching('2026-11-20T03:'),
      time_zone: 'Australia/Sydney',
      messages: [],
    })
    expect(body.choices.map(({ channel, kind, choice }) => `${channel} ${kind} ${choice}`)).toEqual([
      ...['sms health_outreach in', 'sms marketing out', 'email health_outreach unknown', 'email marketing unknown'],
    ])
    expect(body.entries.map(({ at, says, source }) => [at.slice(0, 10), says, source])).toEqual([
      ['2026-03-05', 'Sent START, which undoes a STOP', 'Text from their number'],
      ['2026-03-04', 'Stopped all SMS', 'Text from their number'],
      ['2026-03-02', 'Answered the consent form: SMS health outreach Yes, SMS marketing No', 'Consent page'],
    ])
  })

  it.each([
    // The last and the first moment of a day in Sydney, in summer time and on the days it ends and begins.
    ['Australia/Sydney', '2026-03-03T12:59:59.999Z', '2026-03-03'],
    ['Australia/Sydney', '2026-03-03T13:00:00.000Z', '2026-03-04'],
    ['Australia/Sydney', '2026-04-05T13:59:59.999Z', '2026-04-05'],
    ['Australia/Sydney', '2026-04-05T14:00:00.000Z', '2026-04-06'],
    ['Australia/Sydney', '2026-10-04T12:59:59.999Z', '2026-10-04'],
    ['Australia/Sydney', '2026-10-04T13:00:00.000Z', '2026-10-05'],
    ['Australia/Perth', '2026-03-03T15:59:59.999Z', '2026-03-03'],
    ['America/New_York', '2026-03-09T03:59:59.999Z', '2026-03-08'],
  ])('in %s an entry of %s counts from %s on', async (name, at, day) => {
    await zone(name)
    const patient = await makePatient()
    await say(patient, at, { type: 'stop' }, 'STOP')
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
    expect([(await sms(patient, before))[0], (await sms(patient, day))[0]]).toEqual(['unknown', 'out'])
    await zone('Australia/Sydney')
  })

  it('counts an opt-out of the dispensing system from the upload on', async () => {
    const patient = await makePatient({ sms_opt_out: true })
    await world.inside((tx) => importOptOuts(tx, place.id, new Date('2026-05-01T01:00:00Z')))
    expect(await sms(patient, '2026-04-30')).toEqual(['unknown', null, null, 0])
    expect(await sms(patient, '2026-05-01')).toEqual(['out', '2026-05-01T01:00', null, 1])
  })

  it('lists what was sent in the 30 days before, with the entry that allowed it, and no text', async () => {
    const patient = await makePatient()
    const entry = await say(patient, '2026-02-01T00:00:00Z', FORM, WORDING, 'consent page')
    const { id: campaignId } = await makeCampaign(server, world.company.id, { name: 'Winter check' })
    const send = async (at: string, state: string, rule: string | null, entryId: number | null, sent = true) => {
      const by = entryId === null ? { context: 'sequence' as const } : { campaignId }
      const run = await makeRun(server, world, { patients: [patient], state: 'stopped', body: 'Quokka tablets', ...by })
      await asOwner(
        server,
        `update message set state = $3, sent_at = case when $6 then $2::timestamptz end,
           planned_at = $2::timestamptz - case when $6 then interval '1 day' else '0' end, rule = $4, consent_entry_id = $5
         where run_id = $1`,
        [run.id, at, state, rule, entryId, sent],
      )
    }
    await send('2026-02-01T12:59:59Z', 'delivered', 'Too early', null)
    await send('2026-02-01T13:00:00Z', 'delivered', 'Health outreach: agreed to', entry)
    await send('2026-03-03T12:59:59Z', 'unknown', null, null, false)
    await send('2026-03-03T13:00:00Z', 'sent', 'Too late', null)
    await send('2026-03-02T13:00:00Z', 'skipped', 'Not sent', null, false)
    await send('2026-03-02T13:00:00Z', 'failed', 'Refused', null, false)
    const { body } = await support.ask(asOf, asking(patient.number, '2026-03-03'))
    expect(body.messages).toEqual([
      {
        ...{ at: '2026-03-03T12:59:59.000Z', channel: 'sms', status: 'UNKNOWN', rule: null, entry: null },
        ...{ sent_by: 'Sequence', template: 'Repeat due' },
      },
      {
        ...{ at: '2026-02-01T13:00:00.000Z', channel: 'sms', status: 'DELIVERED' },
        ...{ sent_by: 'Winter check', template: 'Repeat due' },
        ...{ rule: 'Health outreach: agreed to', entry: body.entries[0]!.id },
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/Quokka|Moran|Ines|\+614/)
  })
})

describe('a patient is found', () => {
  it('never by a wrong number, a wrong name, at another pharmacy, made up or erased, with the same answer for all', async () => {
    const [patient, fake, erased] = [await makePatient(), await makePatient({ fake: true }), await makePatient()]
    await asOwner(server, 'update patient set erased_at = now() where id = $1', [erased.id])
    const replies = []
    for (const [number, more] of [
      ['no such number', {}],
      [patient.number, { last_name: 'Mora' }],
      [patient.number, { id: world.locations[1]!.uuid }],
      [fake.number, {}],
      [erased.number, {}],
    ] as const)
      replies.push(refusal(await support.ask(asOf, asking(number, '2026-03-03', more))))
    expect(replies).toEqual(Array(5).fill([404, NOBODY]))
    expect((await support.ask(asOf, asking(patient.number, '2026-03-03'))).status).toBe(200)
  })

  it('only by support with the password entered again and a reason that does not name the patient', async () => {
    const { number } = await makePatient()
    const input = asking(number, '2026-03-03')
    const bare = await server.call(`/api/location/${place.uuid}/consent-as-of`, input, support.tab.bearer)
    expect(bare).toMatchObject({ status: 403, body: { code: 'step_up_needed' } })
    const login = await makeLogin(server, world.company.id, { flags: FLAGS.filter((flag) => flag !== 'sr_login') })
    const own = await askAs(server, { login, tab: await signIn(server, login) })(asOf, input)
    expect([own.status, own.body.code]).toEqual([403, 'not_allowed'])
    const named = await support.ask(asOf, { ...input, reason: 'Ms Moran complained' })
    expect(named).toMatchObject({ status: 422, body: { errors: { reason: [expect.stringContaining('leave out')] } } })
    const tomorrow = await support.ask(asOf, { ...input, day: '2026-11-21' })
    expect(tomorrow).toMatchObject({ status: 422, body: { errors: { day: ['Please enter today or a day before.'] } } })
  })

  it('with a row in the company’s own log: who, when, why and how much, but not which patient', async () => {
    const patient = await makePatient()
    await say(patient, '2026-03-02T00:00:00Z', FORM, WORDING, 'consent page')
    await support.ask(asOf, asking(patient.number, '2026-03-03', { reason: 'Ticket 1191' }))
    const rows = await asOwner<{ detail: { reason: string } }>(
      server,
      `select company_id, login_id, object, detail from audit where action = 'consentAdmin.asOf' order by id`,
    )
    expect(rows.at(-1)).toEqual({
      ...{ company_id: world.company.id, login_id: support.login.id, object: place.uuid },
      detail: { reason: 'Ticket 1191', entries: 1, messages: 0 },
    })
  })

  it('until a few guesses have failed; a person who keeps finding patients can continue', async () => {
    const guesser = await makeSupport(server)
    const { number } = await makePatient()
    for (let n = 0; n < 2; n++) expect((await guesser.ask(asOf, asking(number, '2026-03-03'))).status).toBe(200)
    const guess = () => guesser.ask(asOf, asking(number, '2026-03-03', { last_name: 'Nobody' }))
    for (let n = 0; n < MISSES; n++) expect((await guess()).status).toBe(404)
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'too_many' } })
  }, 60_000)
})
