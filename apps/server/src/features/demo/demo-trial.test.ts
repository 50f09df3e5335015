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
    Array.from({ length: 40 }, (_, at) => person({ at: at % 2, molecules: 6 })),
  )
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const support = await makeSupport(server)
  const figures: unknown[] = []
  for (let time = 0; time < 2; time++) {
    await addDemoConsole(pools, now())
    await addDemoTrials(server.services, now())
    await addDemoFunnel(server.services, now())
    const { body } = await support.ask(contract.clinicalTrial.search, {})
    figures.push(body.clinical_trials.map(({ totals }) => totals))
    expect(
      body.clinical_trials.map((one) => [one.name, one.active, one.not_ready === '', one.templates.length]),
    ).toEqual([
      ['Asthma action plans', false, false, 1],
      ['Heart failure at home', true, true, 1],
    ])
    const { totals } = body.clinical_trials[1]!
    expect(totals).toMatchObject({ locations: 2, total_eligible: 40, total_contacted: 32 })
    expect(totals).toMatchObject({
      total_referred: 3,
      total_enrolled: 1,
      total_unenrolled: 0,
      total_optout: 1,
      rebate: 100,
      sr_rebate: 25,
    })
  }
  expect(figures[1]).toEqual(figures[0])
  expect((await support.ask(contract.recruiterProvider.search, {})).body.total).toBe(3)
  const [named] = await asOwner(
    server,
    'select r.name from login o join recruiter_provider r on r.id = o.recruiter_provider_id where o.id = $1',
    [login.id],
  )
  expect(named).toEqual({ name: 'Meridian Trials' })
})
