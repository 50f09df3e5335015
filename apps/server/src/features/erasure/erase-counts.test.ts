import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, type TestPatient } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'
import {
  afterUploadOf,
  decisionsOf,
  makeSequence,
  newMedicine,
  setClock,
  tickAt,
  timeLine,
} from '../../../test/world/sequence-world.ts'

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

async function erase(world: MessagingWorld, { id }: TestPatient): Promise<void> {
  const [row] = await asOwner<{ number: string }>(server, 'select source_id as number from patient where id = $1', [id])
  const { status } = await support.ask(contract.erasure.erasePatient, {
    ...{ id: world.company.uuid, location_id: world.locations[0]!.uuid, number: row!.number, last_name: 'Moran' },
    reason: 'Asked in writing',
  })
  expect(status).toBe(200)
}

it('an erased patient who signed up for a trial counts as withdrawn, for support and for the recruiter', async () => {
  const world = await makeMessagingWorld(server)
  const trial = await makeRunningTrial(server, support)
  const recruiter = await makeRecruiterLogin(server, trial.recruiterId)
  const people = []
  for (let n = 0; n < 4; n++) people.push(await referredPatient(server, world, trial.id))
  const [withdrawn, erased, enrolled] = people
  const joined = { consent_id: enrolled!.consent_id, enrolled: true, recruiter_contacted: true }
  await recruiter.ask(contract.referral.edit, joined)
  await server.call(`/api/consent/${withdrawn!.withdraw_id}/withdraw`, {})
  await erase(world, erased!.patient)
  const seen = async () => (await recruiter.ask(contract.referral.summary, {})).body
  const totals = async () => (await support.ask(contract.clinicalTrial.info, { trial_id: trial.trial_id })).body.totals
  expect(await seen()).toMatchObject({ total_referred: 2, total_enrolled: 1, total_withdrawn: 2 })
  expect(await totals()).toMatchObject({ total_referred: 4, total_enrolled: 1, total_optout: 2, rebate: 80 })
  // A patient who has joined the study stays in its count, as after withdrawing through their own link.
  await erase(world, enrolled!.patient)
  expect(await seen()).toMatchObject({ total_referred: 1, total_enrolled: 0, total_withdrawn: 3, rebate: 20 })
  expect(await totals()).toMatchObject({ total_referred: 4, total_enrolled: 1, total_optout: 2, rebate: 80 })
  const history = await asOwner<{ patient_id: number; event: string }>(
    server,
    `select patient_id, event from trial_event where event in ('opted_out', 'withdrawn') order by id`,
  )
  const out = (who: TestPatient, ...events: string[]) => events.map((event) => ({ patient_id: who.id, event }))
  expect(history).toEqual([
    ...out(withdrawn!.patient, 'opted_out', 'withdrawn'),
    ...out(erased!.patient, 'opted_out', 'withdrawn'),
    ...out(enrolled!.patient, 'withdrawn'),
  ])
})

it('a patient erased part-way through a sequence has not completed it: the rest is skipped as it comes due', async () => {
  const { world, patients } = await newMedicine(server, 2)
  const id = await makeSequence(server, world, [3, 23])
  await afterUploadOf(server, world)
  expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(2)
  await erase(world, patients[0]!)
  const [first, second] = (await timeLine(server, world, id)).steps
  expect(first).toMatchObject({ queued: 1, skipped: 1, reasons: [{ reason: 'opted_out', count: 1 }] })
  expect(second).toMatchObject({ waiting: 2, next: 2, added_later: 0 })
  expect(await timeLine(server, world, id)).toMatchObject({ started: 2, in_progress: 2, completed: 0 })
  setClock(server, '2026-08-20T10:00:00Z')
  await afterUploadOf(server, world)
  expect(await tickAt(server, '2026-08-24T00:10:00Z')).toBe(1)
  expect((await decisionsOf(server, id)).slice(2)).toEqual(['2: no_consent', '2: sms queued'])
  expect(await timeLine(server, world, id)).toMatchObject({ in_progress: 0, completed: 2 })
})
