import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { opening } from '../../../test/field/contacts.ts'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { asOwner, fresh, makeLogin } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { unsubscribeLink } from '../consent/link/consent-link.queries.ts'
import { processEvents } from '../inbound/events.ts'
import { referenceOf } from '../sending/reference.ts'
import { removeOld } from './retention.jobs.ts'

const DAY = 86_400_000
let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())
afterEach(() => {
  server.clock.offsetMs = 0
})

const remove = () => removeOld.run({}, server.services)
/** Moves the clock forward by this many days. */
const later = (days: number) => {
  server.clock.offsetMs = days * DAY
}
const rows = (text: string, values: unknown[] = []) => asOwner(server, text, values)

describe('gateway events', () => {
  it('are deleted 30 days after arrival once processed; an unseen reply stays', async () => {
    const system = server.services.pools.system
    const at = new Date().toISOString()
    const reply = { at, kind: 'reply' as const, from: '+61499000111', to: '+61400000000', text: 'Hello?' }
    const receipt = { at, kind: 'receipt' as const, gatewayRef: null, status: 'sent' as const, reason: null }
    await insertGatewayEvents(system, server.services.keys, 'fake', [
      { ...receipt, id: 'done', reference: 'x' },
      ...['reply', 'used'].map((id) => ({ ...reply, id })),
    ])
    await processEvents(server.services)
    await rows(`update gateway_event set failure = null where event_id = 'used'`)
    await insertGatewayEvents(system, server.services.keys, 'fake', [{ ...receipt, id: 'open', reference: 'x' }])
    const kept = async () =>
      (await rows(`select event_id from gateway_event where gateway = 'fake' order by id`)).map((one) => one.event_id)
    later(29)
    await remove()
    expect(await kept()).toEqual(['done', 'reply', 'used', 'open'])
    later(31)
    await remove()
    expect(await kept()).toEqual(['reply', 'open'])
    later(740)
    await remove()
    expect(await kept()).toEqual(['open'])
    await rows(`delete from gateway_event where gateway = 'fake'`)
  })
})

describe('contents of gateway events', () => {
  it('that were used and left complete by an older version are deleted; open and unusable ones keep them', async () => {
    const told = {
      id: 'x',
      at: '2026-11-02T00:00:00Z',
      kind: 'reply',
      from: '+61499000111',
      to: '+61400000000',
      text: 'Thanks',
    }
    await rows(
      `insert into gateway_event (gateway, event_id, payload, done_at, failure)
       values ('fake', 'used', $1, now(), null), ('fake', 'open', $1, null, null), ('fake', 'unusable', $1, now(), 'Nobody')`,
      [told],
    )
    await remove()
    expect(await rows(`select event_id, payload from gateway_event where gateway = 'fake' order by id`)).toEqual([
      { event_id: 'used', payload: { kind: 'reply', at: told.at } },
      { event_id: 'open', payload: told },
      { event_id: 'unusable', payload: told },
    ])
    await rows(`delete from gateway_event where gateway = 'fake'`)
  })
})

describe('the stored answers of requests with a key', () => {
  it('are deleted a day later', async () => {
    const { id } = await makeLogin(server, (await makeMessagingWorld(server)).company.id)
    const insert = `insert into request_key (login_id, key_hash, body_hash, made_at) values ($1, $2, '', $3)`
    const now = Date.now()
    await rows(insert, [id, Buffer.from('old'), new Date(now - 23 * 3_600_000)])
    await rows(insert, [id, Buffer.from('new'), new Date(now)])
    const kept = async () => (await rows('select from request_key where login_id = $1', [id])).length
    await remove()
    expect(await kept()).toBe(2)
    later(0.5)
    await remove()
    expect(await kept()).toBe(1)
    later(1.5)
    await remove()
    expect(await kept()).toBe(0)
  })
})

