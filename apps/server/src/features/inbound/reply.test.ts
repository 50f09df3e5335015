import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/field/opened.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh, mailTo, makeLogin, signIn } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
const SHARED = '+61400000000'

beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

const processAll = async () => {
  while ((await processEvents(services)) > 0);
}

/** A patient's answer arrives and is processed. */
async function answer(from: string, text: string, more: { to?: string; id?: string; at?: Date } = {}): Promise<void> {
  const { to = SHARED, id = fresh('reply'), at = new Date() } = more
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { id, at: at.toISOString(), kind: 'reply', from, to, text },
  ])
  await processAll()
}

/** Texts one patient at each pharmacy, all with the same number if one is given. */
async function textedWorld(options: { locations?: number; number?: string; campaign?: string } = {}) {
  const world = await makeMessagingWorld(server, { locations: options.locations ?? 1 })
  const patients = await Promise.all(
    world.locations.map(async ({ id }) => {
      const [patient] = await makePatients(server, id, 1, () => (options.number ? { sms_to: options.number } : {}))
      return patient!
    }),
  )
  const campaign = options.campaign ? await makeCampaign(server, world.company.id, { name: options.campaign }) : null
  for (const patient of patients) {
    const own = campaign ? { campaignId: campaign.id } : {}
    await makeRun(server, world, { patients: [patient], ...own })
    await sendAll(services)
  }
  return { world, patients, campaign }
}

interface Reply {
  reply_id: string
  pharmacy_name: string
  patient_refs: string[]
  number_end: string
  text: string | null
  may_stop: boolean
  answers: { campaign_id: string | null; name: string } | null
  read_at: string | null
  read_by: string | null
}

async function officeOf(world: MessagingWorld) {
  const login = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
  const { bearer } = await signIn(server, login)
  return {
    list: async (input: object = {}) =>
      (
        await server.call<{ replies: Reply[]; total: number; page_count: number }>(
          '/api/messaging/replies',
          input,
          bearer,
        )
      ).body,
    unread: async () =>
      (await server.call<{ unread: number }>('/api/messaging/replies/unread', {}, bearer)).body.unread,
    markAll: (until: string) => server.call<{ marked: number }>('/api/messaging/replies/read-all', { until }, bearer),
    forward: (id: string) =>
      server.call<{ sent_to: string; message: string }>(`/api/messaging/replies/${id}/forward`, {}, bearer),
    mark: (id: string, read: boolean) => server.call(`/api/messaging/replies/${id}/read`, { read }, bearer),
  }
}

const refOf = async (id: number) => {
  const [row] = await asOwner<{ source_id: string }>(server, 'select source_id from patient where id = $1', [id])
  return row!.source_id
}

