import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { eventsOf } from '../../../test/field/opened.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

const SECRET = 'the-secret-of-the-gateway'

let server: TestServer
beforeAll(async () => {
  const own = { SMS_HTTP_URL: 'http://127.0.0.1:9/?{to}{text}', SMS_HTTP_SECRET: SECRET, SMS_SENDER: '+61491570006' }
  server = await startTestServer({ env: { PUBLIC_URL: 'https://pillar.example', SMS_GATEWAY: 'http', ...own } })
})
afterAll(() => server.close())

const reply = (payload: string, type = 'application/x-www-form-urlencoded') =>
  server.app.inject({
    ...{ method: 'POST', url: '/webhooks/sms/http/reply', payload },
    headers: { 'content-type': type, 'x-webhook-secret': SECRET },
  })

it.each([
  ['names the sender otherwise than we are told', 'msisdn=%2B61491570157&to=61491570006&text=STOP'],
  ['names the text otherwise than we are told', 'from=%2B61491570157&to=61491570006&message=STOP'],
  ['comes in a list', '[{"from":"+61491570157","text":"STOP"}]', 'application/json'],
  ['comes as XML', '<from>+61491570157</from><text>STOP</text>', 'text/xml'],
])(
  'a reply that %s is refused, which an alert reports: the STOP in it would be lost',
  async (_which: string, body: string, type?: string) => {
    expect((await reply(body, type)).statusCode).toBe(422)
  },
)

it('a reply with two texts is refused: nobody can tell which one it is', async () => {
  const url = `/webhooks/sms/http/reply?secret=${SECRET}&from=61491570157&to=61491570006&text=STOP&text=`
  expect((await server.app.inject({ method: 'GET', url })).statusCode).toBe(422)
})

it('a refused reply gets no words: some gateways would text them to the patient', async () => {
  const unsigned = await server.app.inject({ method: 'GET', url: '/webhooks/sms/http/reply?from=1&text=STOP' })
  const answers = [unsigned, await reply('text=STOP')]
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [403, ''],
    [422, ''],
  ])
})

it('a reply without words is one', async () => {
  expect((await reply('from=%2B61491570157&to=61491570006&text=')).statusCode).toBe(200)
  expect(await eventsOf(server)).toMatchObject([{ payload: { kind: 'reply', text: '' } }])
})

it('two replies whose ids are long numbers in JSON are two: both would be rounded to one', async () => {
  const told = (id: string) =>
    reply(`{"id":${id},"from":61491570158,"to":"61491570006","text":"STOP"}`, 'application/json')
  for (const id of ['1795654800123456781', '1795654800123456782']) expect((await told(id)).statusCode).toBe(200)
  const stops = (await eventsOf(server)).filter(({ payload }) => payload.text === 'STOP')
  expect(stops.map(({ event_id }) => event_id).sort()).toEqual([
    expect.stringMatching(/^reply-1795654800123456781-/),
    expect.stringMatching(/^reply-1795654800123456782-/),
  ])
  expect(stops[0]!.payload).toMatchObject({ from: '+61491570158' })
})

it('a status of receipts that no setting names is logged once, without numbers: such texts would stay on their way for ever', async () => {
  const warned = vi.spyOn(server.services.log, 'warn')
  const told = (status: string) =>
    server.app.inject(`/webhooks/sms/http/status?secret=${SECRET}&reference=k-1&status=${encodeURIComponent(status)}`)
  for (const status of ['DELIVRD', 'Seen by 61491570157', 'Seen by 61491570158', '']) await told(status)
  const statuses = warned.mock.calls.map(([what]) => (what as { status?: unknown }).status)
  expect(statuses).toEqual(['Seen by …', ''])
})

it('a call that breaks the rules of HTTP, which never becomes a request, is counted for the alert', async () => {
  const refused = async () =>
    Number(/^pillar_webhooks_refused_total (\d+)$/m.exec((await server.app.inject('/metrics')).body)?.[1])
  const before = await refused()
  const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  for (const path of ['/login?name=a b', '/webhooks/sms/http/reply?text=STOP now']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /)
    socket.destroy()
  }
  expect(await refused()).toBe(before + 1)
})
