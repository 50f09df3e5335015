import { createHmac } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { eventsOf } from '../../../test/field/opened.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { signBounce } from '../../gateways/email/bulk-email-events.ts'
import { receiptUrl } from '../../gateways/sms/receipt-url.ts'

const TOKEN = 'f'.repeat(32)
const SECRET = 'the-secret-of-the-gateway'
const BOUNCES = 'the-secret-of-the-mail-server'
const PUBLIC = 'https://pillar.example'
const FORM = 'application/x-www-form-urlencoded'

let twilio: TestServer
let http: TestServer
beforeAll(async () => {
  const shared = { PUBLIC_URL: PUBLIC, SMS_SENDER: '+61491570006', BOUNCE_SECRET: BOUNCES }
  const account = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: TOKEN }
  twilio = await startTestServer({ env: { ...shared, SMS_GATEWAY: 'twilio', ...account } })
  const own = { SMS_HTTP_URL: 'http://127.0.0.1:9/?{to}{text}', SMS_HTTP_SECRET: SECRET }
  http = await startTestServer({ env: { ...shared, SMS_GATEWAY: 'http', ...own } })
})
afterAll(async () => {
  await twilio.close()
  await http.close()
})
afterEach(async () => {
  for (const server of [twilio, http]) {
    server.clock.offsetMs = 0
    await asOwner(server, 'truncate gateway_event')
  }
})

const rows = async (server: TestServer) =>
  (await eventsOf(server))
    .map(({ gateway, event_id, payload }) => ({ gateway, event_id, payload }))
    .sort((a, b) => (a.event_id < b.event_id ? -1 : 1))

/** Twilio's scheme as its manual describes it: HMAC-SHA1, base64, over the address and each field's name and value in order. */
function signTwilio(path: string, form: Record<string, string>, token = TOKEN): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => name + form[name])
  return createHmac('sha1', token)
    .update(`${PUBLIC}${path}${fields.join('')}`)
    .digest('base64')
}
const post = async (server: TestServer, url: string, payload: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, headers: { 'content-type': FORM, ...headers } })
const postTwilio = (path: string, form: Record<string, string>, signature = signTwilio(path, form)) =>
  post(twilio, path, new URLSearchParams(form).toString(), signature ? { 'x-twilio-signature': signature } : {})
const now = () => Math.floor(Date.now() / 1000)
const statusPath = (reference: string, made = now()) =>
  `/webhooks/sms/twilio/status?reference=${reference}&made=${made}`
const DELIVERED = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+61491570157', From: '+61491570006' }
const ownPath = (reference: string, at = new Date()) => receiptUrl('/webhooks/sms/http/status', SECRET, reference, at)

