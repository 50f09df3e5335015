import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { openLoggedKeys } from './logged-keys.ts'
import { switchContacts } from './new-keys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('an installation from before contacts were sealed says so at each start', async () => {
  const lines: string[] = []
  const log = { error: () => {}, warn: (line: string) => lines.push(line) }
  const { env, pools } = server.services
  await openLoggedKeys(env, pools, log)
  expect(lines).toEqual([])
  await storePlain(server)
  await openLoggedKeys(env, pools, log)
  expect(lines).toEqual(['numbers and email addresses of patients are not all sealed: see "npm run keys"'])
})

it('is not switched over while a process of an older version is connected', async () => {
  const { env, pools } = server.services
  const older = new pg.Client({ connectionString: server.servingUrl, application_name: 'pillar_system' })
  await older.connect()
  await expect(switchContacts(env, pools.system)).rejects.toThrow(
    'A connection of an older version of Pillar is open: its processes would not find whom a STOP is from.',
  )
  await older.end()
  await expect.poll(() => switchContacts(env, pools.system).catch(String)).toBe(true)
})
