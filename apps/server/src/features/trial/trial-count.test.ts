import { contract } from '@pillar/contract'
import { funnelOf, PARTICIPANT_EVENTS, type ParticipantEvent, type Reached } from '@pillar/domain/trial/participant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshMobile, type MessagingWorld, makeMessagingWorld, makeRun, statesOf } from '../../../test/messaging.ts'
import { asOwner, fresh, mailTo, makeLogin } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeTrial } from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { inScope } from '../../db/scope.ts'
import { carryOutStatus } from './change/trial-status.jobs.ts'
import { moveParticipant, switchRecruiterContacted } from './participant.queries.ts'
import { countTrials } from './trial-count.jobs.ts'

const { info, edit, editActiveStatus, locationInfo } = contract.clinicalTrial
let server: TestServer
let support: Support
let world: MessagingWorld
/** Patients of the first pharmacy who are 65 or over, then a younger one. */
let people: number[]

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server, { locations: 2 })
  const old = { born: '1950-05-05', sms_to: freshMobile() }
  people = await addPeople(server, world, [
    ...Array.from({ length: 20 }, () => person({ ...old, sms_to: freshMobile() })),
    person({ born: '1999-01-01' }),
    person({ ...old, deceased: true }),
    person({ ...old, facility: true }),
    person({ ...old, fake: true }),
    person({ ...old, at: 1 }),
  ])
  await asOwner(server, `update location set data_to = '2026-11-01'`)
})
afterAll(() => server.close())

const idOf = async (uuid: string) =>
  (await asOwner<{ id: number }>(server, 'select id from trial where uuid = $1', [uuid]))[0]!.id
const count = (trial: number) => countTrials(server.services, trial, server.services.now())
const placesOf = async (trial_id: string) => (await support.ask(locationInfo, { trial_id })).body.locations
const here = () => world.locations[0]!
const move = (trialId: number, patientId: number, event: ParticipantEvent, loginId: number | null = null) =>
  inScope(server.services.pools.app, world.scope, (tx) =>
    moveParticipant(tx, { locationId: here().id, trialId, patientId }, event, { loginId, now: server.services.now() }),
  )
const counted = async (more: object = {}) => {
  const trial_id = await makeTrial(support, { filters: { age: ['65-74', '75+'] }, ...more })
  const trial = await idOf(trial_id)
  await count(trial)
  return { trial_id, trial }
}

