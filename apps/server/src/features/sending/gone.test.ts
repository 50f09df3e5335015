import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { campaignOn, forecastAndSend, forecastOutcomes, outcomesOf, sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import type { Services } from '../../api/context.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from '../inbound/events.ts'
import { followUp } from '../upload/after-upload.jobs.ts'
import { forgetGoneSince } from './gone.queries.ts'
import { referenceOf } from './reference.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

let numbers = 0
/** People of a new company with a number and an address each; frequency limits never apply. */
async function peopleOf(count: number) {
  const world = await makeMessagingWorld(server, { cap: { messages: 20, hours: 1 } })
  const people = Array.from({ length: count }, () => {
    const sms_to = `+61491${String(++numbers).padStart(6, '0')}`
    const email_to = `gone${numbers}@mail.example`
    return person({ mobile: sms_to, sms_to, email: email_to, email_to })
  })
  const ids = await addPeople(server, world, people)
  return { world, people, ids }
}

/** Sends a new campaign to everybody; what was forecast for each reason is what became of the messages. */
async function campaign(world: MessagingWorld, channel: 'sms' | 'email' = 'sms') {
  const { ledger, run } = await forecastAndSend(server, services, world, await campaignOn(server, world, [channel]))
  const outcomes = await outcomesOf(server, run.id)
  expect(outcomes).toEqual(forecastOutcomes(ledger))
  return { run, outcomes: outcomes.map(({ reason, count }) => `${count} ${reason}`) }
}

const tell = async (event: Partial<GatewayEvent>) => {
  const whole = { id: fresh('gone'), at: new Date().toISOString(), ...event } as GatewayEvent
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [whole])
  await processEvents(services)
}

/** The gateway reports what became of a person's message in a run. */
async function receipt(
  run: { id: number; uuid: string },
  patient: number,
  status: 'delivered' | 'failed',
  gone = false,
) {
  const [message] = await asOwner<{ id: number; location_id: number }>(
    server,
    'select id, location_id from message where run_id = $1 and patient_id = $2',
    [run.id, patient],
  )
  const reference = referenceOf(run.uuid, Number(message!.location_id), Number(message!.id))
  await tell({ kind: 'receipt', reference, gatewayRef: null, status, reason: status === 'failed' ? 'No' : null, gone })
}

/** Three people; a text to the first one's number, and to no other, failed because there is no such number. */
async function oneGone() {
  const made = await peopleOf(3)
  const { run } = await campaign(made.world)
  await receipt(run, made.ids[0]!, 'failed', true)
  await receipt(run, made.ids[1]!, 'failed')
  await receipt(run, made.ids[2]!, 'delivered')
  return made
}

describe('a number that does not exist', () => {
  it('gets no further text, and the forecast says so; the person still gets emails', async () => {
    const { world } = await oneGone()
    expect((await campaign(world)).outcomes).toEqual(['2 goes', '1 unreachable'])
    expect((await campaign(world, 'email')).outcomes).toEqual(['3 goes'])
  })

  it('is not the number that the patient has now, nor one of a test patient of support', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2, (at) => ({ fake: at === 1 }))
    const run = await makeRun(server, world, { patients, state: 'done' })
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
    await asOwner(server, 'update patient set sms_to = $2 where id = $1', [
      patients[0]!.id,
      await storedAs(server, freshMobile()),
    ])
    for (const { id } of patients) await receipt(run, id, 'failed', true)
    const gone = 'select id from patient where location_id = $1 and sms_gone_at is not null'
    expect(await asOwner(server, gone, [world.locations[0]!.id])).toEqual([])
    expect(await statesOf(server, run.id)).toEqual({ failed: 2 })
  })

  it('gets no text that was waiting when it became known', async () => {
    const world = await makeMessagingWorld(server, { cap: { messages: 20, hours: 1 } })
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const first = await makeRun(server, world, { patients })
    await sendAll(services)
    const second = await makeRun(server, world, { patients })
    await receipt(first, patients[0]!.id, 'failed', true)
    await sendAll(services)
    expect(await statesOf(server, second.id)).toEqual({ sent: 1, 'skipped unreachable': 1 })
  })

  it.each([
    ['a text to it is delivered after all', async ({ run, ids }: Gone) => receipt(run, ids[0]!, 'delivered')],
    [
      'somebody texts from it',
      ({ people }: Gone) => tell({ kind: 'reply', from: people[0]!.sms_to!, to: '', text: 'Thanks' } as GatewayEvent),
    ],
    ['180 days pass', ({ world }: Gone) => uploadAfter(world, 180)],
    ['support takes it back', ({ world }: Gone) => takeBack(world)],
  ])('gets texts again once %s', async (_what, change) => {
    const made = await peopleOf(2)
    const { run } = await campaign(made.world)
    const open = await campaign(made.world)
    await receipt(run, made.ids[0]!, 'failed', true)
    await uploadAfter(made.world, 179)
    expect((await campaign(made.world)).outcomes).toEqual(['1 goes', '1 unreachable'])
    await change({ ...made, run: open.run })
    expect((await campaign(made.world)).outcomes).toEqual(['2 goes'])
  })
})

it('an address that does not exist gets no further email; the person still gets texts', async () => {
  const { world, ids } = await peopleOf(2)
  const { run } = await campaign(world, 'email')
  await receipt(run, ids[1]!, 'failed', true)
  expect((await campaign(world, 'email')).outcomes).toEqual(['1 goes', '1 unreachable'])
  expect((await campaign(world)).outcomes).toEqual(['2 goes'])
})

it.each([
  ['counts', 2, ['1 goes', '1 unreachable']],
  ['does not count while the gateway refuses every text', 1, ['1 goes']],
] as const)('a refusal because there is no such number %s', async (_what, count, after) => {
  const { world, people } = await peopleOf(count)
  const phones = new FakePhones()
  const refused = people[0]!.sms_to
  const send: FakePhones['send'] = async (messages) =>
    messages.map((one) =>
      one.to === refused ? { kind: 'rejected', reason: 'No', gone: true } : { kind: 'accepted', gatewayRef: 'g' },
    )
  const strict = { ...services, sms: { ...phones.gateway(), send } }
  await forecastAndSend(server, strict, world, await campaignOn(server, world, ['sms']))
  expect((await campaign(world)).outcomes).toEqual(after)
})

interface Gone extends Awaited<ReturnType<typeof peopleOf>> {
  run: { id: number; uuid: string }
}

const takeBack = ({ locations, inside }: MessagingWorld) =>
  inside(async (tx) => {
    const since = (hours: number) => forgetGoneSince(tx, locations[0]!.id, new Date(Date.now() - hours * 3_600_000))
    expect([await since(178 * 24), await since(180 * 24), await since(180 * 24)]).toEqual([0, 1, 0])
  })

/** An upload so many days after the numbers were said not to exist. */
async function uploadAfter(world: MessagingWorld, days: number) {
  const place = world.locations[0]!.id
  await asOwner(
    server,
    `update patient set sms_gone_at = now() - make_interval(days => $2) where location_id = $1 and sms_gone_at is not null`,
    [place, days],
  )
  await asOwner(server, `update location set data_to = '2026-11-01' where id = $1`, [place])
  await followUp(services, world.company.id, place)
}
