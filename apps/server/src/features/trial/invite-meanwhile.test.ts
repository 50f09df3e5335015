import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, makeMessagingWorld, statesOf } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { openingMeanwhile, sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRunningTrial } from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { inviteTrial } from './invite.jobs.ts'
import { countTrials } from './trial-count.jobs.ts'

const { forecast, start } = contract.trialInvite
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

/** A running trial for people aged 65 or over, whose template contains the link. */
async function invitingTrial() {
  const text = { name: fresh('Invitation'), body: '{Pharmacy Name}: {Consent ID}', communication_type: 'sms' as const }
  const made = await support.ask(contract.templateAdmin.createGlobal, text)
  const trial = { filters: { age: ['65-74', '75+'] }, template_ids: [String(made.body.id)] }
  return makeRunningTrial(server, support, trial)
}

it('a pharmacy that cannot be counted by new criteria stops the invitations to a trial for an hour, then is left out and counted as such', async () => {
  const place = await makeMessagingWorld(server, { locations: 2 })
  const people = await addPeople(
    server,
    place,
    [0, 1].flatMap((at) => ['1950-05-05', '1999-01-01'].map((born) => person({ at, born, sms_to: freshMobile() }))),
  )
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const { trial_id, id } = await invitingTrial()
  const count = () => countTrials(server.services, id, server.services.now())
  await count()
  await asOwner(server, `update trial set filters = jsonb_set(filters, '{age}', '["18-34"]') where id = $1`, [id])
  const broken = place.locations[0]!.id
  await asOwner(
    server,
    `alter table trial_participant add constraint broken check (location_id <> ${broken}) not valid`,
  )
  try {
    await expect(count()).rejects.toThrow('broken')
    const invite = (log = server.services.log) =>
      inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: id, login_id: null }, { ...server.services, log })
    const ready = async () => (await support.ask(forecast, { trial_id })).body
    expect(await ready()).toMatchObject({ not_ready: expect.stringContaining('being counted'), not_counted: 1 })
    await expect(invite()).rejects.toThrow('criteria')
    await asOwner(server, `update trial set updated_at = now() - interval '61 minutes' where id = $1`, [id])
    expect(await ready()).toMatchObject({ not_ready: '', sms: 1, not_counted: 1 })
    expect((await support.ask(start, { trial_id })).status).toBe(200)
    const lines: unknown[] = []
    const log = {
      info: () => {},
      error: (line: unknown) => void lines.push(line),
    } as unknown as typeof server.services.log
    await invite(log)
    expect(lines).toEqual([{ trial: id, pharmacies: 1 }])
  } finally {
    await asOwner(server, 'alter table trial_participant drop constraint broken')
  }
  const invited = () =>
    asOwner<{ id: number }>(
      server,
      `select m.patient_id::int as id from message m join message_run r on r.id = m.run_id
       where r.trial_id = $1 and m.state = 'queued' order by 1`,
      [id],
    )
  expect(await invited()).toEqual([{ id: people[3] }])
  // Once it is counted, the next act reaches its patients.
  await count()
  expect((await support.ask(forecast, { trial_id })).body).toMatchObject({ sms: 1, not_counted: 0 })
  await inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: id, login_id: null }, server.services)
  expect(await invited()).toEqual([{ id: people[1] }, { id: people[3] }])
})

it('sending hours that change while invitations are written apply to them', async () => {
  const world = await makeMessagingWorld(server)
  await addPeople(server, world, [person({ born: '1950-05-05', sms_to: freshMobile() })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const { id } = await invitingTrial()
  await countTrials(server.services, id, server.services.now())
  const payload = { uuid: crypto.randomUUID(), trial_id: id, login_id: null }
  await openingMeanwhile(server, world.company.id, () => inviteTrial.run(payload, server.services))
  const [run] = await asOwner<{ id: number }>(
    server,
    'select id from message_run where trial_id = $1 and company_id = $2',
    [...[id, world.company.id]],
  )
  server.clock.offsetMs += 180_000
  await sendAll(server.services)
  const states = Object.keys(await statesOf(server, run!.id))
  expect(states).not.toEqual([])
  expect(states).not.toContain('queued')
})