describe('a reply that is neither STOP nor START', () => {
  it('is kept for a person to read, with the patient and campaign, without name or number', async () => {
    const { world, patients, campaign } = await textedWorld({ campaign: 'Repeats due' })
    const [patient] = patients
    await asOwner(server, `update patient set source_id = 'P-1' where id = $1`, [patient!.id])
    await answer(patient!.sms_to!, 'Can I pick up Friday?')
    const office = await officeOf(world)
    const { replies, total } = await office.list()
    expect(total).toBe(1)
    expect(replies[0]).toMatchObject({
      pharmacy_name: world.locations[0]!.name,
      patient_refs: ['P-1'],
      number_end: patient!.sms_to!.slice(-3),
      text: 'Can I pick up Friday?',
      may_stop: false,
      answers: { campaign_id: campaign!.uuid, name: 'Repeats due' },
      read_at: null,
      read_by: null,
    })
    expect(JSON.stringify(replies)).not.toMatch(/Ines|Moran|\+614/)
    expect(await office.unread()).toBe(1)
  })

  it('is stored once however often it arrives or is processed', async () => {
    const { world, patients } = await textedWorld()
    for (let time = 0; time < 2; time++) await answer(patients[0]!.sms_to!, 'Thanks', { id: 'told-twice' })
    // As after a crash between storing the reply and ending the event.
    const told = { at: new Date().toISOString(), kind: 'reply', from: patients[0]!.sms_to, to: SHARED, text: 'Thanks' }
    await asOwner(server, `update gateway_event set done_at = null, payload = $1 where event_id = 'told-twice'`, [told])
    await processAll()
    expect((await (await officeOf(world)).list()).total).toBe(1)
  })

  it('that may be an opt-out comes first until read, and "mark all" skips it', async () => {
    const { world, patients } = await textedWorld()
    const from = patients[0]!.sms_to!
    await answer(from, 'please stop texting me')
    await answer(from, 'Thanks')
    await answer(from, 'See you Friday')
    const office = await officeOf(world)
    const texts = async () => (await office.list({ unread: true })).replies.map((reply) => reply.text)
    expect(await texts()).toEqual(['please stop texting me', 'See you Friday', 'Thanks'])
    expect((await office.markAll('2020-01-01T00:00:00Z')).body).toEqual({ marked: 0 })
    const stranger = await officeOf(await makeMessagingWorld(server))
    expect((await stranger.markAll('2099-01-01T00:00:00Z')).body).toEqual({ marked: 0 })
    for (const marked of [2, 0]) expect((await office.markAll('2099-01-01T00:00:00Z')).body).toEqual({ marked })
    expect(await texts()).toEqual(['please stop texting me'])
    const [wish] = (await office.list({ unread: true })).replies
    await office.mark(wish!.reply_id, true)
    expect((await office.list()).replies.map((reply) => reply.text)).toEqual([
      'See you Friday',
      'Thanks',
      'please stop texting me',
    ])
  })

  it('is mailed to its pharmacy once, without a name or number, after a contact is set', async () => {
    const { world, patients } = await textedWorld()
    await asOwner(server, `update patient set source_id = 'P-7' where id = $1`, [patients[0]!.id])
    await answer(patients[0]!.sms_to!, 'Can you deliver?')
    const office = await officeOf(world)
    const [reply] = (await office.list()).replies
    const none = await office.forward(reply!.reply_id)
    expect([none.status, none.body.message]).toEqual([
      422,
      `${world.locations[0]!.name} has no contact with an email address. Please ask your administrator to add one.`,
    ])
    const owner = await makeLogin(server, world.company.id)
    await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [owner.id, world.locations[0]!.id])
    await asOwner(server, `update location set country = 'US' where id = $1`, [world.locations[0]!.id])
    const twice = await Promise.all([1, 2].map(() => office.forward(reply!.reply_id)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 429])
    const letters = await mailTo(server, twice.find(({ status }) => status === 200)!.body.sent_to)
    expect(letters).toHaveLength(1)
    const letter = letters[0]!.text
    expect(letter).toContain('Can you deliver?')
    expect(letter).toContain('patient P-7 of your dispensing system')
    expect(letter).toMatch(/\) on [A-Z][a-z]{2} \d{1,2}, \d{4}, /)
    expect(letter).not.toMatch(/Ines|Moran|\+614/)
    expect((await office.list()).replies[0]!.read_at).not.toBeNull()
    expect((await (await officeOf(await makeMessagingWorld(server))).forward(reply!.reply_id)).status).toBe(404)
    await asOwner(server, 'update message_reply set body = null where uuid = $1', [reply!.reply_id])
    expect(await office.forward(reply!.reply_id)).toMatchObject({
      status: 409,
      body: { message: 'The text of this reply has been removed. It can no longer be forwarded.' },
    })
  })

  it('is flagged when it may be an opt-out', async () => {
    const { world, patients } = await textedWorld()
    await answer(patients[0]!.sms_to!, 'please stop texting me')
    expect((await (await officeOf(world)).list()).replies[0]).toMatchObject({ may_stop: true })
  })

  it('lists everybody with the number, and the newest text before it', async () => {
    const { world, patients } = await textedWorld()
    const [patient] = patients
    const [partner] = await makePatients(server, patient!.locationId, 1, () => ({ sms_to: patient!.sms_to }))
    const at = new Date()
    const { id: campaignId } = await makeCampaign(server, world.company.id, { name: 'Sent after it' })
    await makeRun(server, world, { patients: [patient!], campaignId, startsAt: at })
    await sendAll(services)
    await answer(patient!.sms_to!, 'Who is this?', { at })
    const [reply] = (await (await officeOf(world)).list()).replies
    expect(reply!.patient_refs.sort()).toEqual([await refOf(patient!.id), await refOf(partner!.id)].sort())
    expect(reply!.answers).toMatchObject({ name: 'Repeat due', campaign_id: null })
    await answer(patient!.sms_to!, 'And this?')
    expect((await (await officeOf(world)).list()).replies[0]!.answers).toMatchObject({
      campaign_id: expect.any(String),
    })
  })

  it('goes to the pharmacy that texted last; an opt-out goes to each that texted', async () => {
    const number = freshMobile()
    const { world } = await textedWorld({ locations: 2, number })
    const office = await officeOf(world)
    await answer(number, 'Thanks')
    expect((await office.list()).replies.map((one) => one.pharmacy_name)).toEqual([world.locations[1]!.name])
    await answer(number, 'Please do not text again, stop it')
    const wishes = (await office.list()).replies.filter((one) => one.may_stop)
    expect(wishes.map((one) => one.pharmacy_name).sort()).toEqual(world.locations.map((one) => one.name).sort())
  })

  it('from an unknown number is kept without a patient, and so is a STOP', async () => {
    const { world } = await textedWorld()
    const sender = freshMobile()
    await asOwner(server, 'update location set sms_sender = $1 where id = $2', [sender, world.locations[0]!.id])
    await answer('+61499999123', 'Are you open today?', { to: sender })
    await answer('+61499999124', 'STOP', { to: sender })
    const { replies } = await (await officeOf(world)).list()
    expect(replies).toMatchObject([
      { text: 'STOP', may_stop: true, patient_refs: [], number_end: '124', answers: null },
      { text: 'Are you open today?', may_stop: false, patient_refs: [], number_end: '123', answers: null },
    ])
  })

  it('that matches no pharmacy stays with its event, and no company sees it', async () => {
    await answer('+61499999999', 'Hello?', { id: 'to nobody' })
    const [event] = await eventsOf(server, `event_id = 'to nobody'`)
    expect(event).toMatchObject({
      sealed: true,
      failure: 'No pharmacy sent a text to this number from that sender.',
      payload: { from: '+61499999999', text: 'Hello?' },
    })
    const kept = await asOwner(server, `select 1 from message_reply where sender = '+61499999999'`)
    expect(kept).toEqual([])
  })
})

