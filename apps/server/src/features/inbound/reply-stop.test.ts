import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentLog } from '../../../test/field/opened.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh, makeLogin, signIn } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
const phones = new FakePhones()
const SHARED = '+61400000000'
const WISH = 'please stop texting me, I have moved'

beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

/** A patient's reply arrives and is processed. */
async function answer(from: string, text: string, to = SHARED): Promise<void> {
  const event = { id: fresh('wish'), at: new Date().toISOString(), kind: 'reply' as const, from, to, text }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [event])
  while ((await processEvents(services)) > 0);
}

interface Reply {
  reply_id: string
  pharmacy_id: string
  holders: { patients: number; out: number }
  stopped_at: string | null
  stopped_by: string | null
  read_at: string | null
  read_by: string | null
}

async function officeOf(world: MessagingWorld) {
  const login = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  const { bearer } = await signIn(server, login)
  const list = async () => (await server.call<{ replies: Reply[] }>('/api/messaging/replies', {}, bearer)).body.replies
  return {
    login,
    list,
    first: async () => (await list())[0]!,
    stop: (id: string) => server.call(`/api/messaging/replies/${id}/stop`, {}, bearer),
    forward: (id: string) => server.call<{ sent_to?: string }>(`/api/messaging/replies/${id}/forward`, {}, bearer),
    mark: (id: string, read: boolean) => server.call(`/api/messaging/replies/${id}/read`, { read }, bearer),
  }
}

/** Patients of one pharmacy who share a number; the first was texted and replied. */
async function wishWorld(count = 1, text = WISH) {
  const world = await makeMessagingWorld(server)
  const number = freshMobile()
  const patients = await makePatients(server, world.locations[0]!.id, count, () => ({ sms_to: number }))
  await makeRun(server, world, { patients: [patients[0]!] })
  await sendAll(services)
  await answer(number, text)
  const office = await officeOf(world)
  return { world, number, patients, office, reply: await office.first() }
}

const logOf = async (world: MessagingWorld) =>
  (await consentLog(server, world.scope.locationIds)).map(({ location_id: _, answers: __, ...entry }) => entry)
const consentsOf = async (world: MessagingWorld) =>
  (
    await asOwner<{ sms: string }>(
      server,
      `select sms_health_outreach || ' ' || sms_marketing as sms from consent where location_id = any ($1) order by patient_id`,
      [world.scope.locationIds],
    )
  ).map((row) => row.sms)

it('a reply is not forwarded to a contact whose login is locked', async () => {
  const { world, office, reply } = await wishWorld()
  const owner = await makeLogin(server, world.company.id)
  await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [owner.id, world.locations[0]!.id])
  await asOwner(server, 'update login set disabled_at = now() where id = $1', [owner.id])
  expect((await office.forward(reply.reply_id)).status).toBe(422)
  await asOwner(server, 'update login set disabled_at = null where id = $1', [owner.id])
  expect((await office.forward(reply.reply_id)).body.sent_to).toBe(owner.email)
})

it('a patient who was never texted at a number, though a text to it was planned, does not hold it', async () => {
  const { world, number, office } = await wishWorld()
  const [planned] = await makePatients(server, world.locations[0]!.id, 1, () => ({ sms_to: number }))
  await makeRun(server, world, { patients: [planned!], state: 'stopped' })
  expect((await office.first()).holders).toMatchObject({ patients: 2 })
  await asOwner(server, 'update patient set sms_to = null where id = $1', [planned!.id])
  expect((await office.first()).holders).toMatchObject({ patients: 1 })
})

