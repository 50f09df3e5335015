import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Context } from '../../api/context.ts'
import { makeLink, redeemLink } from '../session/link.queries.ts'
import { downloadOf } from './download.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})

const FILES = new Map([[7, { filename: 'Corner Pharmacy – patient list.csv', text: 'name\r\nInes\r\n' }]])
const handler = downloadOf(async (_tx, id) => FILES.get(id) ?? null)
const take = (token: string) => handler({ token }, { services: server.services, address: '127.0.0.1' } as Context)
const DEAD = { code: 'not_found', message: 'Invalid token or token has expired' }

const link = (subjectId: number, purpose: 'download' | 'reset' = 'download') =>
  server.services.pools.system
    .transaction()
    .execute((tx) =>
      makeLink(tx, server.services.secret, { purpose, subjectId, now: server.services.now(), seconds: 24 * 3600 }),
    )

it('gives its file once, even to fifty requests at once', async () => {
  const token = await link(7)
  const replies = await Promise.allSettled(Array.from({ length: 50 }, () => take(token)))
  const given = replies.filter((reply) => reply.status === 'fulfilled')
  expect(given.map((reply) => reply.value)).toEqual([FILES.get(7)])
  for (const reply of replies) if (reply.status === 'rejected') expect(reply.reason).toMatchObject(DEAD)
})

it('expires after a day, and does not work as a reset link or the other way round', async () => {
  const token = await link(7)
  server.clock.offsetMs = 24 * 3600_000
  await expect(take(token)).rejects.toMatchObject(DEAD)
  server.clock.offsetMs = 24 * 3600_000 - 60_000
  const { system } = server.services.pools
  const asReset = await system
    .transaction()
    .execute((tx) => redeemLink(tx, server.services.secret, 'reset', token, server.services.now()))
  expect(asReset).toBeNull()
  await expect(take(await link(7, 'reset'))).rejects.toMatchObject(DEAD)
  await expect(take('nothing')).rejects.toMatchObject(DEAD)
  expect(await take(token)).toEqual(FILES.get(7))
})

it('is not used up by an unreadable file', async () => {
  const token = await link(7)
  const broken = downloadOf(async () => Promise.reject(new Error('disk')))
  const context = { services: server.services, address: '127.0.0.1' } as Context
  await expect(broken({ token }, context)).rejects.toThrow('disk')
  expect(await take(token)).toEqual(FILES.get(7))
})

it('gives its file although the counters fail meanwhile: the link is used up', async () => {
  const failing = downloadOf(async (_tx, id) => {
    await asOwner(server, 'alter table throttle rename to throttle_away')
    return FILES.get(id) ?? null
  })
  const context = { services: server.services, address: '127.0.0.1' } as Context
  const given = await failing({ token: await link(7) }, context).finally(() =>
    asOwner(server, 'alter table throttle_away rename to throttle'),
  )
  expect(given).toEqual(FILES.get(7))
})

it('cannot be guessed: dead links of a network are counted, and working ones are not', async () => {
  for (const subject of [7, 7, 7]) await take(await link(subject))
  const counted = () => asOwner(server, `select points from throttle where key like 'link:%'`)
  expect(await counted()).toEqual([{ points: 0 }])
  await expect(take('nothing')).rejects.toMatchObject(DEAD)
  expect(await counted()).toEqual([{ points: 1 }])
  await asOwner(server, `update throttle set points = 200 where key like 'link:%'`)
  await expect(take('nothing')).rejects.toMatchObject({ code: 'too_many' })
})
