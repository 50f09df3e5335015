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
  'with initial uploads of ranges among them, everything stored equals one upload of what remains',
  { timeout: 1_800_000 },
  () => holdOneTruth(server.services, { initials: true, runs: DEEP ? 2500 : 25 }),
)
