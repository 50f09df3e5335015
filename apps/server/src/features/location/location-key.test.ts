import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { contract } from '@pillar/contract'
import { UPLOAD_KEY_PATTERN } from '@pillar/domain/upload/upload-key'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, dump, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { buildApp } from '../../app.ts'
import { findUuidByKey } from './location-key.queries.ts'
import { warnOfSecret } from './secret-check.ts'

const { list, show, replace, end } = contract.locationKey
let server: TestServer
let support: Support
let company: { id: number; uuid: string }
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server)
})
afterAll(() => server.close())

const DAY = 86_400_000
/** 404: the key is accepted, but there is no such upload. */
const upload = async (key: string) =>
  (await server.call(contract.upload.status.path, { uuid: randomUUID() }, { authorization: `Bearer ${key}` })).status
const keysOf = async (id: string) => (await support.ask(list, { id })).body.data

it('a key is shown as it was issued, and the company’s log records each time', async () => {
  const place = await makeLocation(server, company.id)
  const [only, ...others] = await keysOf(place.uuid)
  expect(others).toEqual([])
  expect(only).toMatchObject({ prefix: place.key.slice(0, 20), last_used_at: null, ends_at: null })
  const bare = await server.call(`/api/location/${place.uuid}/key/${only!.key_id}/show`, {}, support.tab.bearer)
  expect([bare.status, bare.body.code]).toEqual([403, 'step_up_needed'])
  for (let time = 0; time < 2; time++) {
    expect((await support.ask(show, { id: place.uuid, key_id: only!.key_id })).body).toEqual({ key: place.key })
  }
  const log = await asOwner(
    server,
    `select login_id from audit where company_id = $1 and action = 'locationKey.show' and object = $2`,
    [company.id, place.uuid],
  )
  expect(log).toEqual([{ login_id: support.login.id }, { login_id: support.login.id }])
  const other = await makeLocation(server, company.id)
  expect((await support.ask(show, { id: other.uuid, key_id: only!.key_id })).status).toBe(404)
})

it('during the overlap both keys work, and each records its use; the ended one is listed for 30 more days', async () => {
  const place = await makeLocation(server, company.id)
  expect(await upload(place.key)).toBe(404)
  const { body: made } = await support.ask(replace, { id: place.uuid, overlap_days: 7 })
  expect(made.key).toMatch(new RegExp(`^${UPLOAD_KEY_PATTERN.source}$`))
  expect(await upload(place.key)).toBe(404)
  expect((await keysOf(place.uuid)).map(({ last_used_at }) => last_used_at)).toEqual([null, expect.any(String)])
  expect(await upload(made.key)).toBe(404)
  const [current, before] = await keysOf(place.uuid)
  expect(current).toMatchObject({ key_id: made.key_id, ends_at: null, last_used_at: expect.any(String) })
  expect(before).toMatchObject({ prefix: place.key.slice(0, 20), last_used_at: expect.any(String) })
  const left = Date.parse(before!.ends_at!) - Date.now()
  expect([left > 6.9 * DAY, left <= 7 * DAY]).toEqual([true, true])
  server.clock.offsetMs = 7 * DAY + 1000
  try {
    expect([await upload(place.key), await upload(made.key)]).toEqual([401, 404])
  } finally {
    server.clock.offsetMs = 0
  }
  const ago = (days: number) =>
    asOwner(
      server,
      'update location_key set ends_at = now() - make_interval(days => $2) where location_id = $1 and ends_at is not null',
      [place.id, days],
    )
  const named = async (key: string) => (await support.ask(contract.moduleAdmin.available, { key })).status
  await ago(29)
  expect([await named(place.key), await named(made.key)]).toEqual([404, 200])
  expect(await keysOf(place.uuid)).toHaveLength(2)
  await ago(31)
  expect((await keysOf(place.uuid)).map(({ key_id }) => key_id)).toEqual([made.key_id])
})

it('the key of a removed pharmacy opens nothing, and works again once it is restored', async () => {
  const place = await makeLocation(server, company.id)
  const found = async () => [
    await upload(place.key),
    await findUuidByKey(server.services.pools.system, place.key, server.services.now()),
  ]
  expect(await found()).toEqual([404, place.uuid])
  expect((await support.ask(contract.locationAdmin.remove, { uuid: place.uuid })).status).toBe(200)
  expect(await found()).toEqual([401, null])
  expect((await support.ask(contract.locationAdmin.restore, { uuid: place.uuid })).status).toBe(200)
  expect(await found()).toEqual([404, place.uuid])
})

