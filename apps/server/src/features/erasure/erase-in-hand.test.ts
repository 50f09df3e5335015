import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@pillar/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  freshMobile,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { KeysAway } from '../../db/field/key-file.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { lockEvents } from '../inbound/event.queries.ts'
import { processEvents } from '../inbound/events.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { holdWriting } from '../run/run-write.queries.ts'
import { eraseAgain } from './erase.ts'
import { lookAgain } from './erasure.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('nobody is erased while a message to them is being sent; afterwards queued messages end', async () => {
  const world = await makeMessagingWorld(server)
  const [one] = await makePatients(server, world.locations[0]!.id, 1)
  const run = await makeRun(server, world, { patients: [one!] })
  const support = await makeSupport(server)
  const [row] = await asOwner<{ number: string }>(server, 'select source_id as number from patient where id = $1', [
    one!.id,
  ])
  const erase = () =>
    support.ask(contract.erasure.erasePatient, {
      ...{ id: world.company.uuid, location_id: world.locations[0]!.uuid, number: row!.number, last_name: 'Moran' },
      reason: 'Asked in writing',
    })
  const standing = (what: string) => asOwner(server, `update message set ${what} where run_id = $1`, [run.id])
  for (const onItsWay of [`state = 'sending'`, `state = 'unknown', lease_until = now() + interval '1 minute'`]) {
    await standing(onItsWay)
    const { status, body } = await erase()
    expect([onItsWay, status, body.message]).toEqual([
      ...[onItsWay, 409, 'A message to this person is on its way. Nothing was erased; try again in a minute.'],
    ])
  }
  await standing(`state = 'queued', lease_until = null`)
  expect((await erase()).status).toBe(200)
  expect(await statesOf(server, run.id)).toEqual({ 'skipped opted_out': 1 })
})

it('a STOP at the pharmacy does not wait while gateways, emails and files are searched for somebody; nor is that person texted meanwhile', async () => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!
  const [erased, stops] = (await makePatients(server, place.id, 2)) as [TestPatient, TestPatient]
  const run = await makeRun(server, world, { patients: [erased] })
  // A turn takes one batch, and would take what an earlier test left.
  await asOwner(server, 'update message_batch set next_at = null where run_id <> $1', [run.id])
  const support = await makeSupport(server)
  const asked = { id: world.company.uuid, location_id: place.uuid, last_name: 'Moran', reason: 'Asked in writing' }
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query('begin; lock table simulator_message in exclusive mode')
  const erasing = support.ask(contract.erasure.erasePatient, { ...asked, number: `t${place.id}-${erased.sms_to}` })
  const phones = new FakePhones()
  const said = { at: new Date(), event: { type: 'stop' as const }, wording: 'STOP', source: 'reply' }
  try {
    await untilWaiting(server, 1, '%delete from simulator_message%')
    await world.inside(async (tx) => {
      await sql`set local lock_timeout = '1s'`.execute(tx)
      await recordConsent(tx, { ...said, locationId: place.id, patientId: stops.id }, new Date())
    })
    await turn({ ...server.services, sms: phones.gateway() })
  } finally {
    await owner.end()
  }
  expect((await erasing).status).toBe(200)
  expect(phones.accepted.size).toBe(0)
  expect(await statesOf(server, run.id)).toEqual({ 'skipped opted_out': 1 })
})

it('no message to somebody is written once it is known that none is on its way', async () => {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!
  const [erased] = (await makePatients(server, place.id, 1)) as [TestPatient]
  const support = await makeSupport(server)
  const asked = { id: world.company.uuid, location_id: place.uuid, last_name: 'Moran', reason: 'Asked in writing' }
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query('begin; lock table message_reply')
  const erasing = support.ask(contract.erasure.erasePatient, { ...asked, number: `t${place.id}-${erased.sms_to}` })
  try {
    await untilWaiting(server, 1, '%from message_reply%')
    expect(await world.inside((tx) => holdWriting(tx, place.id))).toBe(false)
  } finally {
    await owner.end()
  }
  expect((await erasing).status).toBe(200)
})

