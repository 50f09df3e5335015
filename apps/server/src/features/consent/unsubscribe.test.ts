import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consentRow, logOf, optOutTokenFor, solvedCaptcha, unsubscribeTokenFor } from '../../../test/consent.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { answersOf, startTestServer, type TestServer } from '../../../test/server.ts'
import { recordConsent } from './consent-log.queries.ts'
import { optOutToken } from './link/consent-token.ts'

let server: TestServer
let world: MessagingWorld
let rival: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  rival = await makeMessagingWorld(server)
})
afterAll(() => server.close())
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})

const look = (token: string) => server.call(`/api/validate-unsubscribe/${token}`)
const leave = (token: string, captcha?: string) =>
  server.call(`/api/unsubscribe/${token}`, captcha === undefined ? {} : { captcha })
const patients = (count: number, columns = {}) => makePatients(server, world.locations[0]!.id, count, () => columns)

/** As a mail program posts it. */
const oneClick = (token: string, payload = 'List-Unsubscribe=One-Click', headers: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/unsubscribe-one-click/${token}`,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const OUT = { email_health_outreach: 'out', email_marketing: 'out' }

describe('the unsubscribe page', () => {
  it('stops both kinds of email at once, skips queued ones, and says so when asked again', async () => {
    const [one] = await patients(1)
    const { token, run } = await unsubscribeTokenFor(server, world, one!)
    const texts = await makeRun(server, world, { patients: [one!] })
    const before = await look(token)
    expect(before.body).toMatchObject({
      notification_id: token,
      channel: 'email',
      opt_out_status: false,
      location: { name: world.locations[0]!.name },
    })
    expect((await leave(token, await solvedCaptcha(server))).body).toEqual({ unsubscribed: true })
    expect(await consentRow(server, one!)).toMatchObject({ ...OUT, sms_health_outreach: 'unknown' })
    expect(await statesOf(server, run.id)).toEqual({ 'skipped opted_out': 1 })
    expect(await statesOf(server, texts.id)).toEqual({ queued: 1 })
    expect((await look(token)).body.opt_out_status).toBe(true)
    const [entry] = await logOf(server, one!)
    expect(entry).toMatchObject({ type: 'unsubscribe', source: 'unsubscribe page', contact: one!.email_to })
    expect(entry!.wording).toContain(
      `I agree to unsubscribe from all email from ${world.locations[0]!.name}, including:`,
    )
  })

  it('can be repeated at once or years later, and is recorded once', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    const replies = await Promise.all(Array.from({ length: 50 }, () => leave(token)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    server.clock.offsetMs = 5 * 365 * 24 * 3600_000
    expect((await leave(token)).status).toBe(200)
    expect((await oneClick(token)).statusCode).toBe(200)
    expect(await logOf(server, one!)).toHaveLength(1)
    const audit = `select 1 from audit where action = 'consent.unsubscribe' and detail->>'message' = $1`
    const [, message] = token.split('.') as [string, string]
    expect(await asOwner(server, audit, [String(Number.parseInt(message, 36))])).toHaveLength(1)
  })

  it('applies to everyone of the pharmacy at that address, and to nobody else', async () => {
    const shared = { email_to: 'household@mail.example', email: 'Household@mail.example' }
    const [mother, child] = await patients(2, shared)
    const [other] = await patients(1)
    const [elsewhere] = await makePatients(server, rival.locations[0]!.id, 1, () => shared)
    const { token } = await unsubscribeTokenFor(server, world, mother!)
    await leave(token)
    expect(await consentRow(server, mother!)).toMatchObject(OUT)
    expect(await consentRow(server, child!)).toMatchObject(OUT)
    expect(await consentRow(server, other!)).toBeUndefined()
    expect(await consentRow(server, elsewhere!)).toBeUndefined()
  })

  it('refuses a used captcha, but a broken captcha stops nobody', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    expect((await leave(token, 'not solved')).status).toBe(422)
    expect(await consentRow(server, one!)).toBeUndefined()
    expect((await leave(token)).status).toBe(200)
  })

  it('is throttled by link and network, far above normal use, and never for one click', async () => {
    const [one, other] = await patients(2)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    const { token: second } = await unsubscribeTokenFor(server, world, other!)
    const replies = await answersOf(101, () => look(token))
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(100).fill(200), 429])
    const refused = await leave(token)
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringMatching(/^This page was opened too often from your network. Please wait 15 minutes/),
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890)
    expect((await look(second)).status).toBe(200)
    const elsewhere = { 'x-forwarded-for': '203.0.113.4' }
    expect((await server.call(`/api/validate-unsubscribe/${token}`, {}, elsewhere)).status).toBe(200)
    await asOwner(server, `update throttle set points = 2000 where key like 'uses:%'`)
    expect((await look(second)).status).toBe(429)
    expect((await oneClick(token)).statusCode).toBe(200)
    expect(await consentRow(server, one!)).toMatchObject(OUT)
  })

  it('refuses every link we did not create', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    const [location, message, mac] = token.split('.') as [string, string, string]
    const forged = [
      `${rival.locations[0]!.id.toString(36)}.${message}.${mac}`,
      `${location}.zz.${mac}`,
      `${token}x`,
      'x',
    ]
    for (const one of forged) {
      for (const reply of [await look(one), await leave(one)]) {
        expect([reply.status, reply.body.message]).toEqual([404, 'Invalid URL'])
      }
      expect((await oneClick(one)).statusCode).toBe(404)
    }
    expect(await consentRow(server, one!)).toBeUndefined()
  })
})

describe('the link of a text', () => {
  const NO_TEXTS = { sms_health_outreach: 'out', sms_marketing: 'out', email_health_outreach: 'unknown' }

  it('stops both kinds of texts at once as STOP does, without a captcha, and leaves email alone', async () => {
    const [one] = await patients(1)
    const { token, run } = await optOutTokenFor(server, world, one!)
    const mails = await makeRun(server, world, { patients: [one!], channel: 'email' })
    expect((await look(token)).body).toMatchObject({ notification_id: token, channel: 'sms', opt_out_status: false })
    expect(await logOf(server, one!)).toEqual([])
    expect((await leave(token)).body).toEqual({ unsubscribed: true })
    expect(await consentRow(server, one!)).toMatchObject(NO_TEXTS)
    expect(await statesOf(server, run.id)).toEqual({ 'skipped opted_out': 1 })
    expect(await statesOf(server, mails.id)).toEqual({ queued: 1 })
    expect((await look(token)).body).toMatchObject({ channel: 'sms', opt_out_status: true })
    const [entry] = await logOf(server, one!)
    expect(entry).toMatchObject({ type: 'stop', source: 'unsubscribe page', contact: one!.sms_to })
    expect(entry!.wording).toContain(`all SMS from ${world.locations[0]!.name} to my number`)
    // The page confirms it: no text follows.
    const sent = await asOwner(server, `select 1 from message_batch where message_kind = 'confirmation'`)
    expect(sent).toEqual([])
    const [audit] = await asOwner(
      server,
      `select detail from audit where action = 'consent.unsubscribe' order by id desc`,
    )
    expect(audit!.detail).toMatchObject({ channel: 'sms', source: 'unsubscribe page' })
  })

  it('works for years and any number of times, even after the pharmacy has left or the number was erased, and is recorded once', async () => {
    const [one, erased] = await patients(2)
    const { token } = await optOutTokenFor(server, world, one!)
    server.clock.offsetMs = 2 * 365 * 24 * 3600_000
    await asOwner(server, 'update location set removed_at = now() where id = $1', [world.locations[0]!.id])
    const replies = await Promise.all(Array.from({ length: 20 }, () => leave(token)))
    await asOwner(server, 'update location set removed_at = null where id = $1', [world.locations[0]!.id])
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(await logOf(server, one!)).toHaveLength(1)
    const { token: old, run } = await optOutTokenFor(server, world, erased!)
    await asOwner(server, 'update message set contact = null where run_id = $1', [run.id])
    expect([(await leave(old)).status, await consentRow(server, erased!)]).toMatchObject([200, NO_TEXTS])
  })

  it('applies to everyone of the pharmacy with that number, now or when texted, and to nobody else', async () => {
    const shared = { sms_to: '+61491570110', mobile: '0491 570 110' }
    const [mother, child] = await patients(2, shared)
    const [moved, other, untold] = await patients(3)
    const [elsewhere] = await makePatients(server, rival.locations[0]!.id, 1, () => shared)
    // An unsent message told nobody that the number belonged to them.
    await makeRun(server, world, { patients: [{ ...untold!, sms_to: shared.sms_to }] })
    const before = await makeRun(server, world, { patients: [{ ...moved!, sms_to: shared.sms_to }] })
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [before.id])
    const { token } = await optOutTokenFor(server, world, mother!)
    await leave(token)
    for (const one of [mother, child, moved]) expect(await consentRow(server, one!)).toMatchObject(NO_TEXTS)
    for (const one of [other, untold, elsewhere]) expect(await consentRow(server, one!)).toBeUndefined()
  })

  it('works only for its own channel, and START reverses it as it reverses STOP', async () => {
    const [one] = await patients(1)
    const { token } = await optOutTokenFor(server, world, one!)
    const mail = await unsubscribeTokenFor(server, world, one!)
    const [location, message] = mail.token.split('.') as [string, string]
    // An email's signed token in the form of a text's, a changed letter, an extra one, and a text's token in an email's header.
    const ids = { locationId: Number.parseInt(location, 36), messageId: Number.parseInt(message, 36) }
    const forged = [optOutToken(server.services.linkSecret, ids), `B${token.slice(1)}`, `${token}A`, token.slice(1)]
    for (const bad of forged) {
      for (const reply of [await look(bad), await leave(bad)])
        expect([bad, reply.status, reply.body.message]).toEqual([bad, 404, 'Invalid URL'])
    }
    expect((await oneClick(token)).statusCode).toBe(404)
    expect(await consentRow(server, one!)).toBeUndefined()
    await leave(token)
    const said = { event: { type: 'start' as const }, wording: 'START', source: 'reply', uuid: crypto.randomUUID() }
    const start = { locationId: one!.locationId, patientId: one!.id, at: server.services.now(), ...said }
    const record = () => world.inside((tx) => recordConsent(tx, start, start.at))
    // The same reply, processed again, is the same entry.
    const twice = [await record(), await record(), (await logOf(server, one!)).length]
    expect(twice).toMatchObject([{ changed: true }, { entryId: null }, 2])
    expect(await consentRow(server, one!)).toMatchObject({ sms_health_outreach: 'unknown', sms_marketing: 'unknown' })
  })
})

describe.each([
  ['text', 'sms', optOutTokenFor, { sms_to: '+61491570156', mobile: '0491 570 156' }],
  ['mail', 'email', unsubscribeTokenFor, { email_to: 'two@mail.example', email: 'two@mail.example' }],
] as const)('the link of a %s', (_, channel, tokenFor, shared) => {
  it('is not finished until both kinds have ended for everyone it went to, and then ends the rest', async () => {
    const [mother, child] = await patients(2, shared)
    const { token } = await tokenFor(server, world, mother!)
    const yes = { health_outreach_sms_consent: true, health_outreach_email_consent: true }
    const some = { ...yes, marketing_sms_consent: true, marketing_email_consent: true }
    const say = (one: typeof mother, answers: Partial<typeof some>) => {
      const now = server.services.now()
      const event = { type: 'form' as const, answers: { ...some, ...answers } }
      const entry = { locationId: one!.locationId, patientId: one!.id, at: now, event, wording: '', source: 'test' }
      return world.inside((tx) => recordConsent(tx, entry, now))
    }
    const none = { [`health_outreach_${channel}_consent`]: false, [`marketing_${channel}_consent`]: false }
    await say(mother, none)
    for (const kind of ['health_outreach', 'marketing'] as const) {
      await say(child, { ...none, [`${kind}_${channel}_consent`]: true })
      expect([kind, (await look(token)).body.opt_out_status]).toEqual([kind, false])
      await leave(token)
      for (const one of [mother, child])
        expect(await consentRow(server, one!)).toMatchObject({
          [`${channel}_health_outreach`]: 'out',
          [`${channel}_marketing`]: 'out',
        })
      expect((await look(token)).body.opt_out_status).toBe(true)
    }
  })
})

describe('one click in a mail program (RFC 8058)', () => {
  it('needs no cookie, captcha or same origin, and works years later', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    server.clock.offsetMs = 400 * 24 * 3600_000
    const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    const done = await oneClick(token, undefined, foreign)
    expect([done.statusCode, done.body]).toEqual([200, 'You have successfully unsubscribed from email communications.'])
    expect(await consentRow(server, one!)).toMatchObject(OUT)
    expect(await logOf(server, one!)).toMatchObject([
      { type: 'unsubscribe', source: 'one-click', wording: 'List-Unsubscribe=One-Click' },
    ])
    expect((await oneClick(token)).statusCode).toBe(200)
    expect(await logOf(server, one!)).toHaveLength(1)
  })

  it('accepts the multipart form too', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    const head = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n'
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await oneClick(token, `${head}no\r\n--b--\r\n`, type)).statusCode).toBe(422)
    expect((await oneClick(token, `${head}One-Click\r\n--b--\r\n`, type)).statusCode).toBe(200)
    expect(await consentRow(server, one!)).toMatchObject(OUT)
  })

  it('ignores mere visits, other forms and other bodies', async () => {
    const [one] = await patients(1)
    const { token } = await unsubscribeTokenFor(server, world, one!)
    for (let index = 0; index < 50; index++) {
      const method = index % 2 ? 'HEAD' : 'GET'
      const seen = await server.app.inject({ method, url: `/unsubscribe-one-click/${token}` })
      expect([seen.statusCode, seen.headers.location]).toEqual([303, `/unsubscribe/${token}`])
    }
    expect((await oneClick(token, 'List-Unsubscribe=no')).statusCode).toBe(422)
    expect((await oneClick(token, '')).statusCode).toBe(422)
    expect((await oneClick(token, '{}', { 'content-type': 'application/json' })).statusCode).toBe(422)
    expect((await oneClick(token, 'x'.repeat(5000))).statusCode).toBe(413)
    // Only that one route accepts forms.
    const elsewhere = await server.app.inject({
      method: 'POST',
      url: `/api/unsubscribe/${token}`,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(elsewhere.statusCode).toBe(415)
    expect(await consentRow(server, one!)).toBeUndefined()
  })
})
