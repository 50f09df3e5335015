import { randomUUID } from 'node:crypto'
import { contract } from '@pillar/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { around, inputSchema } from '../../../test/every-call/every-call-values.ts'
import {
  makeCompany,
  makeLocation,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

const RUNS = DEEP ? 2000 : 40

let server: TestServer
let tab: SignedIn
let login: TestLogin
let place: string

beforeAll(async () => {
  server = await startTestServer()
  const { id } = await makeCompany(server)
  place = (await makeLocation(server, id)).uuid
  login = await makeLogin(server, id, { flags: ['data_analytics'] })
  tab = await signIn(server, login)
})
afterAll(() => server.close())

const granted = async (object: string | null) => ({
  ...(await stepUp(server, { login, tab }, 'save', object)),
  'content-type': 'application/json',
})
/** Sent as text, so that half surrogates and NULs arrive unchanged. */
const send = async (path: string, body: unknown, headers: Record<string, string>) => {
  const payload = JSON.stringify(body) ?? 'null'
  const reply = await server.app.inject({ method: 'POST', url: path, payload, headers })
  return { status: reply.statusCode, text: reply.body, payload }
}

it('templates never fail on any input, even with step-up (T30)', async () => {
  const texts = fc.constantFrom(
    '{Pharmacy Name} ok',
    '{{Pharmacy Name}',
    '\ud800 {pharmacy_name}',
    'x\0{Pharmacy Name}',
    '&#x0;{Pharmacy Name}',
  )
  const fitting = fc.record({
    name: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), texts),
    body: fc.oneof(
      texts,
      fc.string({ unit: 'binary' }).map((one) => `${one}{Pharmacy Name}`),
    ),
    subject: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null)),
    sms_template: fc.boolean(),
    email_template: fc.boolean(),
  })
  const failures: string[] = []
  const statuses = new Set<number>()
  const note = ({ status, text, payload }: Awaited<ReturnType<typeof send>>) => {
    statuses.add(status)
    if (status >= 500) failures.push(`${status} ${payload.slice(0, 200)} → ${text.slice(0, 200)}`)
    return text
  }
  const { create, preview } = contract.template
  let made = ''
  for (const body of [...fc.sample(fitting, RUNS), ...fc.sample(around(inputSchema(create), [randomUUID()]), RUNS)]) {
    const text = note(await send('/api/template/create/enterprise', body, await granted(null)))
    made = /"id":"([^"]+)"/.exec(text)?.[1] ?? made
  }
  expect(made).not.toBe('')
  for (const body of fc.sample(fitting, RUNS)) {
    note(await send(`/api/template/${made}/edit/enterprise`, body, await granted(made)))
  }
  const headers = { ...tab.bearer, 'content-type': 'application/json' }
  for (const body of fc.sample(fitting, RUNS)) {
    note(await send(preview.path, { ...body, pharmacy_id: place }, headers))
    note(await send('/api/template/list/enterprise', { search_term: body.name.slice(0, 200) }, headers))
    note(await send('/api/template/chatgpt', { prompt: body.body, subcategory_name: body.name }, headers))
  }
  expect(failures.slice(0, 5)).toEqual([])
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 422]))
}, 3_600_000)
