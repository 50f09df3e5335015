import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opening, storedAs, storing } from '../../../test/field/contacts.ts'
import { consentLog } from '../../../test/field/opened.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  statesOf,
  type TestPatient,
  type TestRun,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { recountQueued } from '../sending/recount.ts'
import { referenceOf } from '../sending/reference.ts'
import { processEvents } from './events.ts'

let server: TestServer
let phones: FakePhones
let services: Services
const SHARED = '+61400000000'

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
})
afterAll(() => server.close())

let told = 0
const tell = (event: Record<string, unknown>, id = `e${++told}`) =>
  insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { id, at: new Date().toISOString(), ...event } as never,
  ])
const reply = (from: string, text: string, to = SHARED, id?: string) => tell({ kind: 'reply', from, to, text }, id)

async function sentWorld(count: number, smsSender: string | null = null) {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, count)
  const run = await makeRun(server, world, { patients, smsSender })
  await sendAll(services)
  return { world, patients, run, place: world.locations[0]!.id }
}

async function referencesOf(run: TestRun): Promise<string[]> {
  const rows = await asOwner<{ location_id: number; id: number }>(
    server,
    'select location_id, id from message where run_id = $1 order by id',
    [run.id],
  )
  return rows.map((row) => referenceOf(run.uuid, row.location_id, row.id))
}

const receipt = (reference: string, status: string, reason: string | null = null) =>
  tell({ kind: 'receipt', reference, gatewayRef: 'x', status, reason })

const consentOf = (patient: TestPatient) =>
  asOwner<{ sms_health_outreach: string; sms_marketing: string; email_health_outreach: string }>(
    server,
    'select sms_health_outreach, sms_marketing, email_health_outreach from consent where location_id = $1 and patient_id = $2',
    [patient.locationId, patient.id],
  ).then((rows) => rows[0] ?? null)

describe('receipts', () => {
  it('give the same result in any order and however often they arrive', async () => {
    const { run } = await sentWorld(6)
    const references = await referencesOf(run)
    const histories: [string, string[]][] = [
      ['delivered', ['sent', 'delivered']],
      ['delivered', ['delivered', 'sent', 'delivered']],
      ['delivered', ['failed', 'delivered', 'sent']],
      ['delivered', ['delivered', 'failed']],
      ['failed', ['failed', 'sent', 'failed']],
      ['sent', ['sent', 'sent']],
    ]
    for (const [at, [, statuses]] of histories.entries()) {
      for (const status of statuses) await receipt(references[at]!, status, status === 'failed' ? 'Unreachable' : null)
    }
    while ((await processEvents(services)) > 0);
    const rows = await asOwner(
      server,
      'select state, reason, cents, settled_at is null as open from message where run_id = $1 order by id',
      [run.id],
    )
    expect(rows).toEqual(
      histories.map(([state]) => ({
        state,
        reason: state === 'failed' ? 'Unreachable' : null,
        cents: 12,
        open: state === 'sent',
      })),
    )
    await recountQueued(services)
    const [batch] = await asOwner(
      server,
      'select num_sent, num_delivered, num_failed, parts, cents from message_batch where run_id = $1',
      [run.id],
    )
    expect(batch).toEqual({ num_sent: 1, num_delivered: 4, num_failed: 1, parts: 6, cents: 72 })
    const open = rows.findIndex((row) => row.open)
    await receipt(references[open]!, 'delivered')
    await processEvents(services)
    await recountQueued(services)
    expect(
      await asOwner(server, 'select num_sent, num_delivered from message_batch where run_id = $1', [run.id]),
    ).toEqual([{ num_sent: 0, num_delivered: 5 }])
  })

  it('prove that a queued message was sent, and stop it from being sent again', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 2)
    const run = await makeRun(server, world, { patients, state: 'stopped' })
    const references = await referencesOf(run)
    await receipt(references[0]!, 'delivered')
    await processEvents(services)
    await asOwner(server, `update message_run set state = 'sending' where id = $1`, [run.id])
    const before = phones.accepted.size
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ delivered: 1, sent: 1 })
    expect(phones.accepted.size).toBe(before + 1)
  })

  it('that were altered, or swapped with others, end with a reason and do not block others', async () => {
    const { run } = await sentWorld(1)
    const [reference] = await referencesOf(run)
    for (const id of ['swapped', 'other']) await tell({ kind: 'reply', from: '+61499123456', to: '', text: 'STOP' }, id)
    await asOwner(
      server,
      `update gateway_event set payload_sealed = (select payload_sealed from gateway_event where event_id = 'other')
       where event_id = 'swapped'`,
    )
    await receipt(reference!, 'delivered')
    await processEvents(services)
    expect(await statesOf(server, run.id)).toEqual({ delivered: 1 })
    expect(await asOwner(server, `select failure from gateway_event where event_id = 'swapped'`)).toEqual([
      { failure: expect.stringMatching(/^It could not be opened: /) },
    ])
    await asOwner(server, `delete from gateway_event where event_id in ('swapped', 'other')`)
  })

  it('for unknown messages are stored with the reason and do not block others', async () => {
    const { run } = await sentWorld(1)
    const [reference] = await referencesOf(run)
    await tell({ kind: 'nonsense' }, 'bad-1')
    await receipt('someone-elses', 'delivered')
    await receipt(reference!.replace(/^p.{12}/, 'p000000000000'), 'delivered')
    await receipt('p000000000000-999999-1', 'delivered')
    await receipt(reference!, 'delivered')
    await processEvents(services)
    expect(await statesOf(server, run.id)).toEqual({ delivered: 1 })
    const open = await asOwner(server, 'select count(*)::int as n from gateway_event where done_at is null')
    expect(open).toEqual([{ n: 0 }])
    const failures = await asOwner<{ failure: string }>(
      server,
      'select failure from gateway_event where failure is not null order by id',
    )
    expect(failures.map((row) => row.failure)).toEqual([
      'It is not in the form of a receipt, a reply or a complaint.',
      'The reference is none of ours.',
      'No message has this reference.',
      'No message has this reference.',
    ])
  })
})

