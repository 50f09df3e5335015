import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { opening } from '../../../test/field/contacts.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { reservePace } from '../../features/sending/lease.queries.ts'
import { keepFault } from '../../gateways/error-report.queries.ts'
import { openQueue } from '../queue.ts'

let open: TestServer
beforeAll(async () => {
  open = await startTestServer()
})
afterAll(() => open.close())

const scrape = () => open.app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })

describe('backlog metrics', () => {
  let world: MessagingWorld
  beforeAll(async () => {
    world = await makeMessagingWorld(open)
  })
  beforeEach(() =>
    asOwner(
      open,
      `truncate message, message_batch, message_run, gateway_event, gateway_pace, upload, enrolment, error_report cascade;
       truncate pgboss.job`,
    ),
  )

  /** Pillar's gauges, with labels in the name. */
  async function gauges(): Promise<Record<string, number>> {
    const lines = (await scrape()).body.split('\n')
    const own = lines
      .filter((line) => /^pillar_(?!request|pool|disk|clock|holidays|jobs_done)/.test(line))
      .map((line) => line.split(' '))
    return Object.fromEntries(own.map(([name, value]) => [name, Number(value)]))
  }
  const near = (seconds: number) => expect.closeTo(seconds, -1)
  const place = () => world.locations[0]!.id
  const run = async (count: number, columns: { state?: string; startsAt?: Date } = {}) =>
    makeRun(open, world, { ...columns, patients: await makePatients(open, place(), count) })

  it('are zero when nothing is waiting', async () => {
    const all = await gauges()
    expect(all.pillar_database_up).toBe(1)
    expect(all['pillar_jobs_failed{queue="after-upload"}']).toBe(0)
    const others = Object.entries(all).filter(([name, value]) => name !== 'pillar_database_up' && value !== 0)
    expect(others).toEqual([])
  })

  it('count messages that no sender takes, but not those before their hour', async () => {
    const { batches } = await run(3)
    await asOwner(
      open,
      `update message_batch set num_queued = 3, next_at = now() - interval '20 minutes' where id = $1`,
      [batches.get(place())],
    )
    const later = await run(2, { startsAt: new Date(Date.now() + 3_600_000) })
    await asOwner(open, `update message_batch set num_queued = 2, next_at = now() - interval '3 hours' where id = $1`, [
      later.batches.get(place()),
    ])
    const stopped = await run(4, { state: 'stopped' })
    await asOwner(
      open,
      `update message_batch set num_queued = 4, next_at = now() - interval '5 hours', stopped_at = now() where id = $1`,
      [stopped.batches.get(place())],
    )
    expect(await gauges()).toMatchObject({ pillar_messages_queued: 5, pillar_messages_overdue_seconds: near(1200) })
  })

  it('count messages as overdue that a gateway does not take, although their batch is tried again in a moment', async () => {
    const { batches } = await run(3)
    await asOwner(open, `update message set planned_at = now() - interval '20 minutes'`)
    const next = (at: string) =>
      asOwner(open, `update message_batch set num_queued = 3, next_at = now() + $2::interval where id = $1`, [
        ...[batches.get(place()), at],
      ])
    await next('30 seconds')
    expect(await gauges()).toMatchObject({ pillar_messages_queued: 3, pillar_messages_overdue_seconds: near(1200) })
    await next('6 hours')
    expect(await gauges()).toMatchObject({ pillar_messages_overdue_seconds: 0 })
  })

  it('count unknown messages, with and without look-ups', async () => {
    await run(4)
    await asOwner(
      open,
      `update message set state = case rank when 1 then 'sending' else 'unknown' end,
         lease_until = case when rank < 4 then now() + interval '1 minute' end, planned_at = now() - rank * interval '1 hour'
       from (select id as one, row_number() over (order by id) as rank from message) r where id = one`,
    )
    expect(await gauges()).toMatchObject({
      pillar_messages_sending: 1,
      pillar_messages_unknown: 2,
      pillar_messages_unknown_oldest_seconds: near(3 * 3600),
      pillar_messages_unanswered: 1,
    })
  })

  it('count the messages of unfinished runs, by state', async () => {
    const counts = 'num_queued = 3, num_delivered = 2, num_failed = 1'
    const { batches } = await run(6)
    await asOwner(open, `update message_batch set ${counts} where id = $1`, [batches.get(place())])
    const over = await run(6, { state: 'done' })
    await asOwner(open, `update message_run set ended_at = now() where state = 'done'`)
    await asOwner(open, `update message_batch set ${counts} where id = $1`, [over.batches.get(place())])
    expect(await gauges()).toMatchObject({
      'pillar_run_messages{state="queued"}': 3,
      'pillar_run_messages{state="delivered"}': 2,
      'pillar_run_messages{state="failed"}': 1,
      'pillar_run_messages{state="sent"}': 0,
    })
  })

  it('count gateway events and paused gateways', async () => {
    await asOwner(
      open,
      `insert into gateway_event (gateway, event_id, payload, received_at, done_at, failure) values
         ('http', 'a', '{}', now() - interval '10 minutes', null, null), ('http', 'b', '{}', now(), null, null),
         ('http', 'c', '{}', now() - interval '2 hours', now(), 'The reference is none of ours.'),
         ('http', 'f', '{}', now() - interval '50 minutes', now(), 'The reference is none of ours.'),
         ('http', 'd', '{}', now() - interval '2 days', now(), 'The reference is none of ours.'),
         ('http', 'e', '{}', now(), now(), null);
       insert into gateway_pace values ('http', now() + interval '50 seconds'), ('smtp', now() - interval '1 day')`,
    )
    expect(await gauges()).toMatchObject({
      pillar_gateway_events_open: 2,
      pillar_gateway_events_oldest_seconds: near(600),
      pillar_gateway_events_unusable: 2,
      pillar_gateway_events_unusable_lately: 1,
      'pillar_gateway_pause_seconds{gateway="http"}': near(50),
      'pillar_gateway_pause_seconds{gateway="smtp"}': 0,
    })
  })

  it('count errors of the last hour in any process, including one that the error ended', async () => {
    const fault = {
      name: 'Error',
      code: null,
      call: 'uncaughtException',
      status: null,
      release: 'pillar@1',
      frames: [],
    }
    const { system } = open.services.pools
    for (const source of ['server', 'server', 'screens'] as const) await keepFault(system, { ...fault, source })
    await asOwner(
      open,
      `update error_report set at = now() - interval '2 hours' where id = (select min(id) from error_report)`,
    )
    expect(await gauges()).toMatchObject({
      'pillar_errors_lately{source="server"}': 1,
      'pillar_errors_lately{source="screens"}': 1,
    })
  })

  it('do not call a gateway paused that accepts messages as fast as it may', async () => {
    const booked: (number | null)[] = []
    for (let turn = 0; turn < 4; turn++) booked.push(await reservePace(open.services.pools.system, 'twilio', 10, 20))
    expect(booked.at(-1)).toBeNull()
    expect(await gauges()).toMatchObject({ 'pillar_gateway_pause_seconds{gateway="twilio"}': 0 })
  })

  it('cover uploads and jobs', async () => {
    const upload = (state: string, ago: string) =>
      `(gen_random_uuid(), ${place()}, '${state}', 'canonical', now() - interval '${ago}', now() - interval '${ago}')`
    await asOwner(
      open,
      `insert into upload (uuid, location_id, etl_state, data_source, location_upload_time, etl_stop_time) values
         ${[upload('RECEIVED', '15 minutes'), upload('OVERRIDE', '5 minutes'), upload('PROCESSING', '1 hour')].join()},
         ${[upload('ERROR', '90 minutes'), upload('ERROR', '30 minutes'), upload('ERROR', '2 days'), upload('COMPLETED', '1 day')].join()};
       insert into pgboss.job (name, state, created_on, completed_on) values
         ('after-upload', 'created', now() - interval '30 minutes', null), ('after-upload', 'active', now(), null),
         ('after-upload', 'completed', now() - interval '1 day', now()),
         ('mail', 'failed', now(), now()), ('mail', 'failed', now(), now() - interval '2 days'), ('mail', 'retry', now(), null)`,
    )
    expect(await gauges()).toMatchObject({
      pillar_uploads_waiting: 2,
      pillar_uploads_oldest_seconds: near(900),
      pillar_uploads_processing: 1,
      pillar_uploads_failed: 2,
      pillar_uploads_failed_lately: 1,
      pillar_archive_failing_seconds: 0,
      'pillar_jobs_waiting{queue="after-upload"}': 1,
      'pillar_jobs_active{queue="after-upload"}': 1,
      'pillar_jobs_oldest_seconds{queue="after-upload"}': near(1800),
      'pillar_jobs_failed{queue="after-upload"}': 0,
      'pillar_jobs_failed{queue="mail"}': 1,
      'pillar_jobs_waiting{queue="mail"}': 1,
    })
  })

  it('report since when a due job has been waiting, without the time until its next try', async () => {
    await asOwner(
      open,
      `insert into pgboss.job (name, state, created_on, start_after) values
         ('mail', 'retry', now() - interval '2 days', now() + interval '50 minutes'),
         ('mail', 'retry', now() - interval '2 days', now() - interval '40 minutes'),
         ('prepare-run', 'created', now() - interval '35 minutes', now() - interval '35 minutes'),
         ('retention', 'active', now() - interval '3 hours', now() - interval '3 hours'),
         ('verify-audit', 'retry', now() - interval '3 hours', now() + interval '1 minute')`,
    )
    expect(await gauges()).toMatchObject({
      'pillar_jobs_overdue_seconds{queue="mail"}': near(2400),
      'pillar_jobs_overdue_seconds{queue="prepare-run"}': near(2100),
      'pillar_jobs_overdue_seconds{queue="retention"}': 0,
      'pillar_jobs_overdue_seconds{queue="verify-audit"}': 0,
    })
  })

  it('count a job that was given up even while it is retried, so that its alert does not end and start again', async () => {
    await asOwner(
      open,
      `insert into pgboss.job (name, state, retry_limit) select name, state::pgboss.job_state, retry_limit + more
       from pgboss.queue, (values ('retry', 1), ('active', 2), ('retry', 0)) v(state, more) where name = 'retention'`,
    )
    expect(await gauges()).toMatchObject({ 'pillar_jobs_failed{queue="retention"}': 2 })
  })

  it('report since when a night’s work was not done, whatever kept it from being asked for or from ending', async () => {
    await asOwner(
      open,
      `update pgboss.queue set created_on = now() - interval '9 days' where name in ('retention', 's8-check');
       insert into pgboss.job (name, state, created_on, completed_on) values
         ('retention', 'completed', now() - interval '3 days', now() - interval '2 days'),
         ('retention', 'failed', now() - interval '1 day', now() - interval '1 day'),
         ('retention', 'active', now() - interval '1 hour', null)`,
    )
    const text = (await scrape()).body
    const done = (queue: string) => Number(text.match(`pillar_jobs_done_seconds{queue="${queue}"} (.*)`)?.[1])
    expect([done('retention'), done('s8-check')]).toEqual([near(2 * 86_400), near(9 * 86_400)])
  })

  it('count what the last checks of the audit and of the registers found, until a check finds all as it was written', async () => {
    const faulty = async () => {
      const { 'pillar_chains_faulty{of="audit"}': audit, 'pillar_chains_faulty{of="register"}': register } =
        await gauges()
      return [audit, register]
    }
    const check = (faults: string, failure: string | null = null) =>
      asOwner(
        open,
        `insert into audit_check (uuid, ended_at, faults, failure) values (gen_random_uuid(), clock_timestamp(), $1, $2)`,
        [faults, failure],
      )
    await check('[{}, {}]')
    await asOwner(
      open,
      `insert into s8_pharmacy (location_id, uploaded_at, checked_at, fault, fault_since) values (${place()}, now(), now(), '{}', now())`,
    )
    expect(await faulty()).toEqual([2, 1])
    // It says nothing about the audit.
    await check('[]', 'The database was away.')
    expect(await faulty()).toEqual([2, 1])
    await check('[]')
    await asOwner(open, 'update s8_pharmacy set fault = null, fault_since = null')
    expect(await faulty()).toEqual([0, 0])
  })

  it('tell whether a worker is connected', async () => {
    const connected = async () => (await gauges()).pillar_worker_connected
    expect(await connected()).toBe(0)
    const queue = await openQueue(open.ownerUrl, [], open.services.log, true)
    expect(await connected()).toBe(1)
    await queue.stop()
    await expect.poll(connected).toBe(0)
  })

  it('identify nobody', async () => {
    await run(2)
    const text = (await scrape()).body
    const stored = await asOwner<{ sms_to: string }>(open, 'select sms_to from patient')
    const people = await opening(open, ['sms_to'], stored)
    for (const word of [world.company.name, world.locations[0]!.name, 'Ines', ...people.map((one) => one.sms_to)]) {
      expect(text).not.toContain(word)
    }
  })
})