describe('eligible patients', () => {
  it('are counted pharmacy by pharmacy: all who match, without deceased, facility and test patients', async () => {
    const { trial_id } = await counted()
    const places = await placesOf(trial_id)
    expect(places.map((one) => [one.location_name, one.company_name, one.total_eligible])).toEqual([
      [here().name, world.company.name, 20],
      [world.locations[1]!.name, world.company.name, 1],
    ])
    expect(places[0]).toMatchObject({ total_contacted: 0, total_referred: 0, total_optout: 0, rebate: 0 })
    expect((await support.ask(info, { trial_id })).body.totals).toMatchObject({ locations: 2, total_eligible: 21 })
  })

  it('are not counted at a pharmacy that has left, nor in a company that has', async () => {
    for (const [table, id] of [
      ['location', here().id],
      ['company', world.company.id],
    ] as const) {
      await asOwner(server, `update ${table} set removed_at = now() where id = $1`, [id])
      const { trial } = await counted()
      await asOwner(server, `update ${table} set removed_at = null where id = $1`, [id])
      const places = await asOwner(server, 'select location_id from trial_location where trial_id = $1', [trial])
      expect([table, places.some(({ location_id }) => location_id === here().id)]).toEqual([table, false])
    }
  })

  it('of a pharmacy or company that leaves are no longer eligible, but who was contacted there stays, and so does what is owed', async () => {
    const { trial_id, trial } = await counted({ rebate_type: 'refer' })
    await move(trial, people[0]!, 'contacted')
    for (const event of ['contacted', 'referred'] as const) await move(trial, people[1]!, event)
    const [left, stays] = [here(), world.locations[1]!]
    await asOwner(server, 'update location set removed_at = now() where id = $1', [left.id])
    const { totals } = (await support.ask(info, { trial_id })).body
    expect(totals).toMatchObject({ total_eligible: 3, total_contacted: 2, total_referred: 1, rebate: 20, locations: 1 })
    const places = (await placesOf(trial_id)).map((one) => [one.location_name, [one.total_eligible, one.left]])
    expect(Object.fromEntries(places)).toEqual({ [left.name]: [2, true], [stays.name]: [1, false] })
    await asOwner(server, 'update company set removed_at = now() where id = $1', [world.company.id])
    expect((await support.ask(info, { trial_id })).body.totals).toMatchObject({ total_eligible: 2, locations: 0 })
    for (const table of ['company', 'location']) await asOwner(server, `update ${table} set removed_at = null`)
  })

  it('stay counted once invited or contacted, and are recounted when the criteria change', async () => {
    const { trial_id, trial } = await counted()
    await asOwner(server, `update patient_fact set born = '1999-01-01' where patient_id = $1`, [people[0]])
    await count(trial)
    expect((await placesOf(trial_id))[0]?.total_eligible).toBe(20)
    await move(trial, people[0]!, 'contacted')
    const { body } = await support.ask(info, { trial_id })
    const draft = {
      ...body,
      ...{ recruiter_id: body.recruiter.recruiter_provider_id, provider_id: body.provider.recruiter_provider_id },
      template_ids: body.templates.map(({ id }) => id),
    }
    await asOwner(server, 'update trial_participant set invited_at = now() where patient_id = $1', [people[1]])
    await support.ask(edit, { ...draft, filters: { age: ['18-34'] } })
    await count(trial)
    // The younger one, and who was contacted or invited.
    expect((await placesOf(trial_id))[0]).toMatchObject({ total_eligible: 3, total_contacted: 1 })
    await asOwner(server, `update patient_fact set born = '1950-05-05' where patient_id = $1`, [people[0]])
  })

  it('are shown to staff as counts only', async () => {
    const { staff } = server.services.pools
    for (const table of ['trial_participant', 'trial_event', 'trial_rebate'] as const)
      await expect(staff.selectFrom(table).selectAll().execute()).rejects.toThrow('permission denied')
  })
})

