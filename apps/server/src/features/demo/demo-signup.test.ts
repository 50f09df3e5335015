import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addDemoConsole } from './demo-console.queries.ts'
import { addDemoSignups } from './demo-signup.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('support finds sign-ups of the demo network in every state, made once', async () => {
  const { pools, keys, now } = server.services
  await addDemoConsole(pools, now())
  const states = () => asOwner(server, 'select state, count(*)::int as n from signup group by 1 order by 1')
  await addDemoSignups(pools.system, keys, 'a hash', now())
  const made = await states()
  expect(made).toEqual([
    { state: 'approved', n: 1 },
    { state: 'rejected', n: 1 },
    { state: 'unconfirmed', n: 1 },
    { state: 'waiting', n: 3 },
  ])
  await addDemoSignups(pools.system, keys, 'another hash', now())
  expect(await states()).toEqual(made)
})
