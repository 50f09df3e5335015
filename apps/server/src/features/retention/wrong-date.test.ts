import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { startNights } from '../../api/night.ts'
import { removeOld } from './retention.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const YEARS = 10 * 365 * 86_400_000

it('while the database is years ahead of this machine, or behind it, no night begins and nothing is removed as too old', async () => {
  const world = await makeMessagingWorld(server)
  await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2) })
  await asOwner(server, `update message set state = 'delivered', sent_at = now()`)
  const texts = async () => (await asOwner(server, 'select from message where body is not null')).length
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const at = (skew: number) => {
    const now = () => new Date(Date.now() - skew)
    return { ...server.services, log, now, clockSkew: () => skew }
  }
  const asked = async (skew: number) => {
    const stop = startNights(at(skew), [removeOld])
    // Stopped at once, it would not log why it did not ask.
    await sleep(100)
    await stop()
    return (await asOwner(server, `select from pgboss.job where name = 'retention'`)).length
  }
  expect(await texts()).toBe(2)
  expect([await asked(-YEARS), await asked(YEARS), await asked(-3_700_000)]).toEqual([0, 0, 0])
  expect(lines.join()).toContain('"msg":"asking for retention"')
  // Enqueued before the clock was changed.
  await expect(removeOld.run({}, at(-YEARS))).rejects.toThrow('more than an hour apart')
  expect(await texts()).toBe(2)
  expect(await asked(600_000)).toBe(1)
  await removeOld.run({}, { ...at(-YEARS), clockSkew: () => 0 })
  expect(await texts()).toBe(0)
})
