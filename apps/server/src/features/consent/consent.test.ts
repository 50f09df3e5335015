import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consentRow, consentTokenFor, logOf, solvedCaptcha, unsubscribeTokenFor } from '../../../test/consent.ts'
import { storedAs } from '../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { asOwner, dump } from '../../../test/people.ts'
import { answersOf, startTestServer, type TestServer } from '../../../test/server.ts'
import { consentLinks } from './link/consent-link.queries.ts'

const DEAD = 'Consent form is invalid / already submitted'
const DAY = 24 * 3600_000
let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})

const YES = {
  health_outreach_sms_consent: true,
  health_outreach_email_consent: true,
  marketing_sms_consent: false,
  marketing_email_consent: false,
}
const read = (token: string) => server.call(`/api/communication-consent/${token}`)
const submit = (token: string, captcha: string | null, answers: object = YES) =>
  server.call(`/api/communication-consent/${token}/submit`, { ...answers, captcha })
const patient = async (): Promise<TestPatient> => (await makePatients(server, world.locations[0]!.id, 1))[0]!

describe('the consent form', () => {
  it('shows the patient, the pharmacy and the kinds, and no internals', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const { status, body } = await read(token)
    expect(status).toBe(200)
    expect(body).toEqual({
      first_name: 'Ines',
      last_name: 'Moran',
      email: one.email_to,
      phone_number: one.sms_to,
      postcode: null,
      consent_id: token,
      location: expect.objectContaining({ name: world.locations[0]!.name, country: 'AU', postcode: '3350' }),
      product_name: 'Pillar',
      marketing_consent: true,
      health_outreach_consent: true,
    })
  })

  it('is throttled by link, far above normal use', async () => {
    const token = await consentTokenFor(server, world, await patient())
    const replies = await answersOf(101, () => read(token))
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(100).fill(200), 429])
    expect((await submit(token, null)).status).toBe(429)
  })

  it('records four answers with the text that was shown, once', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const answers = { ...YES, marketing_email_consent: true, health_outreach_sms_consent: false }
    expect((await submit(token, await solvedCaptcha(server), answers)).body).toEqual({ submitted: true })
    expect(await consentRow(server, one)).toEqual({
      sms_health_outreach: 'out',
      sms_marketing: 'out',
      email_health_outreach: 'in',
      email_marketing: 'in',
    })
    const [entry, ...more] = await logOf(server, one)
    expect(more).toEqual([])
    expect(entry).toMatchObject({ type: 'form', source: 'consent page', answers })
    expect(entry!.wording).toContain('SMS Health Outreach: No\nEmail Health Outreach: Yes')
    expect(entry!.wording).toContain(`${world.locations[0]!.name} may send you SMS and email where you chose Yes.`)
    for (const again of [await submit(token, await solvedCaptcha(server)), await read(token)]) {
      expect([again.status, again.body.message]).toEqual([404, DEAD])
    }
  })

  it('is recorded in the log of the pharmacy’s company when it is opened and when it is submitted', async () => {
    const token = await consentTokenFor(server, world, await patient())
    const log = () =>
      asOwner(
        server,
        `select action, company_id, login_id from audit where action like 'consent.%' order by id desc limit 1`,
      )
    const row = { company_id: world.company.id, login_id: null }
    await read(token)
    expect(await log()).toEqual([{ action: 'consent.form', ...row }])
    await submit(token, await solvedCaptcha(server))
    expect(await log()).toEqual([{ action: 'consent.submit', ...row }])
  })

  it('no longer opens once its pharmacy has left', async () => {
    const token = await consentTokenFor(server, world, await patient())
    const leave = (at: string) =>
      asOwner(server, `update location set removed_at = ${at} where id = $1`, [world.locations[0]!.id])
    await leave('now()')
    const answers = [await read(token), await submit(token, await solvedCaptcha(server))]
    await leave('null')
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(Array(2).fill([404, DEAD]))
    expect((await read(token)).status).toBe(200)
  })

  it('asks only about the kinds that apply', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one, { health_outreach: true, marketing: false })
    expect((await read(token)).body).toMatchObject({ marketing_consent: false, health_outreach_consent: true })
    const tooMuch = await submit(token, await solvedCaptcha(server))
    expect([tooMuch.status, Object.keys(tooMuch.body.errors as object)]).toEqual([
      422,
      ['marketing_sms_consent', 'marketing_email_consent'],
    ])
    const asked = { ...YES, marketing_sms_consent: null, marketing_email_consent: null }
    const tooLittle = await submit(token, await solvedCaptcha(server), { ...asked, health_outreach_sms_consent: null })
    expect(tooLittle.status).toBe(422)
    expect(await logOf(server, one)).toEqual([])
    expect((await submit(token, await solvedCaptcha(server), asked)).status).toBe(200)
    expect(await consentRow(server, one)).toMatchObject({ sms_health_outreach: 'in', sms_marketing: 'unknown' })
    const [entry] = await logOf(server, one)
    expect(entry!.wording).toContain('Health Outreach')
    expect(entry!.wording).not.toMatch(/marketing|offers/i)
  })

  it('takes effect at once: forbidden queued messages are skipped, the rest stay', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const outreach = await makeRun(server, world, { patients: [one] })
    const email = await makeRun(server, world, { patients: [one], channel: 'email' })
    await submit(token, await solvedCaptcha(server), { ...YES, health_outreach_sms_consent: false })
    expect(await statesOf(server, outreach.id)).toEqual({ 'skipped opted_out': 1 })
    expect(await statesOf(server, email.id)).toEqual({ queued: 1 })
  })
})

