import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRunningTrial } from '../../../test/trial.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { carryOutStatus } from './change/trial-status.jobs.ts'
import { inviteTrial } from './invite.jobs.ts'
import { moveParticipant } from './participant.queries.ts'
import { countTrials } from './trial-count.jobs.ts'

const { editActiveStatus } = contract.clinicalTrial
const { forecast, start } = contract.trialInvite
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
  /** The second starts before the first has ended. */
  const together = async (one: number, other: number) => {
    let second: Promise<void> | undefined
    await refer(one, async () => {
      second = refer(other)
      await untilWaiting(server)
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
  // As after an hour without the database: the deactivation's job runs only now.
  for (const change of changes) await carryOutStatus.run({ change_id: Number(change.id) }, server.services)
  expect(await statesOf(server, before.id)).toEqual({ 'skipped stopped': 3 })
  expect(await statesOf(server, after.id)).toEqual({ queued: 3 })
})

it('nobody is invited by criteria that have changed since: the invitation waits until patients are counted by the new ones', async () => {
  const place = await makeMessagingWorld(server)
  const born = ['1950-05-05', '1951-05-05', '1999-01-01']
  const people = await addPeople(
    server,
    place,
    born.map((day) => person({ born: day, sms_to: freshMobile() })),
  )
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const template = await support.ask(contract.templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} is helping with a study: {Consent ID}',
    communication_type: 'sms',
  })
  const template_ids = [String(template.body.id)]
  const { trial_id, id } = await makeRunningTrial(server, support, { template_ids, filters: { age: ['65-74', '75+'] } })
  const count = () => countTrials(server.services, id, server.services.now())
  await count()
  expect((await support.ask(forecast, { trial_id })).body).toMatchObject({ not_ready: '', sms: 2 })
  await asOwner(server, `update trial set filters = jsonb_set(filters, '{age}', '["18-34"]') where id = $1`, [id])
  const waits = expect.stringMatching(
    /^The eligible patients of ".*" are being counted by its new criteria\. Please try/,
  )
  expect((await support.ask(forecast, { trial_id })).body).toMatchObject({ not_ready: waits, sms: 0 })
  expect(await support.ask(start, { trial_id })).toMatchObject({ status: 409, body: { message: waits } })
  // Retries the job of an invitation requested before the criteria were changed.
  const invite = () => inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: id, login_id: null }, server.services)
  await expect(invite()).rejects.toThrow('criteria')
  const invited = () =>
    asOwner(server, 'select m.patient_id from message m join message_run r on r.id = m.run_id where r.trial_id = $1', [
      id,
    ])
  expect(await invited()).toEqual([])
  await count()
  expect((await support.ask(forecast, { trial_id })).body).toMatchObject({ not_ready: '', sms: 1 })
  await invite()
  expect(await invited()).toEqual([{ patient_id: people[2] }])
})

it('a number that got an invitation to a trial gets no second one by a later act; people who share it get an email if they have an address', async () => {
  const place = await makeMessagingWorld(server, { locations: 2 })
  const mobile = freshMobile()
  const old = { born: '1985-05-05', mobile, sms_to: mobile }
  const [first, second, elsewhere, mailed] = await addPeople(server, place, [
    person({ at: 0, ...old }),
    person({ at: 0, ...old }),
    person({ at: 1, ...old }),
    person({ at: 1, ...old, email: 'bo@mail.example', email_to: 'bo@mail.example' }),
  ])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const text = { name: fresh('Invitation'), subject: 'A study', body: '{Pharmacy Name}: a study, {Consent ID}' }
  const made = await support.ask(contract.templateAdmin.createGlobal, { ...text, communication_type: 'both' })
  const template_ids = [String(made.body.id)]
  const { id, trial_id } = await makeRunningTrial(server, support, { filters: { age: ['35-49'] }, template_ids })
  await countTrials(server.services, id, server.services.now())
  const invite = () => inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: id, login_id: null }, server.services)
  const going = async () => {
    const rows = await asOwner<{ patient: number; channel: string }>(
      server,
      `select m.patient_id::int as patient, m.channel from message m join message_run r on r.id = m.run_id
       where r.trial_id = $1 and m.state <> 'skipped' order by m.patient_id`,
      [id],
    )
    return rows.map(({ patient, channel }) => [patient, channel])
  }
  const once = [
    [first, 'sms'],
    [mailed, 'email'],
  ]
  await invite()
  expect(await going()).toEqual(once)
  const { body } = await support.ask(contract.trialInvite.forecast, { trial_id })
  expect(body).toMatchObject({
    sms: 0,
    email: 0,
    held: [{ reason: 'Same mobile as someone already counted', count: 2 }],
  })
  await invite()
  expect(await going()).toEqual(once)
  // If the first was never sent, the number is free again.
  await asOwner(server, `update message set state = 'skipped', reason = 'stopped' where patient_id = $1`, [first])
  await asOwner(server, `update trial_participant set state = 'opted_out' where patient_id = $1`, [first])
  await invite()
  expect(await going()).toEqual([
    [second, 'sms'],
    [mailed, 'email'],
  ])
  expect(elsewhere).toBeGreaterThan(second!)
})

