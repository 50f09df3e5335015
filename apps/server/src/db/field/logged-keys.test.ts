import { afterAll, beforeAll, expect, it } from 'vitest'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { openLoggedKeys } from './logged-keys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('an installation that stores contacts as they are says so at each start', async () => {
  const lines: string[] = []
  const log = { error: () => {}, warn: (line: string) => lines.push(line) }
  const { env, pools } = server.services
  await openLoggedKeys(env, pools, log)
  expect(lines).toEqual([])
  await storePlain(server)
  await openLoggedKeys(env, pools, log)
  expect(lines).toEqual(['numbers and e-mail addresses of patients are not all sealed: see "npm run keys"'])
})