describe('Twilio webhooks', () => {
  it('store a receipt and answer', async () => {
    expect((await postTwilio(statusPath('r-1'), DELIVERED)).statusCode).toBe(204)
    const failed = { ...DELIVERED, MessageSid: 'SM2', MessageStatus: 'undelivered', ErrorCode: '30005' }
    await postTwilio(statusPath('r-2'), failed)
    expect(await rows(twilio)).toMatchObject([
      {
        gateway: 'twilio',
        event_id: 'receipt-SM1-delivered',
        payload: { kind: 'receipt', reference: 'r-1', status: 'delivered', gatewayRef: 'SM1', reason: null },
      },
      {
        event_id: 'receipt-SM2-failed',
        payload: { reference: 'r-2', status: 'failed', reason: 'Number not in service' },
      },
    ])
  })

  it('store a reply, and return no instructions', async () => {
    const form = { MessageSid: 'SM9', From: '+61491570157', To: '+61491570006', Body: 'STOP \u0000 & é 😀' }
    const answer = await postTwilio('/webhooks/sms/twilio/reply', form)
    expect([answer.statusCode, answer.body]).toEqual([200, '<Response></Response>'])
    expect(await rows(twilio)).toMatchObject([
      {
        event_id: 'reply-SM9',
        payload: { kind: 'reply', from: '+61491570157', to: '+61491570006', text: 'STOP  & é 😀' },
      },
    ])
  })

  it('refuse unsigned, wrongly signed, altered and old calls (T19)', async () => {
    const path = statusPath('r-3')
    const reply = { MessageSid: 'SM9', From: '+61491570157', To: '+61491570006', Body: 'STOP' }
    const answers = [
      await postTwilio(path, DELIVERED, ''),
      await postTwilio(path, DELIVERED, 'AAAA'),
      await postTwilio(path, DELIVERED, signTwilio(path, DELIVERED, 'e'.repeat(32))),
      await postTwilio(path, { ...DELIVERED, MessageStatus: 'failed' }, signTwilio(path, DELIVERED)),
      await postTwilio(statusPath('r-4'), DELIVERED, signTwilio(path, DELIVERED)),
      await postTwilio(statusPath('r-3', now() - 9 * 86_400), DELIVERED),
      await postTwilio('/webhooks/sms/twilio/status?reference=r-3', DELIVERED),
      await postTwilio('/webhooks/sms/twilio/reply', reply, ''),
      await postTwilio(
        '/webhooks/sms/twilio/reply',
        { ...reply, From: '+61491570000' },
        signTwilio('/webhooks/sms/twilio/reply', reply),
      ),
      await post(http, path, new URLSearchParams(DELIVERED).toString(), {
        'x-twilio-signature': signTwilio(path, DELIVERED),
      }),
    ]
    expect(answers.map((one) => one.statusCode)).toEqual(answers.map(() => 403))
    expect([...(await rows(twilio)), ...(await rows(http))]).toEqual([])
  })

  it('ignore unknown statuses and references without an error', async () => {
    await postTwilio(statusPath('r-5'), { ...DELIVERED, MessageStatus: 'partying' })
    await postTwilio(statusPath(encodeURIComponent('../x')), DELIVERED)
    expect(await rows(twilio)).toEqual([])
  })
})