describe('stopping texts to the number of a reply', () => {
  it('stops every kind for everybody with it, quoting the reply, and records who did it and when', async () => {
    const { world, number, patients, office, reply } = await wishWorld(2)
    const [stranger] = await makePatients(server, world.locations[0]!.id, 1)
    // Who still gets marketing is not out.
    await asOwner(
      server,
      `insert into consent (location_id, patient_id, sms_health_outreach, sms_marketing, updated_at) values ($1, $2, 'out', 'in', now())`,
      [world.locations[0]!.id, patients[0]!.id],
    )
    expect((await office.first()).holders).toEqual({ patients: 2, out: 0 })
    expect(reply).toMatchObject({ holders: { patients: 2, out: 0 }, stopped_at: null, stopped_by: null })
    const from = Date.now()
    expect(await office.stop(reply.reply_id)).toMatchObject({ status: 200, body: { stopped: true } })
    expect(await consentsOf(world)).toEqual(['out out', 'out out'])
    const entry = { type: 'stop', wording: WISH, source: 'head office', contact: number }
    expect(await logOf(world)).toEqual(patients.map(({ id }) => ({ patient: id, ...entry })))
    expect((await logOf(world)).map((one) => one.patient)).not.toContain(stranger!.id)
    const after = await office.first()
    expect(after).toMatchObject({ holders: { patients: 2, out: 2 }, stopped_by: 'Robin Vale', read_by: 'Robin Vale' })
    expect(Date.parse(after.stopped_at!)).toBeGreaterThanOrEqual(from)
    expect(after.read_at).toBe(after.stopped_at)
    const audit = await asOwner(
      server,
      `select login_id, object from audit where action = 'inbound.stopReply' and company_id = $1`,
      [world.company.id],
    )
    expect(audit).toEqual([{ login_id: office.login.id, object: reply.reply_id }])
  })

  it('cancels their queued messages, and sends no confirmation text', async () => {
    const { world, number, patients, office, reply } = await wishWorld(2)
    const [other] = await makePatients(server, world.locations[0]!.id, 1)
    const startsAt = new Date(Date.now() + 3600_000)
    const run = await makeRun(server, world, { patients: [...patients, other!], startsAt })
    const before = phones.accepted.size
    await office.stop(reply.reply_id)
    expect(await statesOf(server, run.id)).toEqual({ queued: 1, 'skipped opted_out': 2 })
    await sendAll(services)
    expect(phones.accepted.size).toBe(before)
    const confirming = await asOwner(
      server,
      `select 1 from message_batch where location_id = $1 and message_kind = 'confirmation'`,
      [world.locations[0]!.id],
    )
    expect([confirming, [...phones.accepted.values()].filter(({ to }) => to === number).length]).toEqual([[], 1])
  })

  it('adds one entry per patient, however often and by however many people it is pressed', async () => {
    const { world, office, reply } = await wishWorld(2)
    const colleague = await officeOf(world)
    const tries = [office, colleague, office, colleague].map((one) => one.stop(reply.reply_id))
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const first = await office.first()
    await office.stop(reply.reply_id)
    expect(await logOf(world)).toHaveLength(2)
    expect(await office.first()).toEqual(first)
  })

  it('stays recorded when START reopens texts, and pressing again does not undo START', async () => {
    const { world, number, office, reply } = await wishWorld()
    await office.stop(reply.reply_id)
    await answer(number, 'START')
    expect(await consentsOf(world)).toEqual(['unknown unknown'])
    expect(await office.first()).toMatchObject({ holders: { patients: 1, out: 0 }, stopped_by: 'Robin Vale' })
    await office.stop(reply.reply_id)
    expect(await consentsOf(world)).toEqual(['unknown unknown'])
    await office.mark(reply.reply_id, false)
    expect(await office.first()).toMatchObject({ read_at: null, stopped_by: 'Robin Vale' })
  })

  it('counts from now, so an earlier START does not override it', async () => {
    const { world, number, office, reply } = await wishWorld()
    await answer(number, 'START')
    await office.stop(reply.reply_id)
    expect(await consentsOf(world)).toEqual(['out out'])
  })

  it('keeps the first reader, and leaves other replies unchanged', async () => {
    const { world, office, reply } = await wishWorld(1, 'I live in Geelong now')
    await office.mark(reply.reply_id, true)
    const { read_at } = await office.first()
    await office.stop(reply.reply_id)
    expect((await office.first()).read_at).toBe(read_at)
    expect(await logOf(world)).toMatchObject([{ wording: 'I live in Geelong now', source: 'head office' }])
  })

  it('applies to that pharmacy alone', async () => {
    const world = await makeMessagingWorld(server, { locations: 2 })
    const number = freshMobile()
    for (const { id } of world.locations) {
      await makeRun(server, world, { patients: await makePatients(server, id, 1, () => ({ sms_to: number })) })
    }
    await sendAll(services)
    await answer(number, WISH)
    const office = await officeOf(world)
    const [one, other] = await office.list()
    await office.stop(one!.reply_id)
    const there = world.locations.find(({ uuid }) => uuid === one!.pharmacy_id)!
    const entries = (await consentLog(server, world.scope.locationIds)).filter(({ contact }) => contact === number)
    expect(entries.map(({ location_id }) => location_id)).toEqual([there.id])
    const left = (await office.list()).find(({ reply_id }) => reply_id === other!.reply_id)
    expect(left).toMatchObject({ holders: { patients: 1, out: 0 }, stopped_at: null, read_at: null })
  })

  it('is refused for an unknown sender, and once the text is deleted; then nothing is recorded', async () => {
    const { world, office, reply } = await wishWorld()
    const sender = freshMobile()
    await asOwner(server, 'update location set sms_sender = $1 where id = $2', [sender, world.locations[0]!.id])
    await answer('+61499999125', WISH, sender)
    const stranger = await office.first()
    expect(stranger.holders).toEqual({ patients: 0, out: 0 })
    expect(await office.stop(stranger.reply_id)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^No patient of .+ has this number/) },
    })
    await asOwner(server, 'update message_reply set body = null where uuid = $1', [reply.reply_id])
    expect(await office.stop(reply.reply_id)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/removed after 24 months/) },
    })
    expect(await logOf(world)).toEqual([])
    for (const one of await office.list()) expect(one).toMatchObject({ stopped_at: null, read_at: null })
  })

  it('for another company’s reply gives the answer for an unknown id, and changes nothing', async () => {
    const { world, office, reply } = await wishWorld()
    const rival = await officeOf(await makeMessagingWorld(server))
    const foreign = await rival.stop(reply.reply_id)
    const unknown = await rival.stop('00000000-0000-4000-8000-000000000000')
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
    expect(await logOf(world)).toEqual([])
    expect(await office.first()).toEqual(reply)
  })
})

it('a START that is processed again does not undo the STOP that followed it', async () => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  const { id: patientId, locationId } = patient!
  const say = (type: 'start' | 'stop', uuid: string) =>
    world.inside((tx) => {
      const said = { locationId, patientId, at: new Date(), event: { type }, wording: type, source: 'reply', uuid }
      return recordConsent(tx, said, new Date())
    })
  const [first, second] = [randomUUID(), randomUUID()]
  await say('start', first)
  await say('stop', second)
  const { entryId, after } = await say('start', first)
  expect([entryId, after.sms.health_outreach.choice]).toEqual([null, 'out'])
})
