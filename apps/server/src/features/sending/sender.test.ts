import { weekday } from '@pillar/domain/time/day'
import { instantAt } from '@pillar/domain/time/local-time'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  setRules,
  statesOf,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { advanceRuns } from './lease.queries.ts'
import { recountQueued } from './recount.ts'

let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

describe('a due message', () => {
  it('is sent once, with our reference, and recorded', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const patients = [
      ...(await makePatients(server, world.locations[0]!.id, 7)),
      ...(await makePatients(server, world.locations[1]!.id, 5)),
    ]
    const run = await makeRun(server, world, { patients, smsSender: '+61488000001' })
    await sendAll(services, { hand: 3 })
    expect(await statesOf(server, run.id)).toEqual({ sent: 12 })
    const taken = [...phones.accepted.values()].filter((text) => text.from === '+61488000001')
    expect(taken.map((text) => text.to).sort()).toEqual(patients.map((patient) => patient.sms_to).sort())
    expect(phones.repeats).toEqual([])
    const rows = await asOwner(server, 'select * from message where run_id = $1', [run.id])
    for (const row of rows) {
      expect(row).toMatchObject({ gateway: 'fake', attempts: 1, lease_until: null, parts: 1, cents: 12 })
      expect(row.gateway_ref).toBe(`g-p${run.uuid.replaceAll('-', '').slice(0, 12)}-${row.location_id}-${row.id}`)
      expect(row.rule).toBe('Health outreach: nobody has said no')
    }
    await advanceRuns(services.pools.system, services.now())
    expect(await asOwner(server, 'select state from message_run where id = $1', [run.id])).toEqual([{ state: 'done' }])
  })

  it('waits for the hold, and is not sent while its run is stopped or ended', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const soon = new Date(Date.now() + 60_000)
    const held = await makeRun(server, world, { patients, startsAt: soon })
    const stopped = await makeRun(server, world, { patients, state: 'stopped' })
    const over = await makeRun(server, world, { patients, endsAt: new Date(Date.now() - 1000) })
    await sendAll(services)
    expect(await statesOf(server, held.id)).toEqual({ queued: 2 })
    expect(await statesOf(server, stopped.id)).toEqual({ queued: 2 })
    expect(await statesOf(server, over.id)).toEqual({ 'skipped quiet_hours': 2 })
  })

  it('is held back if the pharmacy has left, and other batches continue', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const [gone, here] = world.locations.map(({ id }) => id)
    const patients = [...(await makePatients(server, gone!, 3)), ...(await makePatients(server, here!, 3))]
    const run = await makeRun(server, world, { patients })
    for (const _ of [gone, here]) await turn(services, { hand: 1 })
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone])
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 4, 'skipped stopped': 2 })
  })

  it('is held back by conditions at sending time', async () => {
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    const columns = [
      {},
      { deceased_on: '2026-01-01' },
      { facility: true },
      { fake: true },
      { sms_opt_out: true },
      {},
      {},
      {},
      {},
    ]
    const patients = await makePatients(server, place, columns.length, (index) => columns[index]!)
    const run = await makeRun(server, world, { patients })
    const change = (set: string, at: number) =>
      asOwner(server, `update patient set ${set} where location_id = $1 and id = $2`, [place, patients[at]!.id])
    await change(`sms_to = '${await storedAs(server, freshMobile())}'`, 5)
    await change('sms_to = null, mobile_sealed = null', 6)
    await say(world, patients[7]!.id, 'stop')
    await change('sms_to = null', 8)
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({
      sent: 1,
      'skipped contact_changed': 1,
      'skipped deceased': 1,
      'skipped facility': 1,
      'skipped invalid_contact': 1,
      'skipped no_contact': 1,
      'skipped opted_out': 2,
      'skipped test_patient': 1,
    })
    const unsent = await asOwner(server, 'select sum(cents)::int as cents from message where run_id = $1', [run.id])
    expect(unsent).toEqual([{ cents: 12 }])
  })

  it('needs marketing consent', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    await inside(world, (tx) =>
      recordConsent(
        tx,
        {
          locationId: world.locations[0]!.id,
          patientId: patients[0]!.id,
          at: new Date(),
          event: {
            type: 'form',
            answers: {
              health_outreach_sms_consent: null,
              health_outreach_email_consent: null,
              marketing_sms_consent: true,
              marketing_email_consent: null,
            },
          },
          wording: 'Yes',
          source: 'consent page',
        },
        new Date(),
      ),
    )
    const run = await makeRun(server, world, { patients, kind: 'marketing' })
    const trial = await makeRun(server, world, { patients, kind: 'trial', context: 'trial' })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 1, 'skipped no_consent': 1 })
    expect(await statesOf(server, trial.id)).toEqual({ 'skipped no_consent': 2 })
    const rows = await asOwner(
      server,
      `select m.rule, e.wording from message m join consent_entry e on e.location_id = m.location_id and e.id = m.consent_entry_id
       where m.run_id = $1`,
      [run.id],
    )
    expect(rows).toEqual([{ rule: 'Marketing: agreed to', wording: 'Yes' }])
  })

  it('waits for the pharmacy’s hours, and is skipped if none come before the end', async () => {
    const never: null[] = Array.from({ length: 7 }, () => null)
    const world = await makeMessagingWorld(server, { week: never })
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const closed = await makeRun(server, world, { patients })
    await sendAll(services)
    expect(await statesOf(server, closed.id)).toEqual({ 'skipped quiet_hours': 2 })
    await recountQueued(services)
    const counts = 'select num_queued, num_skipped from message_batch where run_id = $1'
    expect(await asOwner(server, counts, [closed.id])).toEqual([{ num_queued: 0, num_skipped: 2 }])

    const zone = 'Australia/Melbourne'
    const opens = dayIn(zone, new Date()) + 2
    const week = Array.from({ length: 7 }, (_, index) => (index + 1 === weekday(opens) ? ([600, 720] as const) : null))
    await setRules(server, world.company.id, { week })
    const waiting = await makeRun(server, world, { patients })
    const tooLate = await makeRun(server, world, { patients, endsAt: new Date(Date.now() + 3600_000) })
    await sendAll(services)
    expect(await statesOf(server, waiting.id)).toEqual({ queued: 2 })
    expect(await statesOf(server, tooLate.id)).toEqual({ 'skipped quiet_hours': 2 })
    const rows = await asOwner<{ planned_at: Date; next_at: Date }>(
      server,
      'select m.planned_at, b.next_at from message m join message_batch b on b.id = m.batch_id where m.run_id = $1',
      [waiting.id],
    )
    for (const row of rows) {
      expect(row.planned_at).toEqual(instantAt(zone, opens, 600))
      expect(row.next_at).toEqual(row.planned_at)
    }
  })
})

