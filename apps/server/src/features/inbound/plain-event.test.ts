import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { referenceOf } from '../sending/reference.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  await storePlain(server)
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

it('before contacts are sealed, a used event forgets whom it was about, and an unused one is kept in full', async () => {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients })
  await sendAll(services)
  const told = { kind: 'reply', at: '2026-11-25T09:00:00.000Z', to: '+61400000000', text: 'Are you open?' } as const
  const used = { ...told, id: 'used', from: patients[0]!.sms_to! }
  const unusable = { ...told, id: 'unusable', from: '+61499999999' }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [used, unusable])
  while ((await processEvents(services)) > 0);
  expect(
    await asOwner(
      server,
      `select event_id as id, payload, payload_sealed as sealed from gateway_event where event_id in ('used', 'unusable') order by 1 desc`,
    ),
  ).toEqual([
    { id: 'used', payload: { kind: 'reply', at: told.at }, sealed: null },
    { id: 'unusable', payload: unusable, sealed: null },
  ])
})

it('receipts that the database refuses end with a reason and do not block others', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 3) })
  await sendAll(services)
  const rows = await asOwner<{ id: number }>(server, 'select id from message where run_id = $1 order by id', [run.id])
  await asOwner(
    server,
    `alter table message add constraint odd check (id <> ${rows[1]!.id} or state = 'sent') not valid`,
  )
  const told = rows.map(({ id }) => ({
    ...{
      kind: 'receipt',
      id: `r${id}`,
      at: new Date().toISOString(),
      gatewayRef: 'x',
      status: 'delivered',
      reason: null,
    },
    reference: referenceOf(run.uuid, world.locations[0]!.id, id),
  }))
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', told as never)
  await processEvents(services)
  await asOwner(server, 'alter table message drop constraint odd')
  expect(await statesOf(server, run.id)).toEqual({ delivered: 2, sent: 1 })
  const ends = await asOwner(
    server,
    'select done_at is not null as done, failure from gateway_event where event_id = any($1) order by id',
    [told.map(({ id }) => id)],
  )
  const used = { done: true, failure: null }
  expect(ends).toEqual([used, { done: true, failure: expect.stringMatching(/^It could not be processed: /) }, used])
})

it.each([
  ['53300', 'too many connections'],
  ['40P01', 'a deadlock'],
  ['55P03', 'a lock that was not to be had'],
  ['57P01', 'a shutdown'],
])('a STOP that meets %s, %s, is carried out later', async (code) => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!.id
  const [patient] = await makePatients(server, place, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  await asOwner(
    server,
    `create function busy() returns trigger language plpgsql as $$ begin raise 'away' using errcode = '${code}'; end $$`,
  )
  await asOwner(server, 'create trigger busy before insert on consent_entry for each row execute function busy()')
  const told = { kind: 'reply', from: patient!.sms_to!, to: '+61400000000', text: 'STOP' } as const
  const event = { ...told, id: code, at: new Date().toISOString() }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
  const ends = () =>
    asOwner(server, 'select done_at is not null as done, failure from gateway_event where event_id = $1', [code])
  const out = () => asOwner(server, 'select type from consent_entry where location_id = $1', [place])
  await processEvents(services)
  expect([await ends(), await out()]).toEqual([[{ done: false, failure: null }], []])
  await asOwner(server, 'drop trigger busy on consent_entry')
  await asOwner(server, 'drop function busy')
  await processEvents(services)
  expect([await ends(), await out()]).toEqual([[{ done: true, failure: null }], [{ type: 'stop' }]])
})

it('a reply counts from the moment it was received, even if the gateway’s clock is ahead', async () => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  const told = { kind: 'reply', from: patient!.sms_to!, to: '+61400000000', text: 'STOP' } as const
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { ...told, id: 'ahead', at: '2099-01-01T00:00:00.000Z' },
  ])
  await processEvents(services)
  const [entry] = await asOwner<{ late: boolean }>(
    server,
    'select at > now() as late from consent_entry where location_id = $1 and patient_id = $2',
    [patient!.locationId, patient!.id],
  )
  expect(entry).toEqual({ late: false })
})

