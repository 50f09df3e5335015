import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestRun,
} from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Tx } from '../../db/database.ts'
import { lockConsent } from '../consent/consent-log.queries.ts'
import { lockRun } from '../run/run-state.queries.ts'
import { claimMessages } from './claim.ts'
import { lockHistory } from './history.queries.ts'
import { type LeasedBatch, leaseBatch, returnLease } from './lease.queries.ts'
import { takeLost } from './reconcile.queries.ts'
import { reconcile } from './reconcile.ts'

const WORKER = randomUUID()

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
// What an earlier test left would be leased first.
beforeEach(() => asOwner(server, 'update message_batch set next_at = null'))

interface Leased {
  world: MessagingWorld
  run: TestRun
  batch: LeasedBatch
  /** The first one's number, as stored. */
  contact: string
}

/** A run of two texts whose batch a worker has just leased. */
async function leased(): Promise<Leased> {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 2)
  const run = await makeRun(server, world, { patients })
  const batch = await leaseBatch(server.services.pools.system, 'sms', WORKER, server.services.now())
  expect(batch?.runId).toBe(run.id)
  return { world, run, batch: batch!, contact: await storedAs(server, patients[0]!.sms_to!) }
}

const claim = (batch: LeasedBatch, count = 10) => claimMessages(server.services, batch, WORKER, count, 60)

it.each([
  ['its run is stopped', `update message_run set state = 'stopped' where id = $1`],
  ['its run is over', `update message_run set state = 'done' where id = $1`],
  ['its batch is stopped', 'update message_batch set stopped_at = now() where run_id = $1'],
  ['its run is put off', `update message_run set starts_at = now() + interval '1 hour' where id = $1`],
])('a batch claims nothing when %s between lease and claim', async (_, change) => {
  const { run, batch } = await leased()
  await asOwner(server, change, [run.id])
  expect(await claim(batch)).toBeNull()
  expect(await statesOf(server, run.id)).toEqual({ queued: 2 })
})

it('a batch that nobody stopped claims everything due', async () => {
  const { run, batch } = await leased()
  expect((await claim(batch))?.messages).toHaveLength(2)
  expect(await statesOf(server, run.id)).toEqual({ sending: 2 })
})

/** A claim that has read everything that may forbid a message, and commits only once `work` is done. @returns what it claimed */
async function whileClaiming(work: (at: Leased) => Promise<unknown>) {
  const at = await leased()
  let claimed: ReturnType<typeof claim> | undefined
  const hold = (tx: Tx) => lockHistory(tx, server.services.keys, at.batch.companyId, [at.contact])
  // The number was texted before: otherwise the claim would wait to add its row, and not for the lock.
  await at.world.inside(hold)
  await at.world.inside(async (tx) => {
    await hold(tx)
    claimed = claim(at.batch)
    await untilWaiting(server)
    await work(at)
  })
  return claimed
}

const waits = () => untilWaiting(server, 2).then(() => 'waits')

it.each<[string, (tx: Tx, batch: LeasedBatch) => Promise<void>]>([
  ['stopping its run', (tx, { runId }) => lockRun(tx, runId)],
  ['a STOP', (tx, { locationId }) => lockConsent(tx, locationId)],
])('%s waits until a claim in progress has committed', async (_, stop) => {
  let stopped: Promise<void> | undefined
  const claimed = await whileClaiming(async ({ world, batch }) => {
    stopped = world.inside((tx) => stop(tx, batch))
    expect(await Promise.race([stopped, waits()])).toBe('waits')
  })
  await stopped
  expect(claimed?.messages).toHaveLength(2)
})

it('another claim of the same batch leaves alone what a claim in progress takes', async () => {
  let other: ReturnType<typeof claim> | undefined
  const claimed = await whileClaiming(async ({ batch }) => {
    other = claim(batch)
    await Promise.race([other, waits()])
  })
  expect(claimed?.messages).toHaveLength(2)
  expect((await other)?.messages).toEqual([])
})