it.each([['sealed'], ['plain, as without a key']])(
  'a STOP that waits (%s) still ends texts to somebody else with the number, and the erasure does not wait for it',
  async (stored) => {
    const { services } = server
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!
    const sms_to = freshMobile()
    const mother = (await makePatients(server, place.id, 1, () => ({ sms_to, last_name: 'Vale' })))[0]!
    const other = await makeMessagingWorld(server)
    const elsewhere = (await makePatients(server, other.locations[0]!.id, 1, () => ({ sms_to })))[0]!
    const [row] = await asOwner<{ id: number }>(
      server,
      `insert into patient (location_id, source, source_id, first_name, last_name, sms_to)
       select location_id, source, 'child', 'Ann', 'Moran', sms_to from patient where id = $1 returning id`,
      [mother.id],
    )
    await makeRun(server, world, { patients: [mother, { ...mother, id: row!.id }] })
    await makeRun(server, other, { patients: [elsewhere] })
    await sendAll({ ...services, sms: new FakePhones().gateway() })
    const stop = {
      kind: 'reply',
      id: `waits ${stored}`,
      at: new Date().toISOString(),
      from: sms_to,
      to: '',
      text: 'STOP',
    } as const
    const keyless = { ...services.keys, writing: () => Promise.reject(new KeysAway('no key')) }
    await insertGatewayEvents(services.pools.system, stored === 'sealed' ? services.keys : keyless, 'fake', [stop])
    const support = await makeSupport(server)
    const asked = { id: world.company.uuid, location_id: place.uuid, number: 'child', last_name: 'Moran' }
    const erased = await services.pools.system.transaction().execute(async (tx) => {
      await lockEvents(tx, 10, 'consent')
      return support.ask(contract.erasure.erasePatient, { ...asked, reason: 'Asked in writing' })
    })
    expect(erased).toMatchObject({ status: 200, body: { records: 1 } })
    await processEvents(services, 'consent')
    const out = await asOwner<{ id: number }>(
      server,
      `select patient_id as id from consent where patient_id = any($1::bigint[]) and sms_health_outreach = 'out' order by 1`,
      [[mother.id, elsewhere.id]],
    )
    expect(out.map(({ id }) => id)).toEqual([mother.id, elsewhere.id])
  },
)

it.each([
  ['the installation’s number', false],
  ['their company’s number', true],
])(
  'after an erasure, a STOP to %s also ends texts of the pharmacy that texted only the erased person, though another one texted the number',
  async (_which, own) => {
    const { services } = server
    const [world, silent] = [await makeMessagingWorld(server, { locations: 2 }), await makeMessagingWorld(server)]
    const other = own ? world : await makeMessagingWorld(server)
    const to = own ? freshMobile() : ''
    if (own)
      await asOwner(server, 'update messaging_setting set sms_sender = $2 where company_id = $1', [
        world.company.id,
        to,
      ])
    const sms_to = freshMobile()
    const at = [world.locations[0]!, other.locations.at(-1)!, silent.locations[0]!]
    const having = at.map(({ id }) => makePatients(server, id, 1, () => ({ sms_to, last_name: 'Vale' })))
    const [mother, elsewhere, bystander] = (await Promise.all(having)).flat()
    const children = await asOwner<{ id: number }>(
      server,
      `insert into patient (location_id, source, source_id, first_name, last_name, sms_to)
       select location_id, source, 'child', 'Ann', 'Moran', sms_to from patient where id = any($1) order by location_id returning id`,
      [[mother!.id, bystander!.id]],
    )
    await makeRun(server, world, { patients: [{ ...mother!, id: children[0]!.id }] })
    await makeRun(server, other, { patients: [elsewhere!] })
    await sendAll({ ...services, sms: new FakePhones().gateway() })
    const support = await makeSupport(server)
    for (const { company, locations } of [world, silent])
      expect(
        await support.ask(contract.erasure.erasePatient, {
          ...{ id: company.uuid, location_id: locations[0]!.uuid, number: 'child', last_name: 'Moran' },
          reason: 'Asked in writing',
        }),
      ).toMatchObject({ status: 200, body: { records: 1 } })
    const reply = { kind: 'reply', at: new Date().toISOString(), from: sms_to, to } as const
    await insertGatewayEvents(services.pools.system, services.keys, 'fake', [
      { ...reply, id: `words ${sms_to}`, text: 'Which pharmacy is this?' },
      { ...reply, id: `STOP ${sms_to}`, text: 'STOP' },
    ])
    await processEvents(services)
    const places = (table: string) =>
      asOwner(server, `select location_id as at from ${table} order by 1`, [
        [mother, elsewhere, bystander].map((one) => one!.id),
      ])
    expect(await places(`consent where patient_id = any($1) and sms_health_outreach = 'out'`)).toEqual(
      at.slice(0, 2).map(({ id }) => ({ at: id })),
    )
    expect(await places('message_reply where patient_ids && $1::bigint[]')).toEqual([{ at: at[1]!.id }])
  },
)