describe('a reply', () => {
  it.each(['STOP', 'stop', ' S t o p ', 'Stop.', 'STOPALL', 'opt-out', '“Unsubscribe”', 'ＳＴＯＰ'])(
    'saying %j stops texts of every kind for everybody with the number, at once',
    async (word) => {
      const number = freshMobile()
      const world = await makeMessagingWorld(server)
      const [one, two, other] = await makePatients(server, world.locations[0]!.id, 3, (at) =>
        at < 2 ? { sms_to: number } : {},
      )
      const first = await makeRun(server, world, { patients: [one!] })
      await sendAll(services)
      const next = await makeRun(server, world, { patients: [one!, two!, other!], startsAt: later() })
      await reply(number, word)
      await processEvents(services)
      expect(await statesOf(server, next.id)).toEqual({ queued: 1, 'skipped opted_out': 2 })
      const closed = { sms_health_outreach: 'out', sms_marketing: 'out', email_health_outreach: 'unknown' }
      expect(await consentOf(one!)).toEqual(closed)
      expect(await consentOf(two!)).toEqual(closed)
      expect(await consentOf(other!)).toBeNull()
      expect(await statesOf(server, first.id)).toEqual({ sent: 1 })
      const log = (await consentLog(server, [one!.locationId])).filter(({ patient }) => patient === one!.id)
      expect(log).toMatchObject([{ type: 'stop', wording: word, source: 'reply', contact: number }])
    },
  )

  it('from a sender whose name looks like a stored number affects nobody with it, then or later', async () => {
    const { patients, place } = await sentWorld(1)
    await asOwner(server, `update location set sms_sender = '+61488000555' where id = $1`, [place])
    const handle = await storedAs(server, patients[0]!.sms_to!)
    for (const text of ['STOP', 'Hello']) await reply(handle, text, '+61488000555')
    await processEvents(services)
    expect(await consentLog(server, [place])).toEqual([])
    const kept = await asOwner<{ sender: string }>(server, 'select sender from message_reply where location_id = $1', [
      place,
    ])
    expect(kept.length).toBe(2)
    for (const { sender } of await opening(server, ['sender'], kept)) expect(sender).toBe(handle.slice(1))
  })

  it('STOP is confirmed once, from the number it was sent to, at any hour and beyond the limit', async () => {
    const world = await makeMessagingWorld(server, {
      week: Array.from({ length: 7 }, () => null),
      cap: { messages: 1, hours: 24 },
    })
    const [patient] = await makePatients(server, world.locations[0]!.id, 1)
    await asOwner(server, 'update location set sms_sender = $1 where id = $2', ['+61 488 000 777', patient!.locationId])
    const from = patient!.sms_to!
    for (const id of ['s1', 's1', 's2']) await reply(from, 'stop', '+61488000777', `${patient!.id}-${id}`)
    await processEvents(services)
    await sendAll(services)
    const texts = [...phones.accepted.values()].filter((text) => text.to === from)
    expect(texts.map(({ from: sender, text }) => ({ sender, text }))).toEqual([
      {
        sender: '+61488000777',
        text: `${world.locations[0]!.name}: you will get no more texts from us. Reply START to get them again.`,
      },
    ])
    const types = 'select type from consent_entry where location_id = $1'
    expect(await asOwner(server, types, [patient!.locationId])).toEqual([{ type: 'stop' }, { type: 'stop' }])
    const ends = 'select extract(minute from ends_at - starts_at)::int as after from message_run where company_id = $1'
    expect(await asOwner(server, ends, [world.company.id])).toEqual([{ after: 15 }])
    await reply(from, 'Start', '61488000777')
    await processEvents(services)
    expect(await consentOf(patient!)).toMatchObject({ sms_health_outreach: 'unknown', sms_marketing: 'unknown' })
  })

  it('START reopens texts to the present owner of the number, and to nobody who was once texted there', async () => {
    const { patients, place } = await sentWorld(1)
    const [patient] = patients as [TestPatient]
    const now = freshMobile()
    await asOwner(server, `update location set sms_sender = '+61488000556' where id = $1`, [place])
    await asOwner(server, 'update patient set sms_to = $3 where location_id = $1 and id = $2', [
      ...[place, patient.id, (await storing(server, [now]))(now)],
    ])
    const say = async (from: string, text: string) => {
      await reply(from, text, '+61488000556')
      await processEvents(services)
      return (await consentOf(patient))!.sms_health_outreach
    }
    expect(await say(now, 'STOP')).toBe('out')
    expect(await say(patient.sms_to!, 'START')).toBe('out')
    const kept = await asOwner(server, 'select may_stop from message_reply where location_id = $1', [place])
    expect(kept).toEqual([{ may_stop: false }])
    expect(await say(now, 'START')).toBe('unknown')
  })

  it('STOP is confirmed from the usual sender if the gateway does not report the number', async () => {
    const { patients } = await sentWorld(1)
    const from = patients[0]!.sms_to!
    await reply(from, 'STOP', '')
    await processEvents(services)
    await sendAll(services)
    const texts = [...phones.accepted.values()].filter(
      (text) => text.to === from && text.text.includes('no more texts'),
    )
    expect(texts.map((text) => text.from)).toEqual([null])
  })

  it('to a shared sender applies to every pharmacy that texted the number, in any company', async () => {
    const number = freshMobile()
    const places: { world: MessagingWorld; patient: TestPatient }[] = []
    for (let i = 0; i < 3; i++) {
      const world = await makeMessagingWorld(server)
      const [patient] = await makePatients(server, world.locations[0]!.id, 1, () => ({ sms_to: number }))
      places.push({ world, patient: patient! })
    }
    for (const { world, patient } of places.slice(0, 2)) await makeRun(server, world, { patients: [patient] })
    await sendAll(services)
    await reply(number.slice(1), 'STOP')
    await processEvents(services)
    await sendAll(services)
    expect(await consentOf(places[0]!.patient)).toMatchObject({ sms_health_outreach: 'out' })
    expect(await consentOf(places[1]!.patient)).toMatchObject({ sms_health_outreach: 'out' })
    expect(await consentOf(places[2]!.patient)).toBeNull()
    const confirmations = [...phones.accepted.values()].filter(
      (text) => text.to === number && text.text.includes('no more texts'),
    )
    expect(confirmations).toHaveLength(1)
  })

  it('that may be an opt-out changes no consent by itself', async () => {
    const { patients } = await sentWorld(1)
    await reply(patients[0]!.sms_to!, 'please stop texting me', SHARED, fresh('ask'))
    await processEvents(services)
    expect(await consentOf(patients[0]!)).toBeNull()
  })
})

const later = () => new Date(Date.now() + 3600_000)