it('a claim that waits for a stop of its run claims nothing', async () => {
  const { world, run, batch } = await leased()
  let claimed: Promise<unknown> | undefined
  await world.inside(async (tx) => {
    await lockRun(tx, run.id)
    claimed = claim(batch)
    await untilWaiting(server)
    await tx.updateTable('message_run').set({ state: 'stopped' }).where('id', '=', run.id).execute()
  })
  expect(await claimed).toBeNull()
})

it('the message that has waited longest is claimed first', async () => {
  const { run, batch } = await leased()
  const last = `update message set planned_at = planned_at - interval '1 hour' where id = (select max(id) from message where run_id = $1) returning id`
  const [longest] = await asOwner<{ id: number }>(server, last, [run.id])
  expect((await claim(batch, 1))?.messages.map(({ id }) => id)).toEqual([longest!.id])
})

it('a text waits while a new number from the pharmacy has not been processed yet', async () => {
  const { run, batch } = await leased()
  // The state between an upload and its follow-up job, which may have to wait for other uploads.
  await asOwner(
    server,
    `update patient set contact_source = '0491 570 999' || chr(31)
     where (location_id, id) = (select location_id, patient_id from message where run_id = $1 order by id limit 1)`,
    [run.id],
  )
  expect((await claim(batch))?.messages).toHaveLength(1)
  expect(await statesOf(server, run.id)).toEqual({ queued: 1, sending: 1 })
  const waits = `select planned_at > now() + interval '50 seconds' as later from message where run_id = $1 and state = 'queued'`
  expect(await asOwner(server, waits, [run.id])).toEqual([{ later: true }])
})

it.each(['sms', 'email'] as const)(
  'the dispensing system’s opt-out from %s holds a message back until it is in the log, which decides from then on',
  async (channel) => {
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    const patients = await makePatients(server, place, 3, (at) => (at === 0 ? {} : { [`${channel}_opt_out`]: true }))
    // The third agreed again after that was recorded.
    await asOwner(
      server,
      `insert into consent (location_id, patient_id, imported_${channel}_opt_out, ${channel}_health_outreach, updated_at)
       values ($1, $2, true, 'in', now())`,
      [place, patients[2]!.id],
    )
    const run = await makeRun(server, world, { patients, channel })
    const batch = await leaseBatch(server.services.pools.system, channel, WORKER, server.services.now())
    expect((await claim(batch!))?.messages.map(({ patientId }) => patientId)).toEqual([
      patients[0]!.id,
      patients[2]!.id,
    ])
    expect(await statesOf(server, run.id)).toEqual({ sending: 2, 'skipped opted_out': 1 })
  },
)

it('nobody asks the gateway about a message in progress: it could not know it yet, and the message would leave again', async () => {
  const { run, batch } = await leased()
  await claim(batch)
  expect(await reconcile(server.services)).toBe(0)
  expect(await statesOf(server, run.id)).toEqual({ sending: 2 })
})

it('two workers do not ask about the same message at once: the second answer would release it while it is handed over again', async () => {
  const { world, batch } = await leased()
  await claim(batch)
  await asOwner(server, `update message set lease_until = now() - interval '1 second' where batch_id = $1`, [batch.id])
  const take = (tx: Tx) => takeLost(tx, server.services.keys, batch.locationId, 10)
  await world.inside(async (tx) => {
    expect(await take(tx)).toHaveLength(2)
    expect(await world.inside(take)).toEqual([])
  })
})

it('a worker that stops gives back its own lease, and none that another has taken since', async () => {
  const { batch } = await leased()
  const holderAfter = async (stopping: string) => {
    await returnLease(server.services.pools.system, batch, stopping)
    const [row] = await asOwner<{ leased_by: string | null }>(
      server,
      'select leased_by from message_batch where id = $1',
      [batch.id],
    )
    return row?.leased_by
  }
  expect([await holderAfter(randomUUID()), await holderAfter(WORKER)]).toEqual([WORKER, null])
})
