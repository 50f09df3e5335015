import { type AskOf, contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { FakePhones } from '../../../../test/outside/fake-gateway.ts'
import { asOwner, makeCompany, makeLocation } from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import type { Services } from '../../../api/context.ts'

const { ofCompany, ofPharmacy, saveCompany, savePharmacy } = contract.sendingAdmin
let server: TestServer
let support: Support
let phones: FakePhones
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
  support = await makeSupport(server)
})
afterAll(() => server.close())

type Own = AskOf<typeof savePharmacy>
const NOTHING_OWN = {
  ...{ sms_sender: null, sms_sender_registered: false, sms_sender_registration: null },
  ...{ week: null, holidays_quiet: null, cap_messages: null, cap_hours: null },
}
/** Every day from one minute of the day to another. */
const daily = (from: number, to: number) => Array.from({ length: 7 }, () => [from, to]) as unknown as Own['week']
/** All day, and one minute of the day that has just passed. */
const OPEN = daily(0, 1440)
function shut() {
  const at = new Date(server.services.now().getTime() - 2 * 3_600_000)
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Australia/Melbourne',
    hour: '2-digit',
    minute: '2-digit',
  })
  const [hour, minute] = clock.format(at).split(':').map(Number) as [number, number]
  const from = Math.min(hour * 60 + minute, 1438)
  return daily(from, from + 1)
}
const statesOf = async (runId: number) =>
  (
    await asOwner<{ location_id: number; state: string; reason: string | null }>(
      server,
      'select location_id, state, reason from message where run_id = $1 order by location_id, id',
      [runId],
    )
  ).map(({ location_id, state, reason }) => [location_id, reason ? `${state} ${reason}` : state])
const own = async (world: MessagingWorld, at: number, rules: Partial<Own>) => {
  const { status, body } = await support.ask(savePharmacy, { id: world.locations[at]!.uuid, ...NOTHING_OWN, ...rules })
  expect([status, body.message]).toEqual([200, undefined])
}

describe('a pharmacy’s own rules', () => {
  it('its own hours apply there, the company’s at the others', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const [a, b] = world.locations as [MessagingWorld['locations'][0], MessagingWorld['locations'][0]]
    const patients = [...(await makePatients(server, a.id, 1)), ...(await makePatients(server, b.id, 1))]
    // The company sends all day, the first pharmacy not now.
    await own(world, 0, { week: shut(), holidays_quiet: false })
    const first = await makeRun(server, world, { patients })
    await sendAll(services)
    expect(await statesOf(first.id)).toEqual([
      [a.id, 'queued'],
      [b.id, 'sent'],
    ])
    // The other way round: the company does not send now, the first pharmacy does.
    const rules = (await support.ask(ofCompany, { id: world.company.uuid })).body
    await support.ask(saveCompany, { ...rules, id: world.company.uuid, week: shut() as never })
    await own(world, 0, { week: OPEN, holidays_quiet: false })
    const second = await makeRun(server, world, { patients })
    await sendAll(services)
    // Waiting messages are rescheduled as soon as the rules change.
    expect(await statesOf(first.id)).toEqual([
      [a.id, 'sent'],
      [b.id, 'sent'],
    ])
    expect(await statesOf(second.id)).toEqual([
      [a.id, 'sent'],
      [b.id, 'queued'],
    ])
  })

  it('its own frequency limit applies beside the company’s, whichever is stricter', async () => {
    const world = await makeMessagingWorld(server, { locations: 2, cap: { messages: 2, hours: 744 } })
    const [a, b] = world.locations as [MessagingWorld['locations'][0], MessagingWorld['locations'][0]]
    const patients = [...(await makePatients(server, a.id, 1)), ...(await makePatients(server, b.id, 1))]
    await own(world, 0, { cap_messages: 1, cap_hours: 24 })
    await own(world, 1, { cap_messages: 100, cap_hours: 744 })
    const outcomes: unknown[] = []
    for (let time = 0; time < 3; time++) {
      const run = await makeRun(server, world, { patients })
      await sendAll(services)
      outcomes.push(await statesOf(run.id))
    }
    const capped = 'skipped capped'
    expect(outcomes).toEqual([
      [
        [a.id, 'sent'],
        [b.id, 'sent'],
      ],
      [
        [a.id, capped],
        [b.id, 'sent'],
      ],
      [
        [a.id, capped],
        [b.id, capped],
      ],
    ])
  })
})