describe('HTTP gateway webhooks', () => {
  it('store a receipt by its own address or the secret, as a GET or a form or JSON', async () => {
    const get = (url: string) => http.app.inject({ method: 'GET', url })
    const answers = [
      await get(`${ownPath('k-1')}&status=8&id=&reason=ACK%2F`),
      await post(http, `${ownPath('k-1')}&status=1&id=abc&reason=`, 'reference=another'),
      await post(http, `/webhooks/sms/http/status?secret=${SECRET}`, 'reference=k-2&status=UNDELIV&reason=err%3A001'),
      await post(http, '/webhooks/sms/http/status', '{"reference":"k-3","status":1}', {
        ...{ 'content-type': 'application/json', 'x-webhook-secret': SECRET },
      }),
    ]
    expect(answers.map((one) => one.statusCode)).toEqual([204, 204, 204, 204])
    expect((await rows(http)).map((one) => one.payload)).toMatchObject([
      { reference: 'k-1', status: 'sent' },
      { reference: 'k-1', status: 'delivered', gatewayRef: 'abc' },
      { reference: 'k-2', status: 'failed', reason: 'Not delivered: err:001' },
      { reference: 'k-3', status: 'delivered' },
    ])
  })

  it('distinguish repeated replies from repeated calls', async () => {
    const reply = (more: string, text = 'Stop') =>
      http.app.inject(
        `/webhooks/sms/http/reply?secret=${SECRET}&from=%2B61491570157&to=61491570006&text=${text}&${more}`,
      )
    for (const more of ['id=1', 'id=1', 'id=2', 'at=10:00', 'at=10:00', 'at=11:00']) await reply(more)
    expect((await reply('id=1')).body).toBe('')
    const kept = await rows(http)
    expect(kept).toHaveLength(4)
    for (const one of kept)
      expect(one.payload).toMatchObject({ from: '+61491570157', to: '+61491570006', text: 'Stop' })
    // If the gateway sends neither, another STOP in the same minute counts: it may follow a START.
    for (const text of ['Stop', 'Start', 'Stop']) await reply('', text)
    expect(await rows(http)).toHaveLength(4 + 3)
  })

  it('refuse a wrong, missing or old proof (T19)', async () => {
    const reply = 'from=%2B61491570157&to=61491570006&text=STOP'
    const old = new Date(Date.now() - 9 * 86_400_000)
    const urls = [
      '/webhooks/sms/http/status?reference=k-1&status=1',
      '/webhooks/sms/http/status?reference=k-1&status=1&secret=',
      `/webhooks/sms/http/status?reference=k-1&status=1&secret=${SECRET}x`,
      `/webhooks/sms/http/status?reference=k-1&status=1&secret=${SECRET}&secret=${SECRET}`,
      `${ownPath('k-1').replace('k-1', 'k-2')}&status=1`,
      `${ownPath('k-1', old)}&status=1`,
      `/webhooks/sms/http/reply?${reply}`,
      `/webhooks/sms/http/reply?${reply}&secret=wrong-secret-wrong-secret`,
      // The secret of the receipts address does not allow speaking for patients.
      `${ownPath('k-1').replace('/status', '/reply')}&${reply}`,
    ]
    for (const url of urls)
      expect([url, (await http.app.inject({ method: 'GET', url })).statusCode]).toEqual([url, 403])
    expect((await twilio.app.inject({ method: 'GET', url: `${ownPath('k-1')}&status=1` })).statusCode).toBe(403)
    expect([...(await rows(http)), ...(await rows(twilio))]).toEqual([])
  })

  it('store the others when one of a group fails', async () => {
    const reply = (id: string) => ({
      ...{ method: 'GET' as const },
      url: `/webhooks/sms/http/reply?secret=${SECRET}&from=%2B61491570157&to=61491570006&text=Stop&id=${id}`,
    })
    await asOwner(http, "alter table gateway_event add constraint no_seven check (event_id not like 'reply-7-%')")
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => http.app.inject(reply(String(at)))))
    await asOwner(http, 'alter table gateway_event drop constraint no_seven')
    expect(answers.map((one) => one.statusCode)).toEqual(answers.map((_, at) => (at === 7 ? 500 : 200)))
    expect(await rows(http)).toHaveLength(9)
  })

  it('give the same result when every event arrives ten times in any order (T19)', async () => {
    const told = Array.from({ length: 30 }, (_, at) =>
      ['8', '1'].map((status) => `${ownPath(`d-${at}`)}&status=${status}&id=g${at}`),
    ).flat()
    const all = Array.from({ length: 10 }, () => told).flat()
    const anyOrder = fc.shuffledSubarray(all, { minLength: all.length })
    const taken = async (calls: readonly string[]) => {
      for (let at = 0; at < calls.length; at += 50) {
        const answers = await Promise.all(calls.slice(at, at + 50).map((url) => http.app.inject(url)))
        expect(answers.every((one) => one.statusCode === 204)).toBe(true)
      }
    }
    await fc.assert(fc.asyncProperty(anyOrder, taken), { numRuns: 1, endOnFailure: true })
    const stored = (await rows(http)).map((one) => `${one.payload.reference} ${one.payload.status}`)
    const each = Array.from({ length: 30 }, (_, at) => [`d-${at} delivered`, `d-${at} sent`]).flat()
    expect(stored.sort()).toEqual(each.sort())
  })
})

