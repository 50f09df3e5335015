import { setTimeout as sleep } from 'node:timers/promises'
import { weekday } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../../test/messaging.ts'
import { FakePhones } from '../../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../../test/people.ts'
import { sendAll, turn } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { startSender } from '../../messaging.jobs.ts'
import { prepareRun } from '../../run/prepare-run.jobs.ts'
import { startSequences } from '../../sequence/sequence.jobs.ts'
import { pauseGateway, wakeOverlooked } from '../lease.queries.ts'
import { reconcile } from '../reconcile.ts'

const DAY_MS = 86_400_000

let server: TestServer
const phones = new FakePhones()
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('a database clock that was a day ahead and has been set back', () => {
  it.each([100, Number.POSITIVE_INFINITY])('delays nothing until then, at %s texts a second', async (perSecond) => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2) })
    await asOwner(
      server,
      `insert into gateway_pace values ('fake sms', now() + interval '1 day') on conflict (gateway) do update set next_at = excluded.next_at`,
    )
    await asOwner(
      server,
      `update message_batch set leased_by = gen_random_uuid(), leased_until = now() + interval '1 day' where run_id = $1`,
      [run.id],
    )
    expect(await turn({ ...server.services, sms: phones.gateway(perSecond) })).toBe('sent')
    expect(await statesOf(server, run.id)).toEqual({ sent: 2 })
    await asOwner(server, 'delete from gateway_pace')
  })
})

it('due messages do not wait for the time at which a clock that was a day ahead last looked at their batch', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2) })
  const wake = () => wakeOverlooked(server.services.pools.system, server.services.now())
  const later = (what: string) =>
    asOwner(server, `update ${what} = now() + interval '1 day' where run_id = $1`, [run.id])
  await later('message_batch set next_at')
  expect(await turn({ ...server.services, sms: phones.gateway() })).toBe('nothing')
  expect([await wake(), await wake()]).toEqual([1, 0])
  expect(await turn({ ...server.services, sms: phones.gateway() })).toBe('sent')
  expect(await statesOf(server, run.id)).toEqual({ sent: 2 })
  // Messages planned for tomorrow do wait.
  await asOwner(server, `update message set state = 'queued' where run_id = $1`, [run.id])
  await later('message set planned_at')
  await later('message_batch set next_at')
  expect(await wake()).toBe(0)
  await asOwner(server, 'delete from message where run_id = $1', [run.id])
})

it.each(['sending', 'unknown'])(
  'a message left %s by a clock that was two days ahead is still asked about',
  async (state) => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
    const until = (time: string) =>
      asOwner(
        server,
        `update message set state = $2, attempts = 1, gateway = 'fake', lease_until = now() + $3::interval where run_id = $1`,
        [run.id, state, time],
      )
    await until('1 hour')
    expect(await reconcile({ ...server.services, sms: phones.gateway() })).toBe(0)
    await until('2 days')
    expect(await reconcile({ ...server.services, sms: phones.gateway() })).toBe(1)
    await asOwner(server, 'delete from message where run_id = $1', [run.id])
  },
)

it('a pause of ten minutes holds, whatever a clock that was a day ahead has left', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  for (const left of ['0 seconds', '1 day']) {
    await asOwner(server, `insert into gateway_pace values ('fake sms', now() + $1::interval)`, [left])
    await pauseGateway(server.services.pools.system, 'fake sms', 600, 'Busy.')
    expect([left, await turn({ ...server.services, sms: phones.gateway() })]).toEqual([left, 'wait'])
    await asOwner(server, 'delete from gateway_pace')
  }
  await asOwner(server, 'delete from message where run_id = $1', [run.id])
})

it('nobody asks about a message in progress when the database clock jumps ahead, until it could be finished', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  // The effect of the jump on another worker's one-minute claim.
  await asOwner(
    server,
    `update message set state = 'sending', attempts = 1, gateway = 'fake', lease_until = now() - interval '9 minutes' where run_id = $1`,
    [run.id],
  )
  let steady = Number.POSITIVE_INFINITY
  const services = {
    ...server.services,
    sms: phones.gateway(),
    steadyFor: () => steady,
    // A reading now shows the jump.
    readClock: async () => {
      steady = Math.min(steady, 0)
    },
  }
  expect(await reconcile(services)).toBe(0)
  expect(await statesOf(server, run.id)).toEqual({ sending: 1 })
  services.readClock = async () => {
    steady = 61_000
  }
  expect(await reconcile(services)).toBe(1)
  await asOwner(server, 'delete from message where run_id = $1', [run.id])
})

it('a machine that slept for two days reads the time before it sends, and keeps to today’s quiet hours', async () => {
  const open = weekday(dayIn('Australia/Melbourne', new Date(Date.now() - 2 * DAY_MS)))
  const week = Array.from({ length: 7 }, (_, index) => (index + 1 === open ? ([0, 1440] as const) : null))
  const world = await makeMessagingWorld(server, { week })
  const patients = await makePatients(server, world.locations[0]!.id, 2)
  const run = await makeRun(server, world, { patients, startsAt: new Date(Date.now() - 3 * DAY_MS) })
  let behind = 2 * DAY_MS
  const readClock = async () => {
    behind = 0
  }
  const now = () => new Date(Date.now() - behind)
  await sendAll({ ...server.services, sms: phones.gateway(), now, readClock })
  expect(await statesOf(server, run.id)).toEqual({ queued: 2 })
})

it('while the database is ten hours ahead of this machine nobody is texted, no run ends and no follow-up is decided; then all goes on', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2) })
  await asOwner(server, `update message_run set ends_at = now() + interval '9 hours' where id = $1`, [run.id])
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const ahead = 10 * 3_600_000
  const now = () => new Date(Date.now() + ahead)
  const wrong = { ...server.services, sms: phones.gateway(), log, now, clockSkew: () => -ahead }
  const unwritten = { run_id: run.id, company_id: world.company.id, country: 'AU' as const }
  await expect(turn(wrong)).rejects.toThrow('more than an hour apart')
  await expect(prepareRun.run(unwritten, wrong)).rejects.toThrow('more than an hour apart')
  const stops = [startSender(wrong), startSequences(wrong)]
  await sleep(1_500)
  await Promise.all(stops.map((stop) => stop()))
  expect(await statesOf(server, run.id)).toEqual({ queued: 2 })
  for (const what of ['sending messages', 'starting and ending runs', 'looking for due follow-ups'])
    expect(lines.join()).toContain(`"msg":"${what}"`)
  expect(await turn({ ...server.services, sms: phones.gateway(), clockSkew: () => 600_000 })).toBe('sent')
  expect(await statesOf(server, run.id)).toEqual({ sent: 2 })
})