describe('senders', () => {
  it('are the pharmacy’s, else the company’s, and say if they are wrong', async () => {
    const company = await makeCompany(server)
    const place = await makeLocation(server, company.id)
    const read = (await support.ask(ofCompany, { id: company.uuid })).body
    expect(read).toMatchObject({ sms_sender: null, sms_sender_registered: false, cap_messages: 2, version: 0 })
    const named = { sms_sender: ' SALTBUSH ', sms_sender_registered: true, sms_sender_registration: 'ACMA-81' }
    const saved = await support.ask(saveCompany, { ...read, ...named, id: company.uuid, version: 0 })
    expect(saved.body).toMatchObject({ ...named, sms_sender: 'SALTBUSH', version: 1 })
    expect((await support.ask(ofPharmacy, { id: place.uuid })).body).toMatchObject({
      sms_sender: null,
      week: null,
      company: { sms_sender: 'SALTBUSH' },
    })
    const said = async (more: Partial<Own>) => {
      const { status, body } = await support.ask(savePharmacy, { id: place.uuid, ...NOTHING_OWN, ...more })
      return [status, body.message]
    }
    expect(await said({ sms_sender: '0400' })).toEqual([
      422,
      'Please enter the number with its country code, such as +61400000000.',
    ])
    expect(await said({ sms_sender: 'CANALRD', sms_sender_registered: true })).toEqual([
      422,
      'Please enter the registration of the sender name.',
    ])
    expect(await said({ cap_messages: 1 })).toEqual([
      422,
      'Please set both the messages and the time of the frequency limit.',
    ])
    expect((await said({ week: daily(600, 600), holidays_quiet: true }))[0]).toBe(422)
    expect(await said({ sms_sender: '+61400000009', version: 0 })).toEqual([200, undefined])
    expect((await said({ sms_sender: null, version: 0 }))[0]).toBe(409)
    const log = await asOwner(
      server,
      `select object from audit where company_id = $1 and action like 'sendingAdmin.save%'`,
      [company.id],
    )
    expect(log).toHaveLength(2)
  })

  it('are numbers in the United States, where no phone network delivers texts from a name', async () => {
    const company = await makeCompany(server)
    const place = await makeLocation(server, company.id)
    await asOwner(server, `update company set country = 'US' where id = $1`, [company.id])
    await asOwner(server, `update location set country = 'US' where company_id = $1`, [company.id])
    const read = (await support.ask(ofCompany, { id: company.uuid })).body
    const said = async (sms_sender: string) => {
      const all = await support.ask(saveCompany, { ...read, sms_sender, id: company.uuid, version: null })
      const one = await support.ask(savePharmacy, { id: place.uuid, ...NOTHING_OWN, sms_sender })
      return [all.status, all.body.message, one.status, one.body.message]
    }
    const refused =
      'Please enter a number, such as +12025550123: no phone network in the United States delivers texts from a name.'
    expect(await said('CORNERDRUG')).toEqual([422, refused, 422, refused])
    expect(await said('+12025550123')).toEqual([200, undefined, 200, undefined])
    expect(await said('12345')).toEqual([200, undefined, 200, undefined])
  })

  it('of a pharmacy without its own are its company’s', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const rules = (await support.ask(ofCompany, { id: world.company.uuid })).body
    await support.ask(saveCompany, { ...rules, id: world.company.uuid, sms_sender: 'SALTBUSH' })
    await own(world, 1, { sms_sender: '+61400000009' })
    const patients: Awaited<ReturnType<typeof makePatients>> = []
    for (const { id } of world.locations) patients.push(...(await makePatients(server, id, 1)))
    await makeRun(server, world, { patients })
    await sendAll(services)
    const from = (at: number) => [...phones.accepted.values()].find(({ to }) => to === patients[at]!.sms_to)?.from
    expect([from(0), from(1)]).toEqual(['SALTBUSH', '+61400000009'])
  })
})
