import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatients, type TestPatient } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import {
  afterUploadOf,
  decisionsOf,
  dispense,
  makeDrug,
  makeSequence,
  newMedicine,
  runsOf,
  setClock,
  statsOf,
  tickAt,
} from '../../../test/world/sequence-world.ts'
import type { Services } from '../../api/context.ts'
import { openPools } from '../../db/database.ts'
import { advanceRuns } from '../sending/lease.queries.ts'
import { tickSequences } from './sequence.jobs.ts'
import { setSequenceActive } from './sequence-state.queries.ts'

let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

async function send(): Promise<void> {
  await advanceRuns(services.pools.system, services.now())
  await sendAll(services, { hand: 50 })
}

const textsTo = (patients: readonly TestPatient[]) =>
  [...phones.accepted.values()].filter((text) => patients.some((patient) => patient.sms_to === text.to))

describe('a sequence', () => {
  it('follows up a first script on days 3 and 23, and not on day 35 after a repeat', async () => {
    const { world, place, patients, fresh } = await newMedicine(server)
    const id = await makeSequence(server, world, [3, 23, 35])
    expect(await afterUploadOf(server, world)).toBe(1)
    expect(await afterUploadOf(server, world)).toBe(0)
    // 10:00 in Melbourne is midnight in Greenwich.
    expect(await tickAt(server, '2026-08-03T23:59:59Z')).toBe(0)
    expect(await tickAt(server, '2026-08-04T00:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-08-04T00:01:00Z')).toBe(0)
    await send()
    expect(textsTo(patients)).toHaveLength(1)
    expect(textsTo(patients)[0]!.text).toMatch(/^Hi Ines\. .*\nReply STOP to opt out$/s)
    expect(await tickAt(server, '2026-08-24T00:00:30Z')).toBe(1)
    await send()
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-28' }])
    setClock(server, '2026-08-28T20:00:00Z')
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-09-05T00:00:30Z')).toBe(0)
    await send()
    expect(textsTo(patients)).toHaveLength(2)
    expect(await runsOf(server, id)).toEqual([
      { day: '2026-08-04', order: 1, messages: 1 },
      { day: '2026-08-24', order: 2, messages: 1 },
    ])
    expect(await asOwner(server, 'select goal_day::text, next_at from enrolment where sequence_id = $1', [id])).toEqual(
      [{ goal_day: '2026-08-28', next_at: null }],
    )
    expect(await statsOf(server, world, id)).toMatchObject({
      num_messaged: 1,
      num_responded: 1,
      sms: 2,
      sms_sent: 2,
      cost: 0.24,
    })
  })
})

describe('a sequence of a pharmacy whose sender is a name', () => {
  it('sends texts with an opt-out link, and counts them in its budget', async () => {
    const { world, place, patients } = await newMedicine(server, 2)
    await asOwner(server, `update location set sms_sender = 'SALTBUSH' where id = $1`, [place])
    // One part with 'Reply STOP to opt out', two with the link: the budget is enough for one patient.
    const body = `Hi {First Name}. ${'x'.repeat(120)}`
    const id = await makeSequence(server, world, [3], { budgetCents: 24, template: { body } })
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:00:00Z')).toBe(1)
    await send()
    const texts = textsTo(patients)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatchObject({
      from: 'SALTBUSH',
      text: expect.stringMatching(/x\nOpt out at http:\/\/localhost:3000\/u\/[\w-]{26}$/),
    })
    expect(await statsOf(server, world, id)).toMatchObject({ sms_sent: 1, cost: 0.24 })
  })
})

