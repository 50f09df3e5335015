import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { addDemoConsole } from './demo-console.queries.ts'
import { addDemoFunnel } from './demo-funnel.queries.ts'
import { addDemoTrials } from './demo-trial.queries.ts'
import { replayDemoInvitations } from './past/demo-invitations.jobs.ts'

/** Patients who have opted out of texts. */
const BARRED = 4
const COUNTS = ['num_delivered', 'num_failed', 'num_skipped'] as const

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('gives a demo two trials, one of them with a funnel, once', async () => {
  const { pools, now } = server.services
  const world = await makeMessagingWorld(server, { locations: 2 })
  await makeLogin(server, world.company.id, { username: 'support', flags: ['sr_login'] })
  const login = await makeLogin(server, world.company.id, { username: 'trials', flags: ['clinical_trials_login'] })
  await asOwner(server, 'update company set demo = true')
  await addPeople(
    server,
    world,
    Array.from({ length: 40 }, (_, at) => {
      const sms_to = `+6149157${1100 + at}`
      return person({ at: at % 2, molecules: 6, sms_to, mobile: sms_to, sms_opt_out: at < BARRED })
    }),
  )
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const support = await makeSupport(server)
  const figures: unknown[] = []
  const sums: number[][] = []
  for (let time = 0; time < 2; time++) {
    await addDemoConsole(pools, now())
    await addDemoTrials(server.services, now())
    await replayDemoInvitations(server.services)
    await addDemoFunnel(server.services, now())
    const { body } = await support.ask(contract.clinicalTrial.search, {})
    figures.push(body.clinical_trials.map(({ totals }) => totals))
    expect(
      body.clinical_trials.map((one) => [one.name, one.active, one.not_ready === '', one.templates.length]),
    ).toEqual([
      ['Asthma action plans', false, false, 1],
      ['Heart failure at home', true, true, 1],
    ])
    const { totals, trial_id } = body.clinical_trials[1]!
    expect(totals).toMatchObject({ locations: 2, total_eligible: 40, total_referred: 3, total_enrolled: 1 })
    expect(totals).toMatchObject({ total_unenrolled: 0, rebate: 100, sr_rebate: 25 })
    const { message_batches } = (await support.ask(contract.runAdmin.info, { trial_id, page: 1 })).body
    sums.push([totals.total_contacted, ...COUNTS.map((of) => message_batches.reduce((sum, one) => sum + one[of], 0))])
  }
  expect(figures[1]).toEqual(figures[0])
  // Every contacted patient has a message that Message Info shows; those who may not get one are held back.
  const [contacted, delivered, failed, skipped] = sums[0]!
  expect(contacted).toBe(delivered)
  expect([delivered! + failed!, skipped]).toEqual([40 - BARRED, BARRED])
  expect(delivered).toBeGreaterThan(30)
  expect(sums[1]).toEqual(sums[0])
  const unasked =
    'select 1 from trial_participant where message_id is null and (contacted_at is not null or referred_at is not null)'
  expect(await asOwner(server, unasked)).toEqual([])
  // People answer by day, each at another time, and nobody tomorrow.
  const answers = await asOwner<{ minute: number; past: boolean }>(
    server,
    `select extract(hour from e.at at time zone l.time_zone)::int * 60 + extract(minute from e.at)::int as minute, e.at < $1 as past
     from trial_event e join location l on l.id = e.location_id where e.event <> 'contacted' order by 1`,
    [now()],
  )
  expect(answers.every(({ minute, past }) => past && minute >= 9 * 60 && minute < 21 * 60)).toBe(true)
  expect(new Set(answers.map(({ minute }) => minute)).size).toBe(answers.length)
  expect((await support.ask(contract.recruiterProvider.search, {})).body.total).toBe(3)
  const [named] = await asOwner(
    server,
    'select r.name from login o join recruiter_provider r on r.id = o.recruiter_provider_id where o.id = $1',
    [login.id],
  )
  expect(named).toEqual({ name: 'Meridian Trials' })
})