describe('batches', () => {
  it('take turns, and single answers come first', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 6)
    const early = new Date(Date.now() - 600_000)
    const large = await makeRun(server, world, { patients, startsAt: early })
    const small = await makeRun(server, world, { patients: patients.slice(0, 1) })
    const single = await makeRun(server, world, { patients: patients.slice(0, 1), context: 'communication' })
    const pair = () => turn(services, { hand: 2 })
    await pair()
    expect([await statesOf(server, single.id), await statesOf(server, large.id)]).toEqual([{ sent: 1 }, { queued: 6 }])
    await pair()
    await pair()
    expect(await statesOf(server, large.id)).toEqual({ queued: 4, sent: 2 })
    expect(await statesOf(server, small.id)).toEqual({ sent: 1 })
    await sendAll(services)
    expect(await statesOf(server, large.id)).toEqual({ sent: 6 })
  })
})

describe('the frequency limit', () => {
  it('counts a person across pharmacies, channels and runs, and the next window allows more', async () => {
    const world = await makeMessagingWorld(server, { locations: 2, cap: { messages: 2, hours: 24 } })
    const number = freshMobile()
    const [here] = await makePatients(server, world.locations[0]!.id, 1, () => ({ sms_to: number }))
    const [there] = await makePatients(server, world.locations[1]!.id, 1, () => ({ sms_to: number }))
    const both = await makeRun(server, world, { patients: [here!, there!] })
    await sendAll(services)
    expect(await statesOf(server, both.id)).toEqual({ sent: 2 })
    const third = await makeRun(server, world, { patients: [here!] })
    await sendAll(services)
    expect(await statesOf(server, third.id)).toEqual({ 'skipped capped': 1 })
    const email = await makeRun(server, world, { patients: [here!], channel: 'email' })
    await sendAll(services, {}, 'email')
    expect(await statesOf(server, email.id)).toEqual({ 'skipped capped': 1 })
    server.clock.offsetMs = 24 * 3600_000 + 60_000
    const later = await makeRun(server, world, { patients: [there!] })
    await sendAll(services)
    server.clock.offsetMs = 0
    expect(await statesOf(server, later.id)).toEqual({ sent: 1 })
  })

  it('does not count messages that were never sent', async () => {
    const world = await makeMessagingWorld(server, { cap: { messages: 1, hours: 24 } })
    const [patient] = await makePatients(server, world.locations[0]!.id, 1)
    let busy = 3
    phones.fate = (text) => (text.to === patient!.sms_to && busy-- > 0 ? 'later' : 'accept')
    const run = await makeRun(server, world, { patients: [patient!] })
    for (let i = 0; i < 6; i++) {
      await sendAll(services)
      await new Promise((done) => setTimeout(done, 30))
    }
    phones.fate = () => 'accept'
    expect(await statesOf(server, run.id)).toEqual({ sent: 1 })
    const rows = await asOwner(server, 'select attempts from message where run_id = $1', [run.id])
    expect(rows).toEqual([{ attempts: 1 }])
    const history = await asOwner(
      server,
      'select cardinality(sent) as n from contact_history where company_id = $1 and contact = $2',
      [world.company.id, await storedAs(server, patient!.sms_to)],
    )
    expect(history).toEqual([{ n: 1 }])
  })

  it('does not count a message held back for another reason, to the same number at the same moment', async () => {
    const world = await makeMessagingWorld(server, { cap: { messages: 1, hours: 24 } })
    const number = freshMobile()
    const dead = (at: number) => ({ sms_to: number, ...(at === 0 ? { deceased_on: '2026-01-01' } : {}) })
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 2, dead) })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ 'skipped deceased': 1, sent: 1 })
  })

  it('still counts the other of two messages at one moment if one is refused', async () => {
    const world = await makeMessagingWorld(server, { cap: { messages: 2, hours: 24 } })
    const number = freshMobile()
    const patients = await makePatients(server, world.locations[0]!.id, 2, () => ({ sms_to: number }))
    let refusals = 1
    phones.fate = ({ to }) => (to === number && refusals-- > 0 ? 'reject' : 'accept')
    const run = await makeRun(server, world, { patients })
    await sendAll(services)
    phones.fate = () => 'accept'
    expect(await statesOf(server, run.id)).toEqual({ failed: 1, sent: 1 })
    const history = await asOwner(
      server,
      'select cardinality(sent) as n from contact_history where company_id = $1 and contact = $2',
      [world.company.id, await storedAs(server, number)],
    )
    expect(history).toEqual([{ n: 1 }])
  })
})

const inside = <T>(world: MessagingWorld, work: Parameters<typeof world.inside<T>>[0]) => world.inside(work)

function say(world: MessagingWorld, patientId: number, type: 'stop' | 'start', at = new Date()) {
  const entry = { locationId: world.locations[0]!.id, patientId, at, event: { type }, wording: type, source: 'reply' }
  return inside(world, (tx) => recordConsent(tx, entry, at))
}
