import { afterAll, beforeAll, it } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { holdOneTruth } from '../../../../test/world/upload-truth.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it(
  'whatever order and pieces records arrive in, everything stored equals one upload of their latest versions',
  { timeout: 1_800_000 },
  () => holdOneTruth(server.services, { initials: false, runs: DEEP ? 2500 : 25 }),
)