describe('a consent link (T10, T11)', () => {
  it('is submitted once, even by a hundred requests at once', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const ticks = await Promise.all(Array.from({ length: 100 }, () => solvedCaptcha(server)))
    const replies = await Promise.all(ticks.map((tick) => submit(token, tick)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.message]).toEqual([404, DEAD])
    }
    expect(await logOf(server, one)).toHaveLength(1)
  })

  it('is not used up by viewing', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    for (let index = 0; index < 50; index++) {
      const method = index % 2 ? 'HEAD' : 'GET'
      await server.app.inject({ method, url: `/consent/${token}` })
      await server.app.inject({ method: 'GET', url: `/api/communication-consent/${token}/submit` })
      expect((await read(token)).status).toBe(200)
    }
    expect((await submit(token, null)).status).toBe(422)
    expect(await logOf(server, one)).toEqual([])
    expect((await submit(token, await solvedCaptcha(server))).status).toBe(200)
  })

  it('opens nothing to a person who has the number the patient had before', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const set = async (column: 'sms_to' | 'email_to', contact: string) =>
      asOwner(server, `update patient set ${column} = $3 where location_id = $1 and id = $2`, [
        ...[one.locationId, one.id, await storedAs(server, contact)],
      ])
    await set('email_to', 'new@mail.example')
    expect((await read(token)).status).toBe(200)
    await set('sms_to', freshMobile())
    for (const answer of [await read(token), await submit(token, await solvedCaptcha(server))])
      expect([answer.status, answer.body.message]).toEqual([404, DEAD])
    expect(await logOf(server, one)).toEqual([])
    await set('sms_to', one.sms_to!)
    const source = (text: string | null) =>
      asOwner(server, 'update patient set contact_source = $2 where id = $1', [one.id, text])
    // An upload has brought a different number, and the work after it is still to be done.
    await source('0491 570 999')
    expect((await read(token)).status).toBe(404)
    await source(null)
    expect((await submit(token, await solvedCaptcha(server))).status).toBe(200)
  })

  it('looks the same when unknown, used, expired or made for another purpose', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const { token: unsubscribe } = await unsubscribeTokenFor(server, world, one)
    server.clock.offsetMs = 90 * DAY + 1000
    const over = await read(token)
    server.clock.offsetMs = 90 * DAY - 60_000
    expect((await read(token)).status).toBe(200)
    server.clock.offsetMs = 0
    await submit(token, await solvedCaptcha(server))
    const used = await read(token)
    const others = await Promise.all(['x', 'A'.repeat(22), unsubscribe, '%00', '..%2f..'].map(read))
    for (const { status, body } of [over, used, ...others]) {
      if (status === 422) continue
      expect({ status, body }).toEqual({ status: 404, body: { code: 'not_found', message: DEAD } })
    }
    expect((await server.call(`/api/validate-unsubscribe/${token}`)).body.message).toBe('Invalid URL')
    expect((await server.call(`/api/unsubscribe/${token}`)).status).toBe(404)
  })

  it('stays the same when its message is sent again, with the same expiry', async () => {
    const one = await patient()
    const run = await makeRun(server, world, { patients: [one] })
    const [message] = await asOwner<{ id: string }>(server, 'select id from message where run_id = $1', [run.id])
    const asking = { locationId: one.locationId, id: Number(message!.id), patientId: one.id }
    const link = async () => (await world.inside((tx) => consentLinks(tx, server.services, [asking]))).get(asking.id)!
    const first = await link()
    server.clock.offsetMs = 30 * DAY
    expect(await link()).toBe(first)
    const opened = () => read(first.slice(first.lastIndexOf('/') + 1))
    server.clock.offsetMs = 90 * DAY - 60_000
    expect((await opened()).status).toBe(200)
    server.clock.offsetMs = 90 * DAY + 60_000
    expect((await opened()).status).toBe(404)
  })

  it('is stored only as a hash', async () => {
    const one = await patient()
    const token = await consentTokenFor(server, world, one)
    const { token: unsubscribe } = await unsubscribeTokenFor(server, world, one)
    const stolen = await dump(server)
    expect(stolen).toContain(one.sms_to)
    for (const secret of [token, unsubscribe.split('.')[2]!]) {
      for (const form of ['utf8', 'hex', 'base64'] as const) {
        expect(stolen).not.toContain(Buffer.from(secret).toString(form))
      }
      expect(stolen).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
  })

  it('throttles guessing, but not honest links or sign-in on the same network', async () => {
    const replies = await answersOf(210, (at) => read(`guess-${at}`))
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(200)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10)
    expect((await server.call('/api/unsubscribe/1.1.AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(429)
    const login = await server.call('/api/enterprise-login', { name: 'nobody', password: 'nothing' })
    expect(login.status).toBe(403)
    await asOwner(server, 'truncate throttle')
    for (let batch = 0; batch < 10; batch++) {
      const token = await consentTokenFor(server, world, await patient())
      const honest = await Promise.all(Array.from({ length: 25 }, () => read(token)))
      expect(new Set(honest.map(({ status }) => status))).toEqual(new Set([200]))
    }
  })
})

describe('the captcha', () => {
  it('counts once, however many use it at once', async () => {
    const people = await makePatients(server, world.locations[0]!.id, 20)
    const tokens: string[] = []
    for (const one of people) tokens.push(await consentTokenFor(server, world, one))
    const tick = await solvedCaptcha(server)
    const replies = await Promise.all(tokens.map((token) => submit(token, tick)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.message]).toEqual([422, 'Your tick “I am a person” no longer counts. Please tick it again.'])
    }
  })

  it('is refused when missing, invented, unsolved, altered or expired', async () => {
    const token = await consentTokenFor(server, world, await patient())
    const good = await solvedCaptcha(server)
    const { challenge, solution } = JSON.parse(Buffer.from(good, 'base64').toString('utf8'))
    const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
    const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } }
    const longer = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4e9 } }
    const bad = [
      '',
      'x',
      coded(null),
      coded({ challenge }),
      coded({ challenge, solution: { ...solution, derivedKey: `${challenge.parameters.keyPrefix}${'0'.repeat(32)}` } }),
      coded({ challenge: easier, solution }),
      coded({ challenge: longer, solution }),
      coded({ challenge: { ...challenge, signature: '0'.repeat(64) }, solution }),
    ]
    for (const captcha of bad) expect([captcha, (await submit(token, captcha)).status]).toEqual([captcha, 422])
    server.clock.offsetMs = 21 * 60_000
    expect((await submit(token, good)).status).toBe(422)
    server.clock.offsetMs = 0
    expect((await submit(token, good)).status).toBe(200)
  })
})
