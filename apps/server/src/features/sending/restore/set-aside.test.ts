import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { storedAs } from '../../../../test/field/contacts.ts'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../../test/messaging.ts'
import { FakePhones } from '../../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import type { Services } from '../../../api/context.ts'
import { openQueue } from '../../../api/queue.ts'
import type { Database } from '../../../db/database.ts'
import { startSender } from '../../messaging.jobs.ts'
import { endRun } from '../../run/run-state.queries.ts'
import { advanceRuns } from '../lease.queries.ts'
import { REASON, refuseHalfSetAside, setAside } from './set-aside.ts'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)

let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

const TABLES = ['message_run', 'message_batch', 'message', 'contact_history'] as const

/** Copies the tables of sending; the returned function puts them back, as restoring a backup does. */
async function backup(): Promise<() => Promise<void>> {
  for (const table of TABLES) await asOwner(server, `create table kept_${table} as table ${table}`)
  return async () => {
    for (const table of TABLES) {
      await asOwner(server, `delete from ${table}`)
      await asOwner(server, `insert into ${table} overriding system value table kept_${table}`)
      await asOwner(server, `drop table kept_${table}`)
    }
  }
}

/** Lets a sender work until this holds. */
async function work(done: () => Promise<boolean>): Promise<void> {
  const stop = startSender(services, { idleMs: 20, runsMs: 50, reconcileMs: 50, recountMs: 50 })
  try {
    await expect.poll(done, { timeout: 30_000 }).toBe(true)
  } finally {
    await stop()
  }
}

/** Look-ups begin after 15 s, too long to wait for in a test. */
const askNow = () =>
  asOwner(server, `update message set lease_until = now() - interval '1 second' where state in ('sending', 'unknown')`)