describe('the worked examples', () => {
  it('15 referrals at $20 are $300', async () => {
    const { trial_id, trial } = await counted({ rebate_type: 'refer' })
    for (const patient of people.slice(0, 15)) {
      await move(trial, patient, 'contacted')
      expect(await move(trial, patient, 'referred')).toBe('referred')
      expect(await move(trial, patient, 'referred')).toBeNull()
    }
    expect((await placesOf(trial_id))[0]).toMatchObject({
      ...{ total_eligible: 20, total_contacted: 15, total_referred: 15, total_enrolled: 0 },
      ...{ rebate: 300, sr_rebate: 82.5 },
    })
  })

  it('4 enrolments at $100 are $400; an undone one is reversed at the amount paid, whatever the trial pays by then', async () => {
    const { trial_id, trial } = await counted({ rebate_type: 'enroll' })
    for (const patient of people.slice(0, 4))
      for (const event of ['referred', 'enrolled'] as const) await move(trial, patient, event)
    expect((await placesOf(trial_id))[0]).toMatchObject({
      ...{ total_contacted: 4, total_enrolled: 4, total_unenrolled: 0 },
      ...{ rebate: 400, sr_rebate: 100 },
    })
    await asOwner(server, 'update trial set enroll_rebate_cents = 99900 where id = $1', [trial])
    await move(trial, people[0]!, 'unenrolled', support.login.id)
    // The step was reached; what is owed follows the switch.
    expect((await placesOf(trial_id))[0]).toMatchObject({
      ...{ total_enrolled: 4, total_unenrolled: 1, rebate: 300, sr_rebate: 75 },
    })
    const log = await asOwner(
      server,
      `select event, login_id from trial_event where trial_id = $1 and patient_id = $2 order by id`,
      [trial, people[0]],
    )
    expect(log).toEqual([
      { event: 'referred', login_id: null },
      { event: 'enrolled', login_id: null },
      { event: 'unenrolled', login_id: support.login.id },
    ])
  })

  it('the counts are the domain’s, whatever happens', async () => {
    const { trial_id, trial } = await counted()
    const order: ParticipantEvent[] = ['contacted', 'referred', 'enrolled', 'unenrolled', 'opted_out']
    // Each patient gets the first few events, and then the ones they may not get.
    for (const [at, patient] of people.slice(0, 20).entries()) {
      for (const event of order.slice(at % 3, (at % 3) + 1 + (at % 4))) await move(trial, patient, event)
      for (const event of PARTICIPANT_EVENTS.slice(at % 5)) if (at % 2) await move(trial, patient, event)
    }
    const rows = await asOwner<Reached & Record<string, unknown>>(
      server,
      'select contacted_at, referred_at, enrolled_at, opted_out_at from trial_participant where trial_id = $1 and location_id = $2',
      [trial, here().id],
    )
    const funnel = funnelOf(rows)
    expect((await placesOf(trial_id))[0]).toMatchObject(funnel)
    expect(Object.values(funnel).every((value) => value > 0)).toBe(true)
  })

  it('the recruiter’s own switch is kept separately, with its history', async () => {
    const { trial } = await counted()
    const who = { locationId: here().id, trialId: trial, patientId: people[3]! }
    const by = { loginId: support.login.id, now: server.services.now() }
    const turn = (on: boolean) =>
      inScope(server.services.pools.app, world.scope, (tx) => switchRecruiterContacted(tx, who, on, by))
    expect(await turn(true)).toBe(false)
    await move(trial, people[3]!, 'referred')
    expect([await turn(true), await turn(true), await turn(false)]).toEqual([true, false, true])
    const log = await asOwner(server, 'select event from trial_event where trial_id = $1 order by id', [trial])
    expect(log.map((row) => row.event)).toEqual(['referred', 'recruiter_contacted', 'recruiter_not_contacted'])
  })
})