it('a letter being delivered to a slow mail server holds up neither an erasure nor a start, which compares the ledger', async () => {
  const { services } = server
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!
  const [before, erased] = (await makePatients(server, place.id, 2)) as [TestPatient, TestPatient]
  const support = await makeSupport(server)
  const erase = ({ sms_to }: TestPatient) =>
    support.ask(contract.erasure.erasePatient, {
      ...{ id: world.company.uuid, location_id: place.uuid, last_name: 'Moran', reason: 'Asked in writing' },
      number: `t${place.id}-${sms_to}`,
    })
  expect((await erase(before)).status).toBe(200)
  const letter = { to: 'office@mail.example', subject: 'Report', text: 'All is well.' }
  const { system } = services.pools
  await system.transaction().execute((tx) => queueMail(tx, services, letter))
  const delivering = new pg.Client({ connectionString: server.ownerUrl })
  await delivering.connect()
  await delivering.query('begin; select from mail for update')
  try {
    const began = performance.now()
    expect(await eraseAgain(services)).toEqual({ erasures: 0, records: 0 })
    expect((await erase(erased)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(8_000)
  } finally {
    await delivering.end()
  }
})

describe('an erasure that the server cannot finish', () => {
  /** A messaged patient, a function that requests their erasure, and the number of patients and messages that still name them. */
  async function asked() {
    const world = await makeMessagingWorld(server)
    const { id: place, uuid } = world.locations[0]!
    const [one] = await makePatients(server, place, 1)
    await asOwner(
      server,
      `insert into simulator_message (reference, channel, recipient, sender, body, accepted_at) values ($1, 'sms', $1, '+61400000000', 'Hi', now())`,
      [one!.sms_to],
    )
    const support = await makeSupport(server)
    const input = { id: world.company.uuid, location_id: uuid, number: `t${place}-${one!.sms_to}`, last_name: 'Moran' }
    const erase = async () => {
      const { status, body } = await support.ask(contract.erasure.erasePatient, {
        ...input,
        reason: 'Asked in writing',
      })
      return [status, body.message]
    }
    const left = async () => {
      const patients = await asOwner(server, 'select from patient where id = $1 and erased_at is null', [one!.id])
      const sent = await asOwner(server, 'select from simulator_message where recipient = $1', [one!.sms_to])
      return { patients: patients.length, sent: sent.length }
    }
    return { erase, left }
  }

  it('is on record once it is in the ledger: it is reported, and the next check completes it', async () => {
    const { erase, left } = await asked()
    await asOwner(
      server,
      `create function fail_commit() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '53100'; end $$;
       create constraint trigger fail_commit after insert on erasure deferrable initially deferred for each row execute function fail_commit()`,
    )
    const told = await erase()
    await asOwner(server, 'drop function fail_commit cascade')
    expect(told).toEqual([
      507,
      'The server could not finish this at once. The erasure is on record and is completed within a few minutes; you need not ask again.',
    ])
    expect((await left()).patients).toBe(1)
    await lookAgain(server.services)
    expect(await left()).toEqual({ patients: 0, sent: 0 })
  })

  it('changes nothing if the ledger cannot be written, and can be requested again', async () => {
    const { erase, left } = await asked()
    const folder = join(server.services.env.DATA_DIR, 'erasure')
    await rename(folder, `${folder}-aside`)
    await writeFile(folder, '')
    const told = await erase()
    await rm(folder)
    await rename(`${folder}-aside`, folder)
    expect(told).toEqual([500, 'Something went wrong on the server. Nothing was changed. Please try again.'])
    expect(await left()).toEqual({ patients: 1, sent: 1 })
    expect((await erase())[0]).toBe(200)
    expect(await left()).toEqual({ patients: 0, sent: 0 })
  })
})
