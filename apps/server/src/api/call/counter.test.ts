import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { firstUse } from '../../features/consent/link-throttle.ts'
import { countersOf, countUse } from '../counter.ts'

const DAY = 86_400_000
const WINDOW = 900

let server: TestServer
/** The database's time, as the processes read it; the machine's is faked by itself. */
let database: number
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  database = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: database })
})
afterEach(async () => {
  vi.useRealTimers()
  await asOwner(server, 'truncate throttle')
})

/** A process with counters of its own, on a machine whose clock is ahead by this much. */
function processOn(aheadMs: number) {
  const services = { ...server.services, now: () => new Date(database) }
  const counters = countersOf({ few: ['few', 2, WINDOW] })
  return {
    services,
    use: () => {
      vi.setSystemTime(database + aheadMs)
      return countUse(counters(services).few, 'somebody')
    },
  }
}

describe('a counter', () => {
  it.each([
    ['a day ahead', DAY],
    ['a day behind', -DAY],
  ])('is the same on a machine whose clock is %s', async (_how, aheadMs) => {
    const [right, wrong] = [processOn(0), processOn(aheadMs)]
    expect([(await right.use()).taken, (await wrong.use()).taken]).toEqual([true, true])
    for (const one of [right, wrong]) expect(await one.use()).toMatchObject({ taken: false, wait: WINDOW })
    database += (WINDOW + 1) * 1000
    expect([(await wrong.use()).taken, (await right.use()).taken]).toEqual([true, true])
    for (const one of [right, wrong]) expect(await one.use()).toMatchObject({ taken: false, wait: WINDOW })
  })

  it('begins anew if the database’s clock was a day ahead and has been set back', async () => {
    const one = processOn(0)
    database += DAY
    for (const taken of [true, true, false]) expect((await one.use()).taken).toBe(taken)
    database -= DAY
    expect(await one.use()).toMatchObject({ taken: true, points: 1 })
    for (const taken of [true, false]) expect((await one.use()).taken).toBe(taken)
  })

  it('of what may be used once stays as it is, because that may still be valid', async () => {
    const { services } = processOn(0)
    database += DAY
    expect(await firstUse(services, 'a tick', WINDOW)).toBe(true)
    database -= DAY
    expect(await firstUse(services, 'a tick', WINDOW)).toBe(false)
  })
})