describe('mail server webhooks', () => {
  const bounce = (body: string, headers: Partial<Record<'id' | 'timestamp' | 'signature', string>> = {}) => {
    const { id = 'msg-1', timestamp = String(now()) } = headers
    const signature = headers.signature ?? signBounce(BOUNCES, { id, timestamp, body })
    const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    return post(http, '/webhooks/email/bounce', body, { 'content-type': 'application/json', ...signed })
  }

  it('store a bounce by reference or by bounce address', async () => {
    expect((await bounce('{"type":"bounced","reference":"e-1","reason":"550 No such user"}')).statusCode).toBe(204)
    expect((await bounce('{"type":"bounced","to":"bounce+e-2@bounces.example"}')).statusCode).toBe(204)
    expect((await bounce('{"type":"delayed","reference":"e-3"}')).statusCode).toBe(204)
    expect((await rows(http)).map((one) => [one.gateway, one.payload.reference, one.payload.reason])).toEqual([
      ['smtp', 'e-1', 'The email came back: 550 No such user'],
      ['smtp', 'e-2', 'The email came back'],
    ])
  })

  it('refuse a wrong, missing or old signature (T19), and signed garbage', async () => {
    const body = '{"type":"bounced","reference":"e-4"}'
    const past = String(now() - 301)
    const answers = [
      await post(http, '/webhooks/email/bounce', body, { 'content-type': 'application/json' }),
      await bounce(body, { signature: 'v1,AAAA' }),
      await bounce(body, {
        signature: signBounce('another-secret-another-secret', { id: 'msg-1', timestamp: String(now()), body }),
      }),
      await bounce(body, { timestamp: past }),
      await bounce(body, { timestamp: 'soon' }),
    ]
    expect(answers.map((one) => one.statusCode)).toEqual([403, 403, 403, 403, 403])
    for (const nonsense of ['', '[]', '{"type":"bounced"}', '{"type":"bounced","reference":"a b"}', 'x=1']) {
      expect((await bounce(nonsense)).statusCode).toBe(422)
    }
    expect(await rows(http)).toEqual([])
  })
})

describe('all webhooks', () => {
  it('accept forms only here, and no larger than needed', async () => {
    expect((await post(http, '/api/captcha-challenge', 'a=b')).statusCode).toBe(415)
    expect((await post(http, ownPath('z-1'), `x=${'y'.repeat(70_000)}`)).statusCode).toBe(413)
    for (const method of ['PUT', 'DELETE'] as const) {
      expect((await http.app.inject({ method, url: ownPath('z-1') })).statusCode).toBe(404)
    }
  })

  it('answer with an error when an event could not be stored, so that the gateway retries', async () => {
    await asOwner(http, 'alter table gateway_event rename to gateway_event_away')
    const answer = await http.app.inject({ method: 'GET', url: `${ownPath('z-2')}&status=1` })
    await asOwner(http, 'alter table gateway_event_away rename to gateway_event')
    expect(answer.statusCode).toBeGreaterThanOrEqual(500)
  })

  it('store a flood of events, answering at once (T19)', async () => {
    const { calls, seconds } = DEEP ? { calls: 10_000, seconds: 20 } : { calls: 500, seconds: 1.5 }
    const address = await http.app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const [began, used] = [performance.now(), process.cpuUsage()]
    const took = await Promise.all(
      Array.from({ length: calls }, async (_, at) => {
        await wait((at / calls) * seconds * 1000)
        const start = performance.now()
        expect(await get(`${address}${ownPath(`f-${at}`)}&status=1`, agent)).toBe(204)
        return performance.now() - start
      }),
    )
    const p99 = took.sort((a, b) => a - b)[Math.floor(calls * 0.99)]!
    agent.destroy()
    const cpu = process.cpuUsage(used)
    const figures = [(performance.now() - began) / 1000, (cpu.user + cpu.system) / 1e6].map((one) => one.toFixed(1))
    process.stderr.write(
      `${calls} calls in ${figures[0]} s, ${figures[1]} s of CPU with the caller, p99 ${p99.toFixed(0)} ms\n`,
    )
    expect((await rows(http)).length).toBe(calls)
    // A timing on a busy machine means nothing, so only the long run checks it.
    if (DEEP) expect(p99).toBeLessThan(200)
  })
})

const get = (url: string, agent: Agent) =>
  new Promise<number>((resolve, reject) => {
    const asked = httpRequest(url, { agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', reject).end()
  })
