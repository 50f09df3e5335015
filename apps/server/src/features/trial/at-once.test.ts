import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRunningTrial } from '../../../test/trial.ts'
import { moveParticipant } from './participant.queries.ts'
import { carryOutStatus } from './trial-status.jobs.ts'

const { editActiveStatus } = contract.clinicalTrial
let server: TestServer
let support: Support
let world: MessagingWorld
let patients: TestPatient[]

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
  patients = await makePatients(server, world.locations[0]!.id, 3)
})
afterAll(() => server.close())

it('two patients of a pharmacy who sign up at the same moment are both counted and paid for', async () => {
  const { id: trialId } = await makeRunningTrial(server, support, { rebate_type: 'refer' })
  const locationId = world.locations[0]!.id
  await asOwner(
    server,
    `insert into trial_participant (location_id, trial_id, patient_id, uuid, state, eligible_at)
     select $1, $2, p, gen_random_uuid(), 'eligible', now() from unnest($3::bigint[]) p`,
    [locationId, trialId, patients.map(({ id }) => id)],
  )
  const refer = (patientId: number, meanwhile = async () => {}) =>
    world.inside(async (tx) => {
      await moveParticipant(tx, { locationId, trialId, patientId }, 'referred', { loginId: null, now: new Date() })
      await meanwhile()
    })
  const [a, b, c] = patients.map(({ id }) => id) as [number, number, number]
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  /** The second is at it before the first has ended. */
  const together = async (one: number, other: number) => {
    let second: Promise<void> | undefined
    await refer(one, async () => {
      second = refer(other)
      await expect.poll(async () => (await asOwner(server, waiting)).length).toBe(1)
    })
    await second
  }
  await together(a, b)
  const counts = () =>
    asOwner(
      server,
      `select total_referred as referred, rebate_cents::int as cents, (select sum(cents)::int from trial_rebate where trial_id = $1) as owed
       from trial_location where trial_id = $1`,
      [trialId],
    )
  expect(await counts()).toEqual([{ referred: 2, cents: 4000, owed: 4000 }])
  await refer(c)
  expect(await counts()).toEqual([{ referred: 3, cents: 6000, owed: 6000 }])
})

it('invitations written after a trial was switched on again are not cancelled by a late deactivation', async () => {
  const { trial_id, id } = await makeRunningTrial(server, support)
  const invite = async () => {
    const run = await makeRun(server, world, { patients, kind: 'trial', context: 'trial' })
    await asOwner(server, 'update message_run set trial_id = $2, created_at = $3 where id = $1', [
      ...[run.id, id, server.services.now()],
    ])
    return run
  }
  const before = await invite()
  await support.ask(editActiveStatus, { trial_id, active: false, cancel_messages: true })
  await support.ask(editActiveStatus, { trial_id, active: true })
  const after = await invite()
  const changes = await asOwner<{ id: number }>(
    server,
    'select id from trial_status_change where trial_id = $1 and done_at is null order by id',
    [id],
  )
  // As after an hour without the database: the job of the deactivation runs only now.
  for (const change of changes) await carryOutStatus.run({ change_id: Number(change.id) }, server.services)
  expect(await statesOf(server, before.id)).toEqual({ 'skipped stopped': 3 })
  expect(await statesOf(server, after.id)).toEqual({ queued: 3 })
})
