import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Services } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from '../inbound/events.ts'
import { openBatch } from '../sending/claim.queries.ts'
import { advanceRuns } from '../sending/lease.queries.ts'
import { recountQueued } from '../sending/recount.ts'
import { SENDER, startLanes } from '../sending/sender.ts'
import { endRun, resumeRun, stopRun } from './run-state.queries.ts'
import { endPreparing } from './run-write.queries.ts'

let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

const stateOf = async (runId: number) =>
  (await asOwner<{ state: string }>(server, 'select state from message_run where id = $1', [runId]))[0]!.state

/** Two pharmacies of 50 patients each with a campaign and its run. */
async function campaignRun() {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const patients = (await Promise.all(world.locations.map(({ id }) => makePatients(server, id, 50)))).flat()
  const locationIds = world.locations.map(({ id }) => id)
  const campaign = await makeCampaign(server, world.company.id, { locationIds })
  const run = await makeRun(server, world, { patients, campaignId: campaign.id })
  return { world, patients, campaign, run, locationIds }
}

describe('a run', () => {
  it('that has ended keeps no messages written meanwhile; one that was stopped does', async () => {
    const { world, run } = await campaignRun()
    const kept: Record<string, boolean> = {}
    for (const state of ['preparing', 'stopped', 'done', 'failed']) {
      await asOwner(server, 'update message_run set state = $2 where id = $1', [run.id, state])
      kept[state] = await world.inside((tx) => endPreparing(tx, run.id))
    }
    expect(kept).toEqual({ preparing: true, stopped: true, done: false, failed: false })
    expect(await stateOf(run.id)).toBe('failed')
  })

  it('stopped at 37% and resumed reaches everybody once', async () => {
    const { world, campaign, run, patients } = await campaignRun()
    await turn(services, { hand: 37 })
    const stopped = await world.inside((tx) => stopRun(tx, campaign.id, null, new Date()))
    expect(stopped).toEqual({ runId: run.id, left: 63 })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ queued: 63, sent: 37 })
    await advanceRuns(services.pools.system, new Date())
    expect(await stateOf(run.id)).toBe('stopped')
    expect(await world.inside((tx) => resumeRun(tx, campaign.id, null, new Date()))).toMatchObject({ left: 63 })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 100 })
    const numbers = new Set(patients.map((patient) => patient.sms_to))
    const texts = [...phones.accepted.values()].filter((text) => numbers.has(text.to))
    expect(new Set(texts.map((text) => text.to)).size).toBe(100)
    expect(texts).toHaveLength(100)
    await advanceRuns(services.pools.system, new Date())
    expect(await stateOf(run.id)).toBe('done')
    expect(await world.inside((tx) => stopRun(tx, campaign.id, null, new Date()))).toBeNull()
  })

  it('stopped everywhere and resumed at one pharmacy goes on there alone', async () => {
    const { world, campaign, run, locationIds } = await campaignRun()
    await world.inside((tx) => stopRun(tx, campaign.id, null, new Date()))
    const resumed = await world.inside((tx) => resumeRun(tx, campaign.id, [locationIds[0]!], new Date()))
    expect(resumed).toMatchObject({ left: 50 })
    await sendAll(services)
    const left = `select location_id, state from message where run_id = $1 group by 1, 2 order by state`
    expect(await asOwner(server, left, [run.id])).toEqual([
      { location_id: locationIds[1], state: 'queued' },
      { location_id: locationIds[0], state: 'sent' },
    ])
  })

  it('is stopped once the claim that is being made has ended: none commits afterwards', async () => {
    const { world, campaign, run, locationIds } = await campaignRun()
    const now = new Date()
    const [{ id } = { id: 0 }] = await asOwner<{ id: number }>(
      server,
      'select id from message_batch where run_id = $1 and location_id = $2',
      [run.id, locationIds[0]],
    )
    const place = { locationId: locationIds[0]!, companyId: world.company.id }
    const batch = { ...place, id, runId: run.id, channel: 'sms' as const, trace: null }
    const [claiming, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const claim = world.inside(async (tx) => {
      expect(await openBatch(tx, batch, now)).not.toBeNull()
      claiming.resolve()
      await commit.promise
    })
    await claiming.promise
    const stop = world.inside((tx) => stopRun(tx, campaign.id, null, now)).then(() => 'stopped')
    expect(await Promise.race([stop, wait(300, 'waits')])).toBe('waits')
    commit.resolve()
    await claim
    expect(await stop).toBe('stopped')
  })

  it('stops at one pharmacy only, and ends for good with its queued messages cancelled', async () => {
    const { world, campaign, run, locationIds } = await campaignRun()
    await world.inside((tx) => stopRun(tx, campaign.id, [locationIds[0]!], new Date()))
    await sendAll(services)
    await advanceRuns(services.pools.system, new Date())
    expect(await statesOf(server, run.id)).toEqual({ queued: 50, sent: 50 })
    expect(await stateOf(run.id)).toBe('sending')
    expect(await world.inside((tx) => endRun(tx, campaign.id, new Date()))).toEqual({ runId: run.id, kept: 50 })
    expect(await statesOf(server, run.id)).toEqual({ sent: 50, 'skipped stopped': 50 })
    expect(await stateOf(run.id)).toBe('done')
    await recountQueued(services)
    const rows = await asOwner(
      server,
      'select num_patients, num_sent, num_skipped, parts, cents from message_batch where run_id = $1 order by num_sent',
      [run.id],
    )
    expect(rows).toEqual([
      { num_patients: 50, num_sent: 0, num_skipped: 50, parts: 0, cents: 0 },
      { num_patients: 50, num_sent: 50, num_skipped: 0, parts: 50, cents: 600 },
    ])
  })

  it('cancels messages the gateway returns after the run has ended', async () => {
    const { world, campaign, run } = await campaignRun()
    const busy: FakePhones['send'] = async (messages) => {
      await world.inside((tx) => endRun(tx, campaign.id, new Date()))
      return messages.map(() => ({ kind: 'later', seconds: 0, reason: 'Busy' }))
    }
    const turning = { ...services, sms: { ...phones.gateway(), send: busy } }
    await turn(turning, { hand: 10 })
    expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': 100 })
    const rows = await asOwner(
      server,
      'select distinct cents, settled_at is not null as settled from message where run_id = $1',
      [run.id],
    )
    expect(rows).toEqual([{ cents: 0, settled: true }])
    const counted = await asOwner(server, 'select 1 from contact_history where company_id = $1 and sent <> $2', [
      ...[world.company.id, '{}'],
    ])
    expect(counted).toEqual([])
  })

  it('can be stopped while it is written, but only as a whole, and is written when it resumes', async () => {
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    const campaign = await makeCampaign(server, world.company.id, { locationIds: [place] })
    const run = await makeRun(server, world, { patients: [], campaignId: campaign.id, state: 'preparing' })
    const act = (does: typeof stopRun | typeof resumeRun, places: number[] | null) =>
      world.inside((tx) => does(tx, campaign.id, places, new Date()))
    for (const does of [stopRun, resumeRun]) await expect(act(does, [place])).rejects.toThrow('still being written')
    expect(await stateOf(run.id)).toBe('preparing')
    expect(await act(stopRun, null)).toEqual({ runId: run.id, left: 0 })
    await expect(act(resumeRun, [place])).rejects.toThrow('still being written')
    expect(await stateOf(run.id)).toBe('stopped')
    expect(await act(resumeRun, null)).toEqual({ runId: run.id, left: 0, unwritten: true })
    expect(await stateOf(run.id)).toBe('preparing')
  })

  it('stopped while it is written leaves nothing queued if it is ended, or stuck if it is resumed, at the last moment', async () => {
    const acts: Record<string, (tx: Tx, id: number, now: Date) => Promise<unknown>> = {
      ended: endRun,
      resumed: (tx, id, now) => resumeRun(tx, id, null, now),
    }
    const seen: Record<string, unknown> = {}
    for (const [name, act] of Object.entries(acts)) {
      const { world, campaign, run } = await campaignRun()
      await asOwner(server, `update message_run set state = 'stopped' where id = $1`, [run.id])
      // As left by its writer before the commit.
      const batches = [...run.batches.values()]
      await asOwner(server, 'update message_batch set run_id = -run_id where id = any($1)', [batches])
      const done = Promise.withResolvers<void>()
      await world.inside(async (tx) => {
        await sql`update message_batch set run_id = ${run.id} where id = any(${batches}::bigint[])`.execute(tx)
        expect(await endPreparing(tx, run.id)).toBe(true)
        void world.inside((other) => act(other, campaign.id, new Date())).then(() => done.resolve(), done.reject)
        await Promise.race([done.promise, wait(300)])
      })
      await done.promise
      seen[name] = [await stateOf(run.id), await statesOf(server, run.id)]
    }
    expect(seen).toEqual({ ended: ['done', { 'skipped stopped': 100 }], resumed: ['sending', { queued: 100 }] })
  })

  it('stays ended if it is stopped in the same moment', async () => {
    const { world, campaign, run } = await campaignRun()
    let stopping: Promise<unknown> | undefined
    await world.inside(async (tx) => {
      await endRun(tx, campaign.id, new Date())
      stopping = world.inside((other) => stopRun(other, campaign.id, null, new Date()))
      await untilWaiting(server)
    })
    expect([await stopping, await stateOf(run.id)]).toEqual([null, 'done'])
  })

  it('is unique however many activations come at once (T17, in the ledger)', async () => {
    const { world, campaign } = await campaignRun()
    await world.inside((tx) => endRun(tx, campaign.id, new Date()))
    const activate = () =>
      world.inside((tx) =>
        tx
          .insertInto('message_run')
          .values({
            uuid: uuidv7(),
            company_id: world.company.id,
            context: 'campaign',
            campaign_id: campaign.id,
            state: 'preparing',
            starts_at: new Date(),
          })
          .execute(),
      )
    const made = await Promise.allSettled(Array.from({ length: 50 }, activate))
    expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  })

  it('claims nothing after a STOP or a stopped run has committed (T18)', { timeout: 600_000 }, async () => {
    const count = DEEP ? 2000 : 100
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    const patients = await makePatients(server, place, count)
    const campaign = await makeCampaign(server, world.company.id, { locationIds: [place] })
    const run = await makeRun(server, world, { patients, campaignId: campaign.id })
    // Slow enough that the stops come in the middle.
    const slow = { ...services, sms: phones.gateway(DEEP ? 150 : 60) }
    const stop = startLanes(slow, { ...SENDER, lanes: 4, hand: 7, idleMs: 5 })
    const stopped: number[] = []
    const stateOfPatient = (id: number) =>
      asOwner<{ state: string }>(server, 'select state from message where run_id = $1 and patient_id = $2', [
        run.id,
        id,
      ])
    const shuffled = [...patients].sort((a, b) => (a.sms_to! < b.sms_to! ? 1 : -1))
    for (const [at, patient] of shuffled.slice(0, count / 2).entries()) {
      const event = {
        kind: 'reply' as const,
        from: patient.sms_to!,
        to: '+61400000000',
        text: [' stop', 'S T O P', 'Quit!'][at % 3]!,
      }
      await asOwner(server, 'update location set sms_sender = $1 where id = $2', ['+61400000000', place])
      const copies = [0, 1].map((copy) => ({ ...event, id: `mid-${patient.id}-${copy}`, at: new Date().toISOString() }))
      await insertGatewayEvents(services.pools.system, services.keys, 'fake', copies)
      while ((await processEvents(services)) > 0);
      const [{ state } = { state: '' }] = await stateOfPatient(patient.id)
      expect(state).not.toBe('queued')
      if (state === 'skipped') stopped.push(patient.id)
    }
    await world.inside((tx) => stopRun(tx, campaign.id, null, new Date()))
    const queued = (await statesOf(server, run.id)).queued ?? 0
    await wait(300)
    await stop()
    const after = await statesOf(server, run.id)
    expect(after.queued ?? 0).toBe(queued)
    expect(stopped.length).toBeGreaterThan(0)
    expect(after['skipped opted_out']).toBe(stopped.length)
    const references = await asOwner<{ id: number }>(
      server,
      `select id from message where run_id = $1 and state = 'skipped'`,
      [run.id],
    )
    const ids = new Set(references.map((row) => row.id))
    const handed = [...phones.tries.keys()].filter((one) =>
      one.startsWith(`p${run.uuid.replaceAll('-', '').slice(0, 12)}-`),
    )
    expect(handed.filter((one) => ids.has(Number(one.split('-')[2])))).toEqual([])
    // Activated after their STOP by someone who did not know.
    const again = await makeRun(server, world, { patients: patients.filter((patient) => stopped.includes(patient.id)) })
    await sendAll(services)
    expect(await statesOf(server, again.id)).toEqual({ 'skipped opted_out': stopped.length })
  })
})