it('only a replaced key can be ended early', async () => {
  const place = await makeLocation(server, company.id)
  const { body: made } = await support.ask(replace, { id: place.uuid, overlap_days: 7 })
  const [, before] = await keysOf(place.uuid)
  const said = async (key_id: string, ends_at?: Date) => {
    const { status, body } = await support.ask(end, { id: place.uuid, key_id, ends_at: ends_at?.toISOString() })
    return [status, body.message]
  }
  expect(await said(made.key_id)).toEqual([409, 'This is the key in use. Replace it first, then end it.'])
  const later = new Date(Date.now() + 8 * DAY)
  expect(await said(before!.key_id, later)).toEqual([422, 'Please choose an earlier end than the planned one.'])
  expect((await said(before!.key_id, new Date(Date.now() + DAY)))[0]).toBe(200)
  expect(await upload(place.key)).toBe(404)
  expect((await said(before!.key_id))[0]).toBe(200)
  expect([await upload(place.key), await upload(made.key)]).toEqual([401, 404])
  expect(await said(before!.key_id)).toEqual([409, 'This key has ended already.'])
  expect((await support.ask(show, { id: place.uuid, key_id: before!.key_id })).body.message).toBe(
    'This key has ended. Nothing can be sent with it.',
  )
  expect((await keysOf(place.uuid)).length).toBe(2)
})

it('a key kept only as a hash says so, works, and can be replaced', async () => {
  const place = await makeLocation(server, company.id)
  await asOwner(server, 'update location_key set sealed = null, prefix = null where location_id = $1', [place.id])
  const [only] = await keysOf(place.uuid)
  expect(only?.prefix).toBeNull()
  const refused = await support.ask(show, { id: place.uuid, key_id: only!.key_id })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'This key was made before keys were kept, so it cannot be shown. Replace it to get one that can; it goes on working meanwhile.',
  ])
  const { body: made } = await support.ask(replace, { id: place.uuid, overlap_days: 0 })
  expect([await upload(place.key), await upload(made.key)]).toEqual([401, 404])
})

it('a key sealed for another pharmacy or with another secret cannot be opened', async () => {
  const [a, b] = [await makeLocation(server, company.id), await makeLocation(server, company.id)]
  await asOwner(
    server,
    'update location_key set sealed = (select sealed from location_key where location_id = $1) where location_id = $2',
    [a.id, b.id],
  )
  const [key] = await keysOf(b.uuid)
  expect((await support.ask(show, { id: b.uuid, key_id: key!.key_id })).status).toBe(409)
})

it('no key is in a log, in the audit or unsealed in the database', async () => {
  const lines: string[] = []
  const kept = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  const place = await makeLocation(server, company.id)
  const services = { ...server.services, log: pino({ level: 'trace' }, kept) }
  const app = await buildApp(services)
  const own = { ...server, app, services } as TestServer
  const call: TestServer['call'] = async (path, payload, headers, method = 'POST') => {
    const answer = await app.inject({
      method,
      url: path,
      ...(method === 'POST' ? { payload: payload ?? {} } : {}),
      headers,
    })
    return { status: answer.statusCode, body: answer.json(), cookies: answer.cookies as never } as never
  }
  const watched = { ...support, ask: (await makeSupport({ ...own, call } as TestServer)).ask }
  const [only] = (await watched.ask(list, { id: place.uuid })).body.data
  const shown = await watched.ask(show, { id: place.uuid, key_id: only!.key_id })
  const made = await watched.ask(replace, { id: place.uuid })
  const modules = await watched.ask(contract.moduleAdmin.available, { key: made.body.key })
  expect([shown.body.key, modules.status]).toEqual([place.key, 200])
  expect(lines.length).toBeGreaterThan(3)
  const everything = `${lines.join('\n')}\n${await dump(server)}`
  for (const key of [place.key, made.body.key]) {
    expect(everything).not.toContain(key)
    expect(everything).not.toContain(Buffer.from(key).toString('hex'))
    // The readable part is too short to be useful to an attacker.
    expect(everything).not.toContain(key.slice(0, 24))
  }
  await app.close()
})

it('a start with a different secret from the newest key’s says so, and one with the right secret does not', async () => {
  await makeLocation(server, company.id)
  const errors: string[] = []
  const log = pino(
    {},
    new Writable({
      write: (line, _encoding, done) => {
        errors.push(String(line))
        done()
      },
    }),
  )
  await warnOfSecret({ ...server.services, log })
  expect(errors).toEqual([])
  await warnOfSecret({ ...server.services, log, secret: Buffer.alloc(32, 8) })
  expect(errors).toEqual([expect.stringContaining('SECRET is not the one')])
  // An installation that has lost its secret for good continues with another.
  await makeLocation({ ...server, services: { ...server.services, secret: Buffer.alloc(32, 8) } }, company.id)
  await warnOfSecret({ ...server.services, log, secret: Buffer.alloc(32, 8) })
  expect(errors).toHaveLength(1)
})