describe('the reply list', () => {
  it('keeps the first reader of a reply, which can be marked unread again', async () => {
    const { world, patients } = await textedWorld()
    await answer(patients[0]!.sms_to!, 'Yes please')
    const [one, other] = [await officeOf(world), await officeOf(world)]
    const { reply_id } = (await one.list()).replies[0]!
    expect((await one.mark(reply_id, true)).status).toBe(200)
    const first = (await one.list()).replies[0]!
    expect(first.read_by).toBe('Robin Vale')
    expect((await other.mark(reply_id, true)).status).toBe(200)
    expect((await other.list()).replies[0]!.read_at).toBe(first.read_at)
    expect(await one.unread()).toBe(0)
    expect((await one.list({ unread: true })).total).toBe(0)
    await one.mark(reply_id, false)
    expect((await one.list({ unread: true })).replies[0]).toMatchObject({ read_at: null, read_by: null })
  })

  it('shows the newest first, a page at a time', async () => {
    const { world, patients } = await textedWorld()
    for (let at = 0; at < 23; at++) {
      await answer(patients[0]!.sms_to!, `reply ${at}`, { at: new Date(Date.now() - 60_000 + at * 1000) })
    }
    const office = await officeOf(world)
    const pages = [await office.list(), await office.list({ page: 2 })]
    expect(pages[0]).toMatchObject({ total: 23, page_count: 2 })
    const texts = pages.flatMap((page) => page.replies.map((one) => one.text))
    expect(texts).toEqual(Array.from({ length: 23 }, (_, at) => `reply ${22 - at}`))
  })

  it('belongs to its company; another company gets the answer for an unknown id', async () => {
    const { world, patients } = await textedWorld()
    await answer(patients[0]!.sms_to!, 'For your eyes')
    const { reply_id } = (await (await officeOf(world)).list()).replies[0]!
    const rival = await officeOf(await makeMessagingWorld(server))
    expect(await rival.list()).toMatchObject({ replies: [], total: 0 })
    expect(await rival.unread()).toBe(0)
    const foreign = await rival.mark(reply_id, true)
    const unknown = await rival.mark('00000000-0000-4000-8000-000000000000', true)
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
    expect((await (await officeOf(world)).list()).replies[0]!.read_at).toBeNull()
  })

  it('leaves an audit row each time it is viewed', async () => {
    const { world, patients } = await textedWorld()
    await answer(patients[0]!.sms_to!, 'Thanks')
    await (await officeOf(world)).list({ unread: true })
    const rows = await asOwner(
      server,
      `select detail from audit where action = 'inbound.replies' and company_id = $1`,
      [world.company.id],
    )
    expect(rows).toEqual([{ detail: { unread: true, page: 1, rows: 1 } }])
  })
})
