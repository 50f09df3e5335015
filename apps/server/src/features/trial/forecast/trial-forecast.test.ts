import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onLastConnection } from '../../../../test/last-connection.ts'
import { freshMobile, type MessagingWorld, makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner, fresh } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { makeRunningTrial } from '../../../../test/trial.ts'
import { addPeople, person } from '../../../../test/world/cohort-world.ts'
import { cancelInvitations } from '../change/trial-status.queries.ts'
import { inviteTrial } from '../invite.jobs.ts'
import { countTrials } from '../trial-count.jobs.ts'
import { forecastInvitations } from './trial-forecast.jobs.ts'
import { COUNTED_AT_ONCE } from './trial-forecast.ts'

const { forecast } = contract.trialInvite
let server: TestServer
let support: Support
let world: MessagingWorld
let trial: { id: number; trial_id: string }
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
  const old = () => person({ born: '1950-05-05', sms_to: freshMobile() })
  await addPeople(server, world, [old(), old()])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const text = { name: fresh('Invitation'), body: '{Pharmacy Name}: {Consent ID}', communication_type: 'sms' as const }
  const made = await support.ask(contract.templateAdmin.createGlobal, text)
  const draft = { filters: { age: ['65-74', '75+'] }, template_ids: [String(made.body.id)] }
  trial = await makeRunningTrial(server, support, draft)
  await countTrials(server.services, trial.id, server.services.now())
})
afterAll(() => server.close())

const ask = () => support.ask(forecast, { trial_id: trial.trial_id })
const jobs = () =>
  asOwner<{ n: number }>(server, `select count(*)::int as n from pgboss.job where name = 'forecast-invitations'`)
const count = () => forecastInvitations.run({ trial_id: trial.id }, server.services)
const later = (minutes: number) => {
  server.clock.offsetMs += minutes * 60_000
}

it('a small trial is counted by the request itself, which needs one connection of the console', async () => {
  expect(await onLastConnection(server, ask)).toMatchObject({ status: 200, body: { sms: 2 } })
})

it('invitations queued before a trial was ended do not keep their patients from being invited by the next', async () => {
  const invite = () =>
    inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: trial.id, login_id: null }, server.services)
  await invite()
  const change = { trial_id: trial.id, at: server.services.now() }
  await world.inside((tx) => cancelInvitations(tx, change, server.services.now()))
  // As in a large trial: ended, and not skipped yet.
  await asOwner(server, `update message set state = 'queued', reason = null where state = 'skipped'`)
  await invite()
  const people = await asOwner<{ n: number }>(
    server,
    `select count(*)::int as n from trial_participant t join message m on m.location_id = t.location_id and m.id = t.message_id
       join message_run r on r.id = m.run_id where r.state = 'holding'`,
  )
  expect(people).toEqual([{ n: 2 }])
  await asOwner(server, 'update trial_participant set invited_at = null, message_id = null')
  await asOwner(server, 'delete from message')
  await asOwner(server, 'delete from message_batch')
  await asOwner(server, 'delete from message_run')
})

it('with many eligible patients a job counts whom the invitations would reach, once however often it is asked for', async () => {
  const counts = { sms: 2, email: 0, held: [] }
  expect((await ask()).body).toMatchObject({ ...counts, counting: false, counted_at: null })
  await asOwner(server, 'update trial_location set total_eligible = $1', [COUNTED_AT_ONCE + 1])
  const waits = { counting: true, sms: 0, counted_at: null }
  const answers = await Promise.all([ask(), ask(), ask()])
  for (const { body } of answers) expect(body).toMatchObject(waits)
  expect(await jobs()).toEqual([{ n: 1 }])
  const retries = `select retry_limit as left from pgboss.job where name = 'forecast-invitations'`
  expect(await asOwner(server, retries)).toEqual([{ left: 1 }])
  const at = server.services.now()
  await count()
  const { body } = await ask()
  expect(body).toMatchObject({ ...counts, counting: false })
  expect(Date.parse(body.counted_at!)).toBeGreaterThanOrEqual(at.getTime())
  expect(body.costs).toHaveLength(1)
  // However long it took.
  await asOwner(server, `update trial set updated_at = updated_at - interval '8 minutes'`)
  await asOwner(server, `update trial_forecast set counted_at = counted_at - interval '7 minutes'`)
  expect((await ask()).body).toMatchObject({ ...counts, counting: false })
  // Consent and limits may have changed since.
  later(6)
  expect((await ask()).body).toMatchObject(waits)
  await count()
  expect((await ask()).body).toMatchObject(counts)
  await asOwner(server, 'update trial set updated_at = $1', [new Date(server.services.now().getTime() + 1)])
  expect((await ask()).body).toMatchObject(waits)
  expect(await jobs()).toEqual([{ n: 3 }])
})

it('a count that fails is named on the screen and made again; one lost with its worker is asked for again', async () => {
  await asOwner(server, `alter table trial rename column name to broken`)
  await expect(count()).rejects.toThrow('name')
  await asOwner(server, `alter table trial rename column broken to name`)
  expect(await ask()).toMatchObject({ status: 503, body: { message: expect.stringContaining('could not be counted') } })
  expect((await ask()).body).toMatchObject({ counting: true })
  expect(await jobs()).toEqual([{ n: 4 }])
  later(21)
  expect((await ask()).body).toMatchObject({ counting: true })
  expect(await jobs()).toEqual([{ n: 5 }])
})