describe('message texts', () => {
  /** Messages in every state, 25 months old by default. */
  async function oldWorld() {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 9)
    const run = await makeRun(server, world, { patients, channel: 'email', state: 'stopped' })
    const ids = (await rows('select id from message where run_id = $1 order by id', [run.id])).map((one) => one.id)
    const set = (at: number, columns: string) => rows(`update message set ${columns} where id = $1`, [ids[at]])
    const old = `now() - interval '25 months'`
    await rows(`update message set created_at = ${old}, subject = 'Your medicines' where run_id = $1`, [run.id])
    await set(0, `state = 'delivered', sent_at = ${old}, settled_at = ${old}, parts = 2, cents = 24`)
    await set(1, `state = 'sent', sent_at = ${old}`)
    await set(2, `state = 'failed', sent_at = ${old}, settled_at = now()`)
    await set(3, `state = 'skipped', reason = 'opted_out', settled_at = ${old}`)
    await set(4, `state = 'unknown', lease_until = now() + interval '1 hour'`)
    await set(5, `state = 'unknown', lease_until = null`)
    await set(6, `state = 'delivered', created_at = now(), sent_at = now(), settled_at = now()`)
    // Written long ago, sent today; its receipt may still come.
    await set(8, `state = 'sent', sent_at = now()`)
    return { world, run, ids, place: world.locations[0]!.id }
  }

  it('are deleted after 24 months; rows, states and costs stay, and so do unsettled messages', async () => {
    const { run, world } = await oldWorld()
    const before = await statesOf(server, run.id)
    await remove()
    const texts = await rows(
      'select state, body is not null as body, subject is not null as subject, parts, cents from message where run_id = $1 order by id',
      [run.id],
    )
    const gone = { body: false, subject: false, parts: 0, cents: 0 }
    const there = { body: true, subject: true, parts: 0, cents: 0 }
    expect(texts).toEqual([
      { ...gone, state: 'delivered', parts: 2, cents: 24 },
      { ...gone, state: 'sent' },
      { ...there, state: 'failed' },
      { ...gone, state: 'skipped' },
      { ...there, state: 'unknown' },
      { ...gone, state: 'unknown' },
      { ...there, state: 'delivered' },
      { ...there, state: 'queued' },
      { ...there, state: 'sent' },
    ])
    expect(await statesOf(server, run.id)).toEqual(before)
    const log = `select company_id, detail from audit where detail->>'what' = 'message texts' order by id desc limit 1`
    expect(await rows(log)).toEqual([{ company_id: world.company.id, detail: { what: 'message texts', removed: 4 } }])
  })

  it('are not needed for late receipts or unsubscribing', async () => {
    const { run, ids, place } = await oldWorld()
    await remove()
    await insertGatewayEvents(server.services.pools.system, server.services.keys, 'fake', [
      {
        ...{ id: fresh('late'), at: new Date().toISOString(), kind: 'receipt', gatewayRef: 'x', reason: null },
        ...{ reference: referenceOf(run.uuid, place, ids[1]), status: 'delivered' },
      },
    ])
    await processEvents(server.services)
    expect(await rows('select state from message where id = $1', [ids[1]])).toEqual([{ state: 'delivered' }])
    const { oneClickUrl } = unsubscribeLink(server.services, place, ids[0])
    const answer = await server.app.inject({
      method: 'POST',
      url: new URL(oneClickUrl).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(answer.statusCode).toBe(200)
    expect(await rows('select source from consent_entry where location_id = $1', [place])).toEqual([
      { source: 'one-click' },
    ])
  })

  it('a number that a patient no longer has is deleted once no message names it either', async () => {
    const world = await makeMessagingWorld(server)
    const [one, two] = await makePatients(server, world.locations[0]!.id, 2)
    await makeRun(server, world, { patients: [one!], state: 'done' })
    const known = async () => {
      const kept = (await rows(`select '#' || id as handle from contact`)) as { handle: string }[]
      const all = (await opening(server, ['handle'], kept)).map(({ handle }) => handle)
      return [one!.sms_to, one!.email_to, two!.sms_to, two!.email_to].map((contact) => all.includes(contact!))
    }
    await rows('update patient set sms_to = null where id = any($1)', [[one!.id, two!.id]])
    await remove()
    expect(await known()).toEqual([true, true, false, true])
    await rows('delete from message where patient_id = $1', [one!.id])
    await remove()
    expect(await known()).toEqual([false, true, false, true])
  })

  it('of replies are also deleted; the row stays', async () => {
    const world = await makeMessagingWorld(server)
    const place = world.locations[0]!.id
    await rows(
      `insert into message_reply (location_id, uuid, sender, received_by, body, may_stop, received_at)
       select $1, gen_random_uuid(), '+61', '+62', 'text', false, now() - m * interval '1 month' from unnest(array[23, 25]) m`,
      [place],
    )
    await remove()
    expect(await rows('select body from message_reply where location_id = $1 order by id', [place])).toEqual([
      { body: 'text' },
      { body: null },
    ])
  })

  /** This many messages three years old, each with a text. */
  async function backlog(count: number) {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 1)
    const run = await makeRun(server, world, { patients, state: 'done' })
    await rows(
      `insert into message (location_id, run_id, batch_id, patient_id, channel, state, body, created_at)
       select location_id, run_id, batch_id, 1000000 + n, channel, 'delivered', 'text', now() - interval '3 years'
       from message, generate_series(1, $2) n where run_id = $1`,
      [run.id, count],
    )
    const left = async () => {
      const [found] = await rows(`select count(*)::int as n from message where run_id = $1 and body = 'text'`, [run.id])
      return Number(found!.n)
    }
    return { run, left }
  }

  it('are not deleted if the log cannot record it: the row and its record are one transaction', async () => {
    const { left } = await backlog(3)
    await rows(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no row''; end';
       create trigger refuse before insert on audit for each row when (new.action = 'retention') execute function refuse()`,
    )
    await expect(remove()).rejects.toThrow('message texts')
    expect(await left()).toBe(3)
    await rows('drop trigger refuse on audit')
  })

  it('are deleted in chunks, by any number of processes at once', async () => {
    const { left } = await backlog(12_000)
    await Promise.all([remove(), remove()])
    await remove()
    expect(await left()).toBe(0)
  })

  it('are still deleted after a worker has lost its database', async () => {
    const { run, left } = await backlog(14_000)
    // The third chunk gets stuck.
    const [{ id } = { id: 0 }] = await rows(
      'select id from message where run_id = $1 order by id offset 12000 limit 1',
      [run.id],
    )
    await rows(
      `create function halt() returns trigger language plpgsql as 'begin perform pg_sleep(9); return new; end';
       create trigger halt before update on message for each row when (new.id = ${id}) execute function halt()`,
    )
    const ended = remove().then(
      () => 'done',
      () => 'cut',
    )
    const halted = `from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await expect.poll(() => rows(`select 1 ${halted}`), { timeout: 30_000, interval: 20 }).toHaveLength(1)
    await rows(`select pg_terminate_backend(pid) ${halted}`)
    expect([await ended, await left()]).toEqual(['cut', 4_000])
    await rows('drop trigger halt on message')
    await remove()
    expect(await left()).toBe(0)
    const log = `select detail->'removed' as n from audit where detail->>'what' = 'message texts' order by id desc limit 3`
    expect(await rows(log)).toEqual([{ n: 4_000 }, { n: 5_000 }, { n: 5_000 }])
  })
})

describe('letters', () => {
  it('lose their text after 30 days and are deleted after 13 months; an unsent one says so', async () => {
    await rows(
      `insert into mail (recipient, subject, body, created_at, sent_at, failure) values
         ('keep@mail.example', 'a', 'x', now() - interval '29 days', now(), null),
         ('keep@mail.example', 'b', 'x', now() - interval '31 days', now(), null),
         ('keep@mail.example', 'c', 'x', now() - interval '31 days', null, '550 no such user'),
         ('keep@mail.example', 'd', null, now() - interval '14 months', now(), null)`,
    )
    await remove()
    const left = `select subject, body is not null as text, failure from mail where recipient = 'keep@mail.example' order by id`
    expect(await rows(left)).toEqual([
      { subject: 'a', text: true, failure: null },
      { subject: 'b', text: false, failure: null },
      { subject: 'c', text: false, failure: '550 no such user It was given up, and its text removed.' },
    ])
  })
})

describe('the daily job', () => {
  it('continues with the other steps when one fails, then fails itself to be retried', async () => {
    const login = await makeLogin(server, (await makeMessagingWorld(server)).company.id)
    await rows(
      `insert into mail (recipient, subject, body, created_at, sent_at) values ($1, 'e', 'x', now() - interval '31 days', now())`,
      [login.email],
    )
    await rows('alter table report_file rename to report_file_away')
    await expect(remove()).rejects.toThrow('report files')
    await rows('alter table report_file_away rename to report_file')
    expect(await rows('select body from mail where recipient = $1', [login.email])).toEqual([{ body: null }])
    await remove()
  })
})