describe('each follow-up', () => {
  it('is queued once by concurrent ticks, and after a restart', async () => {
    const { world, patients } = await newMedicine(server, 40)
    const id = await makeSequence(server, world, [0, 3])
    expect(await afterUploadOf(server, world)).toBe(40)
    setClock(server, '2026-08-04T00:05:00Z')
    // The first one of day 0 is three days and five minutes late: missed.
    const ticks = await Promise.all([1, 2, 3].map(() => tickSequences(services)))
    expect(ticks.reduce((sum, one) => sum + one)).toBe(40)
    expect(await decisionsOf(server, id)).toEqual([
      ...Array.from({ length: 40 }, () => '1: missed'),
      ...Array.from({ length: 40 }, () => '2: sms queued'),
    ])
    const again = { ...services, pools: openPools(server.ownerUrl, () => {}, 2) }
    expect(await tickSequences(again)).toBe(0)
    await again.pools.close()
    await send()
    expect(textsTo(patients)).toHaveLength(40)
    expect(await statsOf(server, world, id)).toMatchObject({
      num_messaged: 40,
      sms_sent: 40,
      cost: 4.8,
      num_responded: 0,
    })
  })

  it('that fails midway leaves nothing behind, and is sent at the next tick', async () => {
    const { world } = await newMedicine(server, 3)
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    await asOwner(server, `create function stop_it() returns trigger language plpgsql as $$ begin raise 'away'; end $$`)
    await asOwner(server, 'create trigger stop_it before insert on message for each row execute function stop_it()')
    expect(await tickAt(server, '2026-08-04T01:00:00Z')).toBe(0)
    expect([await decisionsOf(server, id), await runsOf(server, id)]).toEqual([[], []])
    await asOwner(server, 'drop trigger stop_it on message')
    expect(await tickAt(server, '2026-08-04T01:01:00Z')).toBe(3)
  })

  it('is sent up to three days late', async () => {
    const { world } = await newMedicine(server)
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-06T23:59:00Z')).toBe(1)
    expect(await runsOf(server, id)).toEqual([{ day: '2026-08-04', order: 1, messages: 1 }])
    // And not if the senders were away that long.
    setClock(server, '2026-08-07T00:00:01Z')
    await send()
    expect(await decisionsOf(server, id)).toEqual(['1: sms skipped quiet_hours'])
  })

  it('has a response when the medicine is supplied within 14 days', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 4)
    const other = await makeDrug(server, place)
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    await tickAt(server, '2026-08-04T00:10:00Z')
    await send()
    const days = ['2026-08-04', '2026-08-18', '2026-08-19', '2026-08-10']
    const scripts = patients.map((patient, at) => ({ patientId: patient.id, drugId: fresh.id, on: days[at]! }))
    await dispense(server, place, [...scripts.slice(0, 3), { ...scripts[3]!, drugId: other.id }])
    setClock(server, '2026-08-25T00:00:00Z')
    await afterUploadOf(server, world)
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 4, num_responded: 2 })
    // A line that turns out to be an error also removes its response.
    await asOwner(server, `update script set reversed = true where location_id = $1 and dispensed_on = '2026-08-18'`, [
      place,
    ])
    await afterUploadOf(server, world)
    expect(await statsOf(server, world, id)).toMatchObject({ num_messaged: 4, num_responded: 1 })
  })

  it('is cancelled while it waits for a sending hour when the patient visits', async () => {
    // Closed from Tuesday, 4 August, to Thursday morning.
    const week = [[540, 1200], null, null, [540, 1200], [540, 1200], null, null] as const
    const { world, place, patients, fresh } = await newMedicine(server, 2, { week: [...week] })
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(2)
    await send()
    expect(await decisionsOf(server, id)).toEqual(['1: sms queued', '1: sms queued'])
    await dispense(server, place, [{ patientId: patients[0]!.id, drugId: fresh.id, on: '2026-08-05' }])
    setClock(server, '2026-08-05T12:00:00Z')
    await afterUploadOf(server, world)
    expect(await decisionsOf(server, id)).toEqual(['1: sms skipped goal_reached', '1: sms queued'])
    setClock(server, '2026-08-05T23:30:00Z')
    await send()
    expect(textsTo(patients).map((text) => text.to)).toEqual([patients[1]!.sms_to])
  })

  it('is checked again at sending: active, dates, alive, template', async () => {
    const { world, patients } = await newMedicine(server, 2)
    const off = await makeSequence(server, world, [3])
    const over = await makeSequence(server, world, [3], { startDay: '2026-07-01', endDay: '2026-08-03' })
    const later = await makeSequence(server, world, [3], { startDay: '2026-08-02' })
    const idle = await makeSequence(server, world, [3], { active: false })
    const blank = await makeSequence(server, world, [3])
    const fine = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    const enrolled = await asOwner<{ sequence_id: number }>(
      server,
      'select sequence_id from enrolment where sequence_id = any($1)',
      [[later, idle]],
    )
    expect(enrolled).toEqual([])
    await asOwner(server, 'update sequence set active = false where id = $1', [off])
    await asOwner(
      server,
      'update template set active = false where id = (select template_id from follow_up where sequence_id = $1)',
      [blank],
    )
    await asOwner(server, `update patient set deceased_on = '2026-08-02' where id = $1`, [patients[0]!.id])
    await tickAt(server, '2026-08-04T00:10:00Z')
    expect(await decisionsOf(server, off)).toEqual(['1: inactive', '1: inactive'])
    expect(await decisionsOf(server, blank)).toEqual(['1: inactive', '1: inactive'])
    expect(await decisionsOf(server, over)).toEqual(['1: outside_dates', '1: outside_dates'])
    expect(await decisionsOf(server, fine)).toEqual(['1: deceased', '1: sms queued'])
  })

  it('is cancelled for good when the sequence is deactivated; later ones are sent once it is active again', async () => {
    const week = [[540, 1200], null, [540, 1200], [540, 1200], [540, 1200], null, null] as const
    const { world, place, patients } = await newMedicine(server, 3, { week: [...week] })
    const id = await makeSequence(server, world, [3, 5, 6])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(3)
    const kept = await world.inside((tx) => setSequenceActive(tx, place, id, false, services.now()))
    expect(kept).toBe(3)
    setClock(server, '2026-08-05T00:10:00Z')
    await send()
    expect(await tickAt(server, '2026-08-06T00:10:00Z')).toBe(0)
    await world.inside((tx) => setSequenceActive(tx, place, id, true, services.now()))
    expect(await tickAt(server, '2026-08-07T00:10:00Z')).toBe(3)
    await send()
    expect(textsTo(patients)).toHaveLength(3)
    expect(await decisionsOf(server, id)).toEqual([
      ...patients.map(() => '1: sms skipped stopped'),
      ...patients.map(() => '2: inactive'),
      ...patients.map(() => '3: sms sent'),
    ])
  })

  it('stays cancelled if the gateway returns it after the sequence was deactivated', async () => {
    const { world, place, patients } = await newMedicine(server, 2)
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:00:10Z')).toBe(2)
    await advanceRuns(services.pools.system, services.now())
    const busy: FakePhones['send'] = async (messages) => {
      await world.inside((tx) => setSequenceActive(tx, place, id, false, services.now()))
      return messages.map(() => ({ kind: 'later', seconds: 0, reason: 'Busy' }))
    }
    await turn({ ...services, sms: { ...phones.gateway(), send: busy } })
    await tickAt(server, '2026-08-04T00:02:00Z')
    await send()
    expect(textsTo(patients)).toEqual([])
    expect(await decisionsOf(server, id)).toEqual(['1: sms skipped stopped', '1: sms skipped stopped'])
  })

  it('that comes late in the day joins the day’s run, even after it ended', async () => {
    const { world, place, patients, fresh } = await newMedicine(server, 1)
    const id = await makeSequence(server, world, [3])
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:00:10Z')).toBe(1)
    await send()
    await advanceRuns(services.pools.system, services.now())
    const stateOf = async () =>
      (await asOwner(server, 'select state from message_run where sequence_id = $1', [id])).map((row) => row.state)
    expect(await stateOf()).toEqual(['done'])
    const late = await makePatients(server, place, 1)
    const lines = [{ on: '2024-02-01' }, { on: '2026-08-01' }]
    const old = await makeDrug(server, place)
    await dispense(
      server,
      place,
      lines.map((one, at) => ({ ...one, patientId: late[0]!.id, drugId: at === 0 ? old.id : fresh.id })),
    )
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T02:00:00Z')).toBe(1)
    expect(await tickAt(server, '2026-08-04T02:01:00Z')).toBe(0)
    expect(await stateOf()).toEqual(['sending'])
    await send()
    expect(textsTo([...patients, ...late])).toHaveLength(2)
    expect(await runsOf(server, id)).toEqual([{ day: '2026-08-04', order: 1, messages: 2 }])
    await advanceRuns(services.pools.system, services.now())
    expect(await stateOf()).toEqual(['done'])
  })

  it('stays within the budget of its sequence to the cent', async () => {
    const { world } = await newMedicine(server, 5)
    const id = await makeSequence(server, world, [3, 4], { budgetCents: 47 })
    await afterUploadOf(server, world)
    expect(await tickAt(server, '2026-08-04T00:10:00Z')).toBe(3)
    await send()
    expect(await tickAt(server, '2026-08-05T00:10:00Z')).toBe(0)
    const decided = await decisionsOf(server, id)
    expect(decided.filter((one) => one.endsWith('budget'))).toHaveLength(7)
    expect(await statsOf(server, world, id)).toMatchObject({ cost: 0.36, sms: 3 })
  })
})