it('a number that got an invitation at a pharmacy that has since closed gets no second one at another', async () => {
  const place = await makeMessagingWorld(server, { locations: 2 })
  const mobile = freshMobile()
  const same = { born: '1921-05-05', mobile, sms_to: mobile }
  await addPeople(server, place, [person({ at: 0, ...same })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const text = {
    name: fresh('Invitation'),
    body: '{Pharmacy Name}: a study, {Consent ID}',
    communication_type: 'sms' as const,
  }
  const made = await support.ask(contract.templateAdmin.createGlobal, text)
  const template_ids = [String(made.body.id)]
  const { id, trial_id } = await makeRunningTrial(server, support, { filters: { age: ['105-106'] }, template_ids })
  const invite = async () => {
    await countTrials(server.services, id, server.services.now())
    await inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: id, login_id: null }, server.services)
  }
  await invite()
  await asOwner(
    server,
    `update message set state = 'delivered', sent_at = now(), settled_at = now(), planned_at = null where location_id = $1`,
    [place.locations[0]!.id],
  )
  await asOwner(server, 'update message_batch set next_at = null where location_id = $1', [place.locations[0]!.id])
  await asOwner(server, 'update location set removed_at = now() where id = $1', [place.locations[0]!.id])
  // Its patients now go to the company's other pharmacy.
  await addPeople(server, place, [person({ at: 1, ...same })])
  await countTrials(server.services, id, server.services.now())
  expect((await support.ask(contract.trialInvite.forecast, { trial_id })).body).toMatchObject({
    sms: 0,
    held: [{ reason: 'Same mobile as someone already counted', count: 1 }],
  })
  await invite()
  const sent = await asOwner<{ location_id: number }>(
    server,
    `select m.location_id from message m join message_run r on r.id = m.run_id where r.trial_id = $1 and m.state <> 'skipped'`,
    [id],
  )
  expect(sent.map(({ location_id }) => Number(location_id))).toEqual([place.locations[0]!.id])
})

it('a pharmacy whose patients cannot be counted does not stop others from being counted, and is named in the log', async () => {
  const place = await makeMessagingWorld(server, { locations: 2 })
  const old = { born: '1911-05-05', sms_to: freshMobile() }
  await addPeople(server, place, [person({ at: 0, ...old }), person({ at: 1, ...old })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const { id } = await makeRunningTrial(server, support, { filters: { age: ['115-116'] } })
  const [first, second] = place.locations.map((one) => one.id)
  await asOwner(server, `alter table trial_participant add constraint broken check (location_id <> ${first}) not valid`)
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as typeof server.services.log
  const { pools, now } = server.services
  try {
    await expect(countTrials({ pools, log }, id, now())).rejects.toThrow('broken')
    expect(lines).toEqual([{ location: first, reason: '23514 trial_participant broken' }])
    const found = 'select location_id::int as id from trial_participant where trial_id = $1'
    expect(await asOwner(server, found, [id])).toEqual([{ id: second }])
  } finally {
    await asOwner(server, 'alter table trial_participant drop constraint broken')
  }
})

it('a company whose patients cannot be invited does not stop others from inviting, and is named in the log', async () => {
  const places = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  for (const place of places) await addPeople(server, place, [person({ born: '1906-05-05', sms_to: freshMobile() })])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  const text = { name: fresh('Invitation'), body: '{Pharmacy Name}: {Consent ID}', communication_type: 'sms' as const }
  const made = await support.ask(contract.templateAdmin.createGlobal, text)
  const trial = { filters: { age: ['120+'] }, template_ids: [String(made.body.id)] }
  const { id } = await makeRunningTrial(server, support, trial)
  await countTrials(server.services, id, server.services.now())
  const [first, second] = places.map(({ company }) => company.id)
  await asOwner(server, `alter table message_run add constraint broken check (company_id <> ${first}) not valid`)
  const lines: unknown[] = []
  const log = {
    error: (line: unknown) => void lines.push(line),
    info: () => {},
  } as unknown as typeof server.services.log
  const asked = { uuid: crypto.randomUUID(), trial_id: id, login_id: null }
  const invited = async () =>
    (
      await asOwner<{ company: number }>(
        server,
        'select r.company_id::int as company from message m join message_run r on r.id = m.run_id where r.trial_id = $1 order by 1',
        [id],
      )
    ).map(({ company }) => company)
  try {
    await expect(inviteTrial.run(asked, { ...server.services, log })).rejects.toThrow('broken')
    expect(lines).toEqual([{ company: first, reason: '23514 message_run broken' }])
    expect(await invited()).toEqual([second])
  } finally {
    await asOwner(server, 'alter table message_run drop constraint broken')
  }
  await inviteTrial.run(asked, server.services)
  expect(await invited()).toEqual([first, second])
})
