import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/field/opened.ts'
import { hasKannel, type Kannel, startKannel } from '../../../test/outside/kannel.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { openHttpSms } from './sms-http.ts'

if (!hasKannel) process.stderr.write('Kannel is not installed: apt-get install kannel kannel-extras runs its test.\n')

const SECRET = 'a-shared-secret-of-kannel'
const RECEIPTS = 'status=%d&id=%F&reason=%A'

describe.skipIf(!hasKannel)('Kannel as the gateway', () => {
  let server: TestServer
  let kannel: Kannel
  beforeAll(async () => {
    const env: Record<string, string> = {
      SMS_GATEWAY: 'http',
      SMS_HTTP_URL: 'http://127.0.0.1:1/?{to}{text}',
      SMS_HTTP_METHOD: 'GET',
      SMS_HTTP_SECRET: SECRET,
      SMS_HTTP_ACCEPTED: '^(0: Accepted|3: Queued)',
      SMS_HTTP_RECEIPT_QUERY: RECEIPTS,
      SMS_SENDER: '+61491570006',
      PUBLIC_URL: 'http://localhost:1',
    }
    server = await startTestServer({ env })
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
    kannel = await startKannel(`${address}/webhooks/sms/http/reply?secret=${SECRET}&from=%p&to=%P&text=%b&id=%I&at=%T`)
    const query = 'to={to}&from={from}&text={text}&charset=UTF-8&coding={coding}&dlr-mask=31&dlr-url={receipt_url}'
    const url = `${kannel.sendUrl}&${query}`
    server.services.sms = openHttpSms({ ...server.services.env, SMS_HTTP_URL: url, PUBLIC_URL: address })
  })
  afterAll(async () => {
    await kannel.stop()
    await server.close()
  })

  const payloads = async () => (await eventsOf(server)).map((one) => one.payload)
  const text = (reference: string, words: string, to = '+61491570157') => ({ reference, to, from: null, text: words })

  it('accepts texts in both alphabets unchanged, and sends their receipts with our reference', async () => {
    const handed = await server.services.sms.send([
      text('kannel-1', 'Hi André & co, 50% off? Ring +61 2 5550 1234'),
      text('kannel-2', '😀 your script is ready'),
    ])
    expect(handed.map((one) => one.kind)).toEqual(['accepted', 'accepted'])
    await expect.poll(async () => (await payloads()).filter((one) => one.status === 'delivered').length, WAIT).toBe(2)
    const delivered = (await payloads()).filter((one) => one.status === 'delivered')
    expect(delivered.map((one) => one.reference).sort()).toEqual(['kannel-1', 'kannel-2'])
    const sent = (await payloads()).filter((one) => one.status === 'sent')
    expect(sent.map((one) => one.reference).sort()).toEqual(['kannel-1', 'kannel-2'])
    expect(kannel.log()).toContain('<+61491570006 +61491570157 text Hi André & co, 50% off? Ring +61 2 5550 1234>')
    expect(kannel.log()).toContain('ucs-2 %D8%3D%DE%00')
  })

  it('brings a reply from the phone', async () => {
    kannel.phone('61491570157 61491570006 text STOP')
    await expect
      .poll(async () => (await payloads()).filter((one) => one.kind === 'reply'), WAIT)
      .toMatchObject([{ from: '+61491570157', to: '+61491570006', text: 'STOP' }])
  })

  it('refuses a number in its own words', async () => {
    expect(await server.services.sms.send([text('kannel-3', 'Hi', 'abc')])).toEqual([
      { kind: 'rejected', reason: expect.stringContaining('black-lists') },
    ])
  })

  it('leaves everything for later if it is unavailable or our password is wrong', async () => {
    const { SMS_HTTP_URL: _, ...env } = server.services.env
    const wrong = openHttpSms({ ...env, SMS_HTTP_URL: `${kannel.sendUrl}x&to={to}&text={text}` })
    expect((await wrong.send([text('kannel-4', 'Hi')]))[0]).toMatchObject({ kind: 'later', seconds: 60 })
    await kannel.stop()
    expect((await server.services.sms.send([text('kannel-5', 'Hi')]))[0]).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining('refused the connection'),
    })
    expect(await server.services.sms.lookUp([{ reference: 'kannel-5', to: '' }])).toEqual([{ kind: 'unsure' }])
  })
})

const WAIT = { timeout: 10_000, interval: 100 }
