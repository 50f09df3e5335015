import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { asOwner } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { type Clock, openClock, skewWords } from './clock.ts'

let server: TestServer
let clock: Clock
beforeAll(async () => {
  server = await startTestServer()
  clock = await openClock(server.services.pools.system, { log: server.services.log, warn: () => {} })
})
afterAll(async () => {
  vi.useRealTimers()
  await clock.stop()
  await server.close()
})

const ofDatabase = async () => (await asOwner<{ now: Date }>(server, 'select clock_timestamp() as now'))[0]!.now

it('continues by the database’s time when the machine’s clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  expect(Math.abs(clock.now().getTime() - (await ofDatabase()).getTime())).toBeLessThan(1_000)
  expect(Math.abs(clock.skew() + 3_600_000)).toBeLessThan(1_000)
})

it('is right again after one reading, on a machine whose steady timer slept', async () => {
  const steady = performance.now.bind(performance)
  const ahead = async () => (await ofDatabase()).getTime() - clock.now().getTime()
  vi.spyOn(performance, 'now').mockImplementation(() => steady() - 3_600_000)
  try {
    expect(Math.abs((await ahead()) - 3_600_000)).toBeLessThan(1_000)
    await clock.read()
    expect(Math.abs(await ahead())).toBeLessThan(1_000)
  } finally {
    vi.mocked(performance.now).mockRestore()
    await clock.read()
  }
})

it('knows for how long the database’s time has run steadily, and does not take a second’s delay for a jump', async () => {
  const before = clock.steadyFor()
  await clock.read()
  expect(clock.steadyFor()).toBeGreaterThanOrEqual(before)
  const steady = performance.now.bind(performance)
  // The database jumps ten minutes ahead, which is the same as the steady timer falling as far behind.
  vi.spyOn(performance, 'now').mockImplementation(() => steady() - 600_000)
  try {
    await clock.read()
    expect(clock.steadyFor()).toBeLessThan(5_000)
  } finally {
    vi.mocked(performance.now).mockRestore()
    await clock.read()
  }
})

it('tells an operator which clock is wrong, and by how much', () => {
  expect(skewWords(90_400)).toContain("This machine's clock is 90 seconds ahead of the database's.")
  expect(skewWords(-31_000)).toContain("This machine's clock is 31 seconds behind the database's.")
})
