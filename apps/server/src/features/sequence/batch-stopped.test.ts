import { setTimeout as wait } from 'node:timers/promises'
import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, statesOf } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { multiply, sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { afterUploadOf, dispense, makeSequence, newMedicine, tickAt } from '../../../test/world/sequence-world.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { skipCancelled } from '../run/cancel/skip-cancelled.ts'
import { type FoundBatch, stopBatch } from '../run/run-admin.queries.ts'
import { insertMessages } from '../run/run-write.queries.ts'
import { tryLockSequences } from './enrolment.queries.ts'
import { batchOf, spentCents, wakeBatch } from './run.queries.ts'
import { setSequenceActive } from './sequence-state.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('stopping a batch while a follow-up is added to it also cancels that message', async () => {
  const { world, place, patients } = await newMedicine(server, 2)
  await makeSequence(server, world, [3])
  await afterUploadOf(server, world)
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(2)
  const [batch] = await asOwner<
    FoundBatch & { template_id: number; template_name: string; body: string; message_kind: 'marketing' }
  >(server, 'select b.*, null as campaign_id from message_batch b where location_id = $1', [place])
  const [message] = await asOwner<{ contact: string }>(
    server,
    'delete from message where location_id = $1 and patient_id = $2 returning contact',
    [place, patients[1]!.id],
  )
  const now = server.services.now()
  let stopped: Promise<unknown> | undefined
  const { template_id, template_name, body, message_kind, run_id } = batch!
  const text = {
    id: template_id,
    uuid: '',
    name: template_name,
    subject: null,
    sms_template: true,
    email_template: false,
    body,
    message_kind,
  }
  const ask = { runId: run_id, companyId: world.company.id, locationId: place, text, smsSender: null, now }
  const batchNow = (tx: Tx) => batchOf(tx, { ...ask, channel: 'sms' })
  await world.inside(async (tx) => {
    const id = await batchNow(tx)
    expect(Number(id)).toBe(Number(batch!.id))
    stopped = inScope(server.services.pools.app, world.scope, (other) => stopBatch(other, batch!, now))
    await Promise.race([stopped, wait(500)])
    const row = {
      batchId: id,
      patientId: patients[1]!.id,
      channel: 'sms' as const,
      reason: null,
      contact: message!.contact,
      subject: null,
    }
    const cost = { parts: 1, cents: 12, fake: false, rule: null, entryId: null }
    await insertMessages(tx, { locationId: place, runId: run_id, plannedAt: now, now }, [
      { ...row, ...cost, body: 'Hi' },
    ])
    await wakeBatch(tx, place, id, now)
  })
  await stopped
  const states =
    'select state, reason, (select next_at from message_batch where location_id = $1) as next_at from message where location_id = $1'
  const cancelled = { state: 'skipped', reason: 'stopped', next_at: null }
  expect(await asOwner(server, states, [place])).toEqual([cancelled, cancelled])
  // The next one is not added to what nobody sends any more.
  expect(Number(await world.inside(batchNow))).not.toBe(Number(batch!.id))
})

it('switching a sequence off waits for follow-ups that are being decided', async () => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!.id
  let off: Promise<number> | undefined
  await world.inside(async (tx) => {
    expect(await tryLockSequences(tx, place)).toBe(true)
    off = world.inside((other) => setSequenceActive(other, place, 1, false, server.services.now()))
    expect(await Promise.race([off, untilWaiting(server).then(() => 'waits')])).toBe('waits')
  })
  expect(await off).toBe(0)
})

it('somebody who has just collected the medicine gets no reminder, although the work after the upload is not done yet', async () => {
  const { world, place, patients, fresh } = await newMedicine(server, 2)
  await makeSequence(server, world, [3])
  await afterUploadOf(server, world)
  await dispense(server, place, [{ patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-03' }])
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
})

it('a large sequence is switched off at once, and stays off when it is switched on again', async () => {
  const { world, place } = await newMedicine(server, 1)
  const id = await makeSequence(server, world, [3])
  await afterUploadOf(server, world)
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
  const [run] = await asOwner<{ id: number }>(server, 'select id from message_run where sequence_id = $1', [id])
  const all = MOST_MOVED + 1
  await multiply(server, run!, all)
  const now = server.services.now()
  expect(await world.inside((tx) => setSequenceActive(tx, place, id, false, now))).toBe(all)
  expect(await statesOf(server, run!.id)).toEqual({ queued: all })
  // What it can no longer send does not use up its budget.
  expect([...(await world.inside((tx) => spentCents(tx, place, [id])))]).toEqual([])
  await world.inside((tx) => setSequenceActive(tx, place, id, true, now))
  await tickAt(server, '2026-08-04T00:20:00Z')
  await sendAll(server.services)
  expect(await statesOf(server, run!.id)).toEqual({ queued: all })
  while (await skipCancelled(server.services));
  expect(await statesOf(server, run!.id)).toEqual({ 'skipped stopped': all })
})

it('somebody starts a sequence again after 90 days, and what a gateway has or may have sent uses up its budget', async () => {
  const { world, place, patients, fresh } = await newMedicine(server, 2)
  const id = await makeSequence(server, world, [3])
  // Counted back from 1 August, 90 and 89 days.
  for (const [at, day] of ['2026-05-03', '2026-05-04'].entries())
    await asOwner(
      server,
      `insert into enrolment (location_id, sequence_id, patient_id, molecule_id, event_day, enrolled_at) values ($1, $2, $3, $4, $5, now())`,
      [place, id, patients[at]!.id, fresh.moleculeId, day],
    )
  expect(await afterUploadOf(server, world)).toBe(1)
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(1)
  const message = `update message set state = 'unknown' where location_id = $1 returning patient_id`
  expect(await asOwner(server, message, [place])).toEqual([{ patient_id: patients[0]!.id }])
  const spent = async () => [...(await world.inside((tx) => spentCents(tx, place, [id])))]
  expect(await spent()).toEqual([[id, 12]])
  await asOwner(server, `update message set state = 'delivered', sent_at = now() where location_id = $1`, [place])
  expect(await spent()).toEqual([[id, 12]])
})