it('a START that the gateway delivers late, after a STOP that was sent later, does not undo it', async () => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  const said = { kind: 'reply', from: patient!.sms_to!, to: '+61400000000' } as const
  const hear = async (id: string, text: string, hoursAgo: number) => {
    const at = new Date(services.now().getTime() - hoursAgo * 3_600_000).toISOString()
    await insertGatewayEvents(services.pools.system, services.keys, 'fake', [{ ...said, id, text, at }])
    await processEvents(services)
    const [row] = await asOwner<{ choice: string }>(
      server,
      'select sms_health_outreach as choice from consent where location_id = $1 and patient_id = $2',
      [patient!.locationId, patient!.id],
    )
    return row!.choice
  }
  expect(await hear('stop', 'STOP', 0)).toBe('out')
  expect(await hear('late', 'START', 48)).toBe('out')
  expect(await hear('start', 'START', 0)).toBe('unknown')
})

it('a reply that the gateway itself took for an opt-out, by a word of its own, is a STOP', async () => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  const told = { kind: 'reply', from: patient!.sms_to!, to: '+61400000000', text: 'Arrêt', optedOut: true } as const
  const event = { ...told, id: 'own word', at: new Date().toISOString() }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
  expect(await processEvents(services, 'consent')).toBe(1)
  const entries = 'select type, source from consent_entry where location_id = $1'
  expect(await asOwner(server, entries, [world.locations[0]!.id])).toEqual([{ type: 'stop', source: 'reply' }])
})

it('a reply to a test belongs to support, but is also kept if a patient has the number', async () => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!.id
  const [tested] = await makePatients(server, place, 1, () => ({ fake: true }))
  await makeRun(server, world, { patients: [tested!] })
  await asOwner(server, `update message set state = 'sent', sent_at = now() where location_id = $1`, [place])
  const reply = async (text: string) => {
    const told = { kind: 'reply', from: tested!.sms_to!, to: '+61400000000', text } as const
    const event = { ...told, id: text, at: new Date().toISOString() }
    await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
    await processEvents(services)
    return asOwner(server, 'select body from message_reply where location_id = $1', [place])
  }
  expect(await reply('Thanks')).toEqual([])
  await makePatients(server, place, 1, () => ({ sms_to: tested!.sms_to }))
  expect(await reply('Who is this?')).toEqual([{ body: 'Who is this?' }])
})

describe('numbers that a gateway reports as they are written at home or dialled abroad', () => {
  const answer = async (from: string, to: string, text: string) => {
    const event = { kind: 'reply', id: `${from} ${text}`, at: new Date().toISOString(), from, to, text } as const
    await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
    while ((await processEvents(services)) > 0);
  }
  const texted = async (sms_to: string, sender: string | null) => {
    const world = await makeMessagingWorld(server)
    const { id } = world.locations[0]!
    await asOwner(server, 'update location set sms_sender = $1 where id = $2', [sender, id])
    const [patient] = await makePatients(server, id, 1, () => ({ sms_to }))
    await makeRun(server, world, { patients: [patient!] })
    await sendAll(services)
    return () =>
      asOwner(server, 'select type from consent_entry where location_id = $1 and patient_id = $2', [id, patient!.id])
  }

  it.each([
    ['+61491570701', '0491570701'],
    ['+447700900701', '07700900701'],
    ['+12025550701', '2025550701'],
    ['+61491570703', '0491 570 703'],
    ['+61491570704', '0061491570704'],
    ['+447700900705', '+44 7700 900705'],
  ])('a STOP from %s counts, reported as from %s', async (number, reported) => {
    const entries = await texted(number, null)
    await answer(reported, '+61400000000', 'STOP')
    expect(await entries()).toEqual([{ type: 'stop' }])
  })

  it('a STOP to a pharmacy’s own number counts there alone', async () => {
    const number = '+12025550702'
    const [one, other] = [await texted(number, '+12025550199'), await texted(number, null)]
    await answer('2025550702', '(202) 555-0199', 'STOP')
    expect([await one(), await other()]).toEqual([[{ type: 'stop' }], []])
  })
})