describe('after a restore', () => {
  it('no text that was sent after the backup is sent again, and one the gateway never had is sent', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const [here, there] = world.locations
    const patients = [...(await makePatients(server, here!.id, 5)), ...(await makePatients(server, there!.id, 3))]
    const campaign = await makeCampaign(server, world.company.id, { name: 'Repeats' })
    const run = await makeRun(server, world, { patients, campaignId: campaign.id, startsAt: ago(2) })
    const later = await makeRun(server, world, {
      patients: patients.slice(0, 2),
      startsAt: new Date(Date.now() + HOUR),
    })
    await asOwner(
      server,
      `update message set state = 'sending', gateway = 'fake', attempts = 1, lease_until = now() where run_id = $1 and patient_id = $2`,
      [run.id, patients[0]!.id],
    )
    const restore = await backup()
    // Pillar continues after the backup and sends all but one, which was still waiting when the disk was lost.
    await asOwner(
      server,
      `update message set planned_at = now() + interval '1 hour' where run_id = $1 and patient_id = $2`,
      [run.id, patients[7]!.id],
    )
    await askNow()
    phones.exact = true
    await work(async () => ((await statesOf(server, run.id)).sent ?? 0) === 7)
    expect(phones.accepted.size).toBe(7)
    await restore()
    const since = ago(1)
    // An earlier restore has its own gap.
    await asOwner(server, 'insert into restore_gap (since, until) values ($1, $2)', [ago(90), ago(89)])

    const done = await setAside(services, since)
    expect(done.messages.map(({ messages, run: name, pharmacy }) => [messages, name, pharmacy])).toEqual([
      [5, 'the campaign "Repeats"', here!.name],
      [3, 'the campaign "Repeats"', there!.name],
    ])
    expect(await statesOf(server, run.id)).toEqual({ unknown: 8 })
    expect(await asOwner(server, 'select distinct reason from message where run_id = $1', [run.id])).toEqual([
      { reason: REASON },
    ])
    expect(await statesOf(server, later.id)).toEqual({ queued: 2 })
    const counted = await asOwner<{ n: number }>(server, 'select sum(cardinality(sent))::int as n from contact_history')
    expect(counted[0]!.n).toBeGreaterThanOrEqual(2 * 7)
    const again = await setAside(services, since)
    expect([again.gap.known, again.messages, again.gap.until]).toEqual([true, [], done.gap.until])

    await askNow()
    await work(async () => ((await statesOf(server, run.id)).sent ?? 0) === 8)
    expect(await statesOf(server, run.id)).toEqual({ sent: 8 })
    expect(phones.accepted.size).toBe(8)
    expect(phones.repeats).toEqual([])
    const audit = await asOwner<{ company_id: number | null; detail: { messages: number } }>(
      server,
      `select company_id, detail from audit where action = 'restore.setAside' order by id`,
    )
    expect(audit.map((row) => [row.company_id, row.detail.messages])).toEqual([
      [world.company.id, 5],
      [world.company.id, 3],
      [null, 8],
    ])
  })

  it('texts planned for later, sent early because the hours were changed since, are not sent again if the operator says so', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 3)
    const run = await makeRun(server, world, { patients, startsAt: ago(2) })
    const tomorrow = new Date(Date.now() + 12 * HOUR)
    await asOwner(server, 'update message set planned_at = $2 where run_id = $1', [run.id, tomorrow])
    const restore = await backup()
    // The sending hours are changed, and one is sent at once.
    await asOwner(server, 'update message set planned_at = now() where run_id = $1 and patient_id = $2', [
      ...[run.id, patients[0]!.id],
    ])
    await asOwner(server, 'update message_batch set next_at = now() where run_id = $1', [run.id])
    const before = phones.accepted.size
    await work(async () => (await statesOf(server, run.id)).sent === 1)
    await restore()
    const since = ago(1)

    const done = await setAside(services, since)
    expect([done.messages, done.later]).toEqual([[], 3])
    expect(await statesOf(server, run.id)).toEqual({ queued: 3 })
    const all = await setAside(services, since, true)
    expect([all.messages.map(({ messages }) => messages), all.later, all.gap.until]).toEqual([[3], 0, done.gap.until])
    // Counted from the earliest moment at which they can have been sent, not from tomorrow.
    const planned = 'select distinct planned_at as at from message where run_id = $1'
    expect(await asOwner(server, planned, [run.id])).toEqual([{ at: since }])

    await askNow()
    await work(async () => (await statesOf(server, run.id)).sent === 3)
    expect([phones.accepted.size - before, phones.repeats]).toEqual([3, []])
  })

  it('waiting texts count towards the frequency limit from when they can have been sent; claimed ones and tests do not count again', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 4)
    const run = await makeRun(server, world, { patients: patients.slice(0, 3), startsAt: ago(3) })
    const test = await makeRun(server, world, { patients: patients.slice(3), startsAt: ago(3) })
    await asOwner(server, 'update message_run set test = true where id = $1', [test.id])
    const change = (at: number, set: string, values: unknown[]) =>
      asOwner(server, `update message set ${set} where run_id = $1 and patient_id = $2`, [
        ...[run.id, patients[at]!.id],
        ...values,
      ])
    const [since, planned] = [ago(1), ago(0.5)]
    await change(1, 'planned_at = $3', [planned])
    await change(2, `state = 'sending', gateway = 'the one before', attempts = 1, lease_until = now()`, [])
    await setAside(services, since)
    const counted = async (patient: { sms_to: string | null }) => {
      const rows = await asOwner<{ sent: Date[] }>(
        server,
        'select sent from contact_history where company_id = $1 and contact = $2',
        [world.company.id, await storedAs(server, patient.sms_to)],
      )
      return rows.flatMap(({ sent }) => sent)
    }
    expect(await Promise.all(patients.map(counted))).toEqual([[since], [planned], [], []])
    const rows = 'select attempts, gateway from message where run_id = $1 order by patient_id'
    expect(await asOwner(server, rows, [run.id])).toEqual([
      { attempts: 1, gateway: 'fake' },
      { attempts: 1, gateway: 'fake' },
      { attempts: 1, gateway: 'the one before' },
    ])
  })

  it('a text stays unknown if the gateway cannot say whether it has it', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const run = await makeRun(server, world, { patients, startsAt: ago(2) })
    await setAside(services, ago(1.5))
    phones.exact = false
    const tries = phones.tries.size
    await askNow()
    await work(async () =>
      phones.asked.has(
        `p${run.uuid.replaceAll('-', '').slice(0, 12)}-${world.locations[0]!.id}-${(await asOwner<{ id: number }>(server, 'select max(id) as id from message where run_id = $1', [run.id]))[0]!.id}`,
      ),
    )
    await advanceRuns(services.pools.system, services.now())
    await sendAll(services)
    expect([await statesOf(server, run.id), phones.tries.size]).toEqual([{ unknown: 2 }, tries])
  })

  it('a campaign whose messages were not written is ended with a note, and one that begins later stays', async () => {
    const world = await makeMessagingWorld(server)
    const [first, second] = [
      await makeCampaign(server, world.company.id, { name: 'Now' }),
      await makeCampaign(server, world.company.id),
    ]
    const before = await makeRun(server, world, {
      patients: [],
      campaignId: first.id,
      state: 'preparing',
      startsAt: ago(1),
    })
    const later = await makeRun(server, world, {
      patients: [],
      campaignId: second.id,
      state: 'preparing',
      startsAt: new Date(Date.now() + HOUR),
    })
    expect((await setAside(services, ago(3))).runs).toEqual(['Now'])
    const rows = await asOwner(server, 'select id, state, note from message_run where id = any($1) order by id', [
      [before.id, later.id],
    ])
    expect(rows).toEqual([
      {
        id: before.id,
        state: 'failed',
        note: expect.stringContaining('Ask the gateway before you activate it again.'),
      },
      { id: later.id, state: 'preparing', note: '' },
    ])
  })

  it('a campaign deactivated and activated again since then texts nobody twice, if it is deactivated before workers start', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 3)
    const { id: campaignId } = await makeCampaign(server, world.company.id, { name: 'Again' })
    const run = await makeRun(server, world, { patients, campaignId, startsAt: ago(2) })
    const deactivate = () => world.inside((tx) => endRun(tx, campaignId, new Date()))
    const restore = await backup()
    await deactivate()
    const again = await makeRun(server, world, { patients, campaignId, startsAt: ago(1) })
    phones.exact = true
    await work(async () => ((await statesOf(server, again.id)).sent ?? 0) === 3)
    const numbers = new Set(patients.map(({ sms_to }) => sms_to))
    const texts = () => [...phones.accepted.values()].filter(({ to }) => numbers.has(to)).length
    expect(texts()).toBe(3)
    await restore()

    await setAside(services, ago(1))
    await deactivate()
    await askNow()
    await work(async () => (await statesOf(server, run.id))['skipped stopped'] === 3)
    expect(texts()).toBe(3)
  })

  it('no worker starts if setting aside was interrupted, until it has been done to the end for that moment', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const run = await makeRun(server, world, { patients, startsAt: ago(2) })
    const { pools } = services
    const transaction = () => {
      throw new Error('killed')
    }
    const killed = { ...services, pools: { ...pools, app: { transaction } as unknown as Database } }
    const since = ago(3)
    await expect(setAside(killed, since)).rejects.toThrow('killed')
    expect(await statesOf(server, run.id)).toEqual({ queued: 2 })
    await expect(refuseHalfSetAside(pools.system)).rejects.toThrow(`--since "${since.toISOString()}"`)
    await setAside(services, ago(1))
    await expect(refuseHalfSetAside(pools.system)).rejects.toThrow(`--since "${since.toISOString()}"`)
    await setAside(services, since)
    expect(await statesOf(server, run.id)).toEqual({ unknown: 2 })
    await refuseHalfSetAside(pools.system)
  })

  it('is refused while a worker runs, and for a moment in the future', async () => {
    const refused = /Workers of Pillar run and may be sending\. Stop each process/
    const worker = await openQueue(server.servingUrl, [], server.services.log, true)
    await expect(setAside(services, ago(4))).rejects.toThrow(refused)
    await worker.stop()
    await expect(setAside(services, new Date(Date.now() + HOUR))).rejects.toThrow('--since is not in the past')
    // The database notices a moment later that the worker has gone.
    const { gap } = await vi.waitFor(() => setAside(services, ago(4)), 10_000)
    expect(gap.known).toBe(false)
  })
})
