import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import {
  asOwner,
  makeCompany,
  makeLocation,
  makeLogin,
  type SignedIn,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { HandOver, OutgoingEmail, OutgoingSms } from '../../gateways/gateway.ts'
import { linksLike } from '../consent/link/consent-link.queries.ts'
import { numberKey } from '../erasure/erasure-key.ts'
import { sendTest } from './test-message.jobs.ts'

let server: TestServer
let login: TestLogin
let tab: SignedIn
let company: { id: number }
let place: { id: number; uuid: string; name: string }
let theirs: { id: number; uuid: string }
const texts: OutgoingSms[] = []
const mails: OutgoingEmail[] = []
let answer: HandOver = { kind: 'accepted', gatewayRef: 'g1' }

beforeAll(async () => {
  server = await startTestServer({ work: true })
  company = await makeCompany(server)
  place = await makeLocation(server, company.id, 'Coventry Pharmacy')
  theirs = await makeLocation(server, (await makeCompany(server)).id)
  await asOwner(
    server,
    `update location set street_address = '12 High Street', town = 'Ballarat', phone_number = '(03) 5331 0000' where id = $1`,
    [place.id],
  )
  const people = [
    ['1', 'Ann', 'Lee', null, false],
    ['2', 'Dead', 'Person', '2020-01-01', false],
    ['3', 'Home', 'Resident', null, true],
    ['4', 'Zoë', null, null, false],
  ]
  for (const [number, first, last, deceased, facility] of people) {
    await asOwner(
      server,
      `insert into patient (location_id, source, source_id, first_name, last_name, deceased_on, facility, sms_to, sms_opt_out)
       values ($1, 'canonical', $2, $3, $4, $5, $6, '+6141234567' || $2::text, $2::text = '4')`,
      [place.id, number, first, last, deceased, facility],
    )
  }
  login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  tab = await signIn(server, login)
  server.services.sms = {
    ...server.services.sms,
    simulated: false,
    lookUp: async (asked) => asked.map(() => ({ kind: 'unsure' as const })),
    send: async (sent) => {
      texts.push(...sent)
      return sent.map(() => answer)
    },
  }
  server.services.bulkEmail = {
    ...server.services.bulkEmail,
    lookUp: async (asked) => asked.map(() => ({ kind: 'absent' as const })),
    send: async (sent) => {
      mails.push(...sent)
      return sent.map(() => answer)
    },
  }
})
afterAll(() => server.close())

interface Answer extends Record<string, unknown> {
  message: string
  sms: { text: string; parts: number; cents: number; encoding: string; tipping: string | null; units: number }
  email: { from: string; subject: string; html: string; text: string }
}
const preview = (body: object) =>
  server.call<Answer>('/api/template/preview/enterprise', { pharmacy_id: place.uuid, ...body }, tab.bearer)
const test = (body: object) =>
  server.call<Answer>(
    '/api/template/test/enterprise',
    { pharmacy_id: place.uuid, channel: 'sms', body: 'Hi {First Name} {Last Name}, from {Pharmacy Name}', ...body },
    tab.bearer,
  )
/** Waits until the job has handed over this many. */
const handed = (messages: readonly unknown[], count: number) => expect.poll(() => messages.length).toBe(count)

describe('a preview', () => {
  const body = 'Hi {first name}, come to {Pharmacy Name}, {Pharmacy Address}: {Pharmacy Number}. {Consent ID}'

  it('shows what a patient of the pharmacy would get, with the counts of a real send', async () => {
    const { body: seen } = await preview({ body, subject: 'For {First Name}' })
    const text =
      'Hi Ann, come to Coventry Pharmacy, 12 High Street, Ballarat VIC 3350: (03) 5331 0000. http://localhost:3000/consent/link-of-this-patient-x\nReply STOP to opt out'
    expect(seen).toMatchObject({ patient_name: 'Ann Lee', patients: 2, missing: [] })
    expect(seen.sms).toEqual({ text, encoding: 'gsm7', units: text.length, parts: 1, cents: 12, tipping: null })
    expect(seen.email).toMatchObject({ from: 'Coventry Pharmacy', subject: 'For Ann' })
    expect(seen.email.html).toContain('href="http://localhost:3000/unsubscribe/link-of-this-patient-x"')
    expect(seen.email.text).toContain('Hi Ann, come to')
    const [row] = await asOwner(server, `select object, detail from audit where action = 'template.preview'`)
    expect(row).toMatchObject({ object: place.uuid, detail: { patient_id: expect.any(Number) } })
  })

  it('shows another patient for another number, and fields without a value', async () => {
    const { body: seen } = await preview({ body: 'Hi {First Name} {Last Name} {Trial Name}!', patient: 1 })
    expect(seen).toMatchObject({ patient_name: 'Zoë', missing: ['last_name', 'trial_name'] })
    expect(seen.sms.text).toBe('Hi Zoë!\nReply STOP to opt out')
    expect(seen.sms).toMatchObject({ encoding: 'ucs2', tipping: 'ë' })
    expect((await preview({ body, patient: 2 })).body.patient_name).toBe('Ann Lee')
    expect((await preview({ body: '' })).body.sms).toMatchObject({ text: '', parts: 0, cents: 0 })
  })

  it('ends with a full-length link when the pharmacy’s sender is a name', async () => {
    const line = '\nOpt out at http://localhost:3000/u/this-patients-opt-out-link'
    await asOwner(server, `update location set sms_sender = 'COVENTRY' where id = $1`, [place.id])
    try {
      const { body: seen } = await preview({ body: 'Hi {First Name}!' })
      expect(seen.sms).toMatchObject({ text: `Hi Ann!${line}`, units: 7 + line.length, parts: 1, tipping: null })
      expect(line.slice(12)).toHaveLength(linksLike(server.services).optOutLink.length)
      // As many units as fit in one part with the reply line; with the link it takes one part more.
      const long = await preview({ body: 'x'.repeat(138) })
      expect(long.body.sms).toMatchObject({ parts: 2, cents: 24 })
    } finally {
      await asOwner(server, 'update location set sms_sender = null where id = $1', [place.id])
    }
  })

  it('is refused for a pharmacy without patients, or of another company', async () => {
    const empty = await makeLocation(
      server,
      (await asOwner<{ id: number }>(server, 'select company_id as id from location where id = $1', [place.id]))[0]!.id,
    )
    const fresh = await signIn(server, login)
    const seen = await server.call<Answer>(
      '/api/template/preview/enterprise',
      { pharmacy_id: empty.uuid, body },
      fresh.bearer,
    )
    expect(seen.body).toMatchObject({ patient_name: null, patients: 0, missing: ['first_name', 'pharmacy_number'] })
    const foreign = await preview({ pharmacy_id: theirs.uuid, body })
    expect([foreign.status, foreign.body.message]).toEqual([404, 'That pharmacy was not found.'])
    expect((await test({ pharmacy_id: theirs.uuid, mobile: '0491 570 006' })).status).toBe(404)
  })
})

describe('a test message', () => {
  it('is sent by a job, with the tester’s own name', async () => {
    const reply = await test({ mobile: ' 0491 570 156 ' })
    expect(reply.body).toEqual({ sent_to: '+61491570156', simulated: false })
    await handed(texts, 1)
    expect(texts[0]).toMatchObject({
      to: '+61491570156',
      from: null,
      text: 'Hi Robin Vale, from Coventry Pharmacy\nReply STOP to opt out',
    })
    await asOwner(server, `update location set sms_sender = 'COVENTRY' where id = $1`, [place.id])
    await test({ mobile: '0491 570 156', body: 'Hi {First Name}' })
    await handed(texts, 2)
    await asOwner(server, 'update location set sms_sender = null where id = $1', [place.id])
    expect(texts[1]).toMatchObject({ from: 'COVENTRY', text: expect.stringMatching(/^Hi Robin\nOpt out at http\S+$/) })
    const mail = await test({ channel: 'email', subject: 'Try\r\nBcc: x', mobile: null })
    expect(mail.body).toEqual({ sent_to: login.email, simulated: true })
    await handed(mails, 1)
    expect(mails[0]).toMatchObject({ to: login.email, fromName: 'Coventry Pharmacy', subject: 'Try Bcc: x' })
    expect(mails[0]!.html).toContain('Hi Robin Vale, from Coventry Pharmacy')
  })

  it('goes only to mobiles without an opt-out, as a whole message', async () => {
    // A person who asked this company to be erased.
    await asOwner(
      server,
      `insert into erasure_key (company_id, kind, key, erasure) values ($1, 'sms', $2, gen_random_uuid())`,
      [company.id, numberKey(server.services.secret, company.id, '+61412345699')],
    )
    const out = 'This number has opted out of texts, so no test is sent to it. Please use another number.'
    const refusals: [object, number, string][] = [
      [{ mobile: '0412 345 699' }, 409, out],
      [{ mobile: '' }, 422, 'Please enter a mobile number to send the test to.'],
      [{ mobile: '03 5331 0000' }, 422, 'Please enter a mobile number of your own country, such as 0491 570 006.'],
      [{ mobile: 'x' }, 422, 'Please enter a mobile number of your own country, such as 0491 570 006.'],
      [{ mobile: '0412 345 674' }, 409, out],
      [{ mobile: '0491570156', body: 'Hi {Name}' }, 422, 'Please replace {Name} with a field from the list.'],
      [{ mobile: '0491570156', body: '' }, 422, 'Please enter a message body.'],
      [{ mobile: '0491570156', body: ' ' }, 422, 'Please enter a message body.'],
    ]
    for (const [body, status, message] of refusals) {
      const reply = await test(body)
      expect([body, reply.status, reply.body.message]).toEqual([body, status, message])
    }
  })

  it('is retried when the gateway is busy; a refusal is recorded, and a gateway that stays busy', async () => {
    answer = { kind: 'later', seconds: 1, reason: 'Too busy' }
    const before = texts.length
    await test({ mobile: '0491570157' })
    await handed(texts, before + 1)
    answer = { kind: 'accepted', gatewayRef: 'g2' }
    await handed(texts, before + 2)
    expect(new Set(texts.slice(before).map((one) => one.reference)).size).toBe(1)
    answer = { kind: 'rejected', reason: 'Number not in service' }
    await test({ mobile: '0491570158' })
    const failed = () => asOwner(server, `select detail from audit where action = 'template.testFailed' order by id`)
    await expect.poll(failed).toEqual([{ detail: { reason: 'Number not in service' } }])
    answer = { kind: 'later', seconds: 1, reason: 'Too busy' }
    const [reference, last] = [uuidv7(), texts.length]
    const mail = { subject: '', html: '', unsubscribe_url: '' }
    const text = { reference, channel: 'sms' as const, to: '+61491570157', from: null, text: 'Hi', ...mail }
    await expect(sendTest.run({ ...text, busy: 4 }, server.services)).rejects.toThrow('Too busy')
    expect(await failed()).toHaveLength(1)
    await sendTest.run({ ...text, busy: 5 }, server.services)
    expect(texts.length).toBe(last + 2)
    expect((await failed())[1]).toEqual({ detail: { reason: 'Too busy' } })
  })

  it('is limited to ten an hour', async () => {
    answer = { kind: 'accepted', gatewayRef: 'g3' }
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++) statuses.push((await test({ mobile: '0491570159' })).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    const late = await test({ mobile: '0491570159' })
    expect(late.status).toBe(429)
    expect(late.body.message).toMatch(
      /^You have used your 10 test messages of this hour\. Please try again in \d+ minutes\.$/,
    )
  })
})

/** Sends tests as a person who has sent none yet. */
async function tester() {
  const { bearer } = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  return (more: object) => {
    const body = { pharmacy_id: place.uuid, channel: 'sms', body: 'Hi {First Name}', ...more }
    return server.call('/api/template/test/enterprise', body, bearer)
  }
}

describe('a test text', () => {
  it('never goes to a number whose texts somebody stopped and has changed since', async () => {
    const other = await tester()
    const [former] = await makePatients(server, place.id, 1, () => ({ sms_to: '+61491570155' }))
    const scope = { company, locations: [place], scope: { companyId: company.id, locationIds: [place.id] } }
    const world = scope as unknown as MessagingWorld
    const run = await makeRun(server, world, { patients: [former!], state: 'done' })
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
    await asOwner(server, `update patient set sms_to = '+61491570154' where id = $1`, [former!.id])
    expect((await other({ mobile: '0491 570 155' })).status).toBe(200)
    await asOwner(
      server,
      `insert into consent (location_id, patient_id, sms_health_outreach, sms_marketing) values ($1, $2, 'out', 'out')
       on conflict (location_id, patient_id) do update set sms_health_outreach = 'out', sms_marketing = 'out'`,
      [place.id, former!.id],
    )
    for (const mobile of ['0491 570 155', '0491 570 154']) expect((await other({ mobile })).status).toBe(409)
  })

  it('is logged with its pharmacy and the end of the number, not the number', async () => {
    const other = await tester()
    expect((await other({ mobile: '0491 570 156' })).status).toBe(200)
    expect((await other({ channel: 'email', mobile: null })).status).toBe(200)
    const log = await asOwner(
      server,
      `select object_name, detail from audit where action = 'template.test' and company_id = $1 order by id desc limit 2`,
      [company.id],
    )
    const sent = (sent_to: string) => ({ object: place.uuid, before: { sent_to: null }, after: { sent_to } })
    expect(log).toEqual([
      { object_name: place.name, detail: { changes: [sent('own email address')] } },
      { object_name: place.name, detail: { changes: [sent('number ending in 156')] } },
    ])
  })
})