describe('a change of status', () => {
  const change = async (trial_id: string, input: object) => {
    await support.ask(editActiveStatus, { trial_id, active: true, ...input } as never)
    const [row] = await asOwner<{ id: number }>(
      server,
      `select s.id from trial_status_change s join trial t on t.id = s.trial_id where t.uuid = $1 order by s.id desc limit 1`,
      [trial_id],
    )
    return row!.id
  }
  const carryOut = (change_id: number) => carryOutStatus.run({ change_id }, server.services)

  it('notifies the contacts of pharmacies with eligible patients, each once', async () => {
    const contact = await makeLogin(server, world.company.id, { username: fresh('contact') })
    const other = await makeLogin(server, world.company.id, { username: fresh('other') })
    await asOwner(
      server,
      'insert into login_location (location_id, company_id, login_id) select l.id, l.company_id, $1 from location l where l.company_id = $2',
      [contact.id, world.company.id],
    )
    // Not counted yet: the job counts before it decides who is notified.
    const trial_id = await makeTrial(support, { filters: { age: ['65-74', '75+'] } })
    const { name } = (await support.ask(info, { trial_id })).body
    const id = await change(trial_id, { notify_pharmacies: true })
    await Promise.all([carryOut(id), carryOut(id)])
    await carryOut(id)
    const letters = await mailTo(server, contact.email)
    expect(letters.map(({ subject }) => subject)).toEqual([`Clinical trial started: ${name}`])
    for (const { name: place } of world.locations) expect(letters[0]?.text).toContain(place)
    expect(letters[0]?.text).toContain('hello@recruiter.example')
    expect(await mailTo(server, other.email)).toEqual([])
    const quiet = await change(trial_id, { active: false })
    await carryOut(quiet)
    expect(await mailTo(server, contact.email)).toHaveLength(1)
    // A pharmacy that has left is not named, and a disabled login gets no email.
    const [left, stays] = world.locations
    await asOwner(server, 'update location set removed_at = now() where id = $1', [left!.id])
    await carryOut(await change(trial_id, { notify_pharmacies: true }))
    await asOwner(server, 'update location set removed_at = null where id = $1', [left!.id])
    const [letter] = await mailTo(server, contact.email)
    expect(letter?.text).toContain(stays!.name)
    expect(letter?.text).not.toContain(left!.name)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [contact.id])
    await carryOut(await change(trial_id, { active: false, notify_pharmacies: true }))
    expect(await mailTo(server, contact.email)).toHaveLength(2)
    await asOwner(server, 'update login set disabled_at = null where id = $1', [contact.id])
    // Dates in the format of the reader's own company.
    await asOwner(server, `update company set country = 'US' where id = $1`, [world.company.id])
    await carryOut(
      await change(trial_id, { start_date: '2026-11-01', end_date: '2099-01-05', notify_pharmacies: true }),
    )
    await asOwner(server, `update company set country = 'AU' where id = $1`, [world.company.id])
    expect((await mailTo(server, contact.email))[0]?.text).toContain(' to Jan 5, 2099.')
  })

  it('cancels unsent invitations of this trial only', async () => {
    const { trial_id, trial } = await counted()
    const patients = people
      .slice(0, 3)
      .map((id) => ({ id, locationId: here().id, sms_to: freshMobile(), email_to: null }))
    const invite = { patients, kind: 'trial', context: 'trial' } as const
    const [run, other] = [await makeRun(server, world, invite), await makeRun(server, world, invite)]
    await asOwner(server, 'update message_run set trial_id = $2 where id = $1', [run.id, trial])
    await carryOut(await change(trial_id, {}))
    expect(await statesOf(server, run.id)).toEqual({ queued: 3 })
    const id = await change(trial_id, { active: false, cancel_messages: true })
    await carryOut(id)
    await carryOut(id)
    expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': 3 })
    expect(await statesOf(server, other.id)).toEqual({ queued: 3 })
    const done = await asOwner(server, 'select cancelled, letters from trial_status_change where id = $1', [id])
    expect(done).toEqual([{ cancelled: 3, letters: 0 }])
    const log = `select action, detail->'cancelled' as n from audit where company_id = $1 and object = $2`
    expect(await asOwner(server, log, [world.company.id, trial_id])).toEqual([
      { action: 'clinicalTrial.editActiveStatus', n: 3 },
    ])
    await asOwner(server, `update message_run set state = 'done' where id = $1`, [other.id])
  })
})

describe('an invitation', () => {
  it('is sent only while its trial is active, within its dates and approved', async () => {
    const outcome = async (sql: string, active = true) => {
      const { trial_id, trial } = await counted()
      if (active) await support.ask(editActiveStatus, { trial_id, active: true })
      await asOwner(server, sql.replaceAll('$1', String(trial)))
      const sms_to = freshMobile()
      const [id] = await addPeople(server, world, [person({ mobile: sms_to, sms_to })])
      const patients = [{ id: id!, locationId: here().id, sms_to, email_to: null }]
      const run = await makeRun(server, world, { patients, kind: 'trial', context: 'trial' })
      await asOwner(server, 'update message_run set trial_id = $2 where id = $1', [run.id, trial])
      await sendAll(server.services)
      return statesOf(server, run.id)
    }
    expect(await outcome('select 1')).toEqual({ sent: 1 })
    const held = { 'skipped no_consent': 1 }
    expect(await outcome('select 1', false)).toEqual(held)
    expect(await outcome(`update trial set end_day = current_date - 2 where id = $1`)).toEqual(held)
    expect(await outcome(`update trial set start_day = current_date + 2 where id = $1`)).toEqual(held)
    expect(
      await outcome(
        `update trial_ethics_approval set approved_on = '2025-01-01', expires_on = '2025-02-01' where trial_id = $1`,
      ),
    ).toEqual(held)
  })
})
