import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { readEnv } from '../../env.ts'
import { openKeys } from './key-ring.ts'
import { rotate } from './rotation.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('transactions that hold every connection and seal do not wait for one more', async () => {
  const { env, pools } = server.services
  const keys = await openKeys(env, pools.system)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
  const began = now()
  const sealing = Array.from({ length: 20 }, () =>
    pools.system.transaction().execute(async () => {
      await new Promise((done) => setTimeout(done, 50))
      return (await keys.sealer('mail.recipient'))('row', 'somebody@mail.example')
    }),
  )
  expect(new Set((await Promise.all(sealing)).map(String)).size).toBe(1)
  later.mockRestore()
  expect(now() - began).toBeLessThan(5_000)
})

it('a version does not start if a newer one has switched over a column that it does not know', async () => {
  const { env, pools } = server.services
  const start = () => openKeys(env, pools.system)
  const own = () =>
    asOwner<{ name: string }>(
      server,
      'select column_name as name from data_key group by 1 having bool_and(switched) order by 1',
    )
  const switched = ['contact', 'gateway_event.payload', 'patient.email', 'patient.mobile'].map((name) => ({ name }))
  expect(await own()).toEqual(switched)
  await rotate(env, pools.system)
  expect(await own()).toEqual(switched)
  await asOwner(server, `insert into data_key (column_name) values ('trial_referral.email')`)
  await expect(start()).resolves.toBeDefined()
  await asOwner(server, `update data_key set switched = true where column_name = 'trial_referral.email'`)
  await expect(start()).rejects.toThrow(
    'A newer version of Pillar has sealed trial_referral.email in this database, which this version cannot read. Start the newer version',
  )
  await asOwner(server, `delete from data_key where column_name = 'trial_referral.email'`)
  await expect(start()).resolves.toBeDefined()
})

it('during a rotation a list older than 40 s is read before anything is sealed, and look-ups use the older key too', async () => {
  const { env, pools } = server.services
  const newest = `column_name = 'signup.email' and id = (select max(id) from data_key where column_name = 'signup.email')`
  await asOwner(server, `update data_key set writes_from = now() + interval '1 hour' where ${newest}`)
  const keys = await openKeys(env, pools.system)
  const before = await keys.writing('signup.email')
  await asOwner(server, `update data_key set writes_from = now() where ${newest}`)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 41_000)
  const after = await keys.writing('signup.email')
  later.mockRestore()
  expect(after!.id).toBeGreaterThan(before!.id)
  const ids = (await keys.indexes('signup.email', 'ada@example.com')).map((index) => index.readUInt32BE(0))
  expect(ids).toEqual([after!.id, before!.id])
})

it('a start with a wrong key, on a database without the key of a new column, leaves nothing that only it opens', async () => {
  const { env, pools } = server.services
  await asOwner(server, `delete from data_key where column_name = 'signup.phone'`)
  const wrong = readEnv({ KEYS: 'ab'.repeat(32) })
  await expect(openKeys(wrong, pools.system)).rejects.toThrow('Put back the keys that belong to this database')
  const keys = await openKeys(env, pools.system)
  await expect(keys.sealer('signup.phone')).resolves.toBeDefined()
})
