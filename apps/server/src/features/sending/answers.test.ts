import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { endRun } from '../run/run-state.queries.ts'
import { advanceRuns } from './lease.queries.ts'
import { reconcile } from './reconcile.ts'
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

describe('gateway answers', () => {
  it('settle rejected, lost and refused messages without sending one twice', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 40)
    const fates = new Map(patients.map((patient, at) => [patient.sms_to!, at]))
    phones.fate = (text, attempt) => {
      const at = fates.get(text.to)
      if (at === undefined || attempt > 1) return 'accept'
      return at < 10 ? 'reject' : at < 20 ? 'lost' : at < 30 ? 'reset' : 'accept'
    }
    const run = await makeRun(server, world, { patients })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ failed: 10, sent: 10, unknown: 20 })
    await advanceRuns(services.pools.system, services.now())
    await lapse(run.id)
    await reconcile(services)
    expect(await statesOf(server, run.id)).toEqual({ failed: 10, sent: 20, queued: 10 })
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ failed: 10, sent: 30 })
    phones.fate = () => 'accept'
    expect(phones.repeats).toEqual([])
    const costs = await asOwner(
      server,
      'select state, sum(cents)::int as cents, min(reason) as reason from message where run_id = $1 group by state order by state',
      [run.id],
    )
    expect(costs).toEqual([
      { state: 'failed', cents: 0, reason: 'Number not in service' },
      { state: 'sent', cents: 360, reason: null },
    ])
    await recountQueued(services)
    const batch = await asOwner(
      server,
      'select num_patients, num_sent, num_failed, num_queued, num_unknown, parts, cents from message_batch where run_id = $1',
      [run.id],
    )
    expect(batch).toEqual([
      { num_patients: 40, num_sent: 30, num_failed: 10, num_queued: 0, num_unknown: 0, parts: 30, cents: 360 },
    ])
  })

  it('are recorded once the database accepts them, if it could not at first', async () => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 3) })
    let mended = Promise.resolve<unknown>(null)
    const send: Services['sms']['send'] = async (messages) => {
      const answers = await phones.send(messages)
      await asOwner(server, 'revoke update on message from pillar_app')
      mended = sleep(500).then(() => asOwner(server, 'grant update on message to pillar_app'))
      return answers
    }
    await sendAll({ ...services, sms: { ...services.sms, send } })
    await mended
    expect(await statesOf(server, run.id)).toEqual({ sent: 3 })
  })

  it('ask only the gateway that was given the message', async () => {
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, 1)
    phones.fate = () => 'reset'
    const run = await makeRun(server, world, { patients })
    await sendAll(services)
    await asOwner(server, `update message set gateway = 'the one before' where run_id = $1`, [run.id])
    await lapse(run.id)
    await reconcile(services)
    phones.fate = () => 'accept'
    expect(await statesOf(server, run.id)).toEqual({ unknown: 1 })
  })

  it('skip undelivered messages of an ended run', async () => {
    const world = await makeMessagingWorld(server)
    const campaign = await makeCampaign(server, world.company.id)
    phones.fate = () => 'reset'
    const run = await makeRun(server, world, {
      patients: await makePatients(server, world.locations[0]!.id, 2),
      campaignId: campaign.id,
    })
    await sendAll(services)
    phones.fate = () => 'accept'
    await world.inside((tx) => endRun(tx, campaign.id, services.now()))
    await lapse(run.id)
    await reconcile(services)
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': 2 })
  })

  it('that a message never arrived end its counting towards the frequency limit', async () => {
    const world = await makeMessagingWorld(server, { cap: { messages: 1, hours: 24 } })
    const [patient] = await makePatients(server, world.locations[0]!.id, 1)
    const counted = async () => {
      const values = [world.company.id, await storedAs(server, patient!.sms_to)]
      const rows = 'select cardinality(sent) as n from contact_history where company_id = $1 and contact = $2'
      return (await asOwner<{ n: number }>(server, rows, values)).map(({ n }) => n)
    }
    phones.fate = () => 'reset'
    const run = await makeRun(server, world, { patients: [patient!] })
    await sendAll(services)
    phones.fate = () => 'accept'
    expect(await counted()).toEqual([1])
    await lapse(run.id)
    await reconcile(services)
    expect([await statesOf(server, run.id), await counted()]).toEqual([{ queued: 1 }, [0]])
    await sendAll(services)
    expect([await statesOf(server, run.id), await counted()]).toEqual([{ sent: 1 }, [1]])
  })

  it('that postpone texts to different times bring the batch back for the first of them', async () => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 3) })
    const send: FakePhones['send'] = async ([first, ...others]) => [
      ...(await phones.send([first!])),
      ...others.map((_, at) => ({ kind: 'later' as const, seconds: [60, 600][at]!, reason: 'Busy' })),
    ]
    await sendAll({ ...services, sms: { ...phones.gateway(), send } })
    const waits = `select b.next_at = min(m.planned_at) as first, count(*)::int as n from message_batch b
      join message m on m.batch_id = b.id and m.state = 'queued' where b.run_id = $1 group by b.next_at`
    expect(await asOwner(server, waits, [run.id])).toEqual([{ first: true, n: 2 }])
  })

  it('about an earlier attempt do not change a later one', async () => {
    const world = await makeMessagingWorld(server)
    phones.fate = () => 'reset'
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
    await sendAll(services)
    phones.fate = () => 'accept'
    await lapse(run.id)
    const late: FakePhones['lookUp'] = async (messages) => {
      // In the meantime it was reported absent, sent again, and lost again.
      await asOwner(server, `update message set planned_at = planned_at + interval '1 second' where run_id = $1`, [
        run.id,
      ])
      return messages.map(() => ({ kind: 'absent' }))
    }
    await reconcile({ ...services, sms: { ...phones.gateway(), lookUp: late } })
    expect(await statesOf(server, run.id)).toEqual({ unknown: 1 })
    await lapse(run.id)
    await reconcile(services)
    expect(await statesOf(server, run.id)).toEqual({ queued: 1 })
    await sendAll(services)
  })

  it('that come late, for an attempt that was given up, do not change the one after it', async () => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
    let tries = 0
    const slow: FakePhones['send'] = async (messages) => {
      // In the meantime it was looked up, found absent and claimed by another worker.
      if (tries++ === 0)
        await asOwner(
          server,
          `update message set attempts = attempts + 1, planned_at = planned_at + interval '1 second' where run_id = $1`,
          [run.id],
        )
      return tries > 1 ? phones.send(messages) : messages.map(() => ({ kind: 'later', seconds: 0, reason: 'Busy' }))
    }
    await sendAll({ ...services, sms: { ...phones.gateway(), send: slow } })
    expect([tries, await statesOf(server, run.id)]).toEqual([1, { sending: 1 }])
    await lapse(run.id)
    await reconcile(services)
    await sendAll(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 1 })
  })

  it('end after three failed attempts; uncertain messages are never sent again', async () => {
    const world = await makeMessagingWorld(server)
    const [lost, unsure] = await makePatients(server, world.locations[0]!.id, 2)
    phones.fate = () => 'reset'
    const run = await makeRun(server, world, { patients: [lost!] })
    for (let attempt = 0; attempt < 4; attempt++) {
      await sendAll(services)
      await lapse(run.id)
      await reconcile(services)
    }
    const [row] = await asOwner(server, 'select state, reason, attempts, cents from message where run_id = $1', [
      run.id,
    ])
    expect(row).toEqual({ state: 'failed', reason: 'The gateway did not take it', attempts: 3, cents: 0 })

    phones.exact = false
    const open = await makeRun(server, world, { patients: [unsure!] })
    await sendAll(services)
    for (const hours of [0, 1, 24, 71]) {
      server.clock.offsetMs = hours * 3600_000
      await lapse(open.id)
      await reconcile(services)
      expect(await statesOf(server, open.id)).toEqual({ unknown: 1 })
      await advanceRuns(services.pools.system, services.now())
      const [{ state } = { state: '' }] = await asOwner(server, 'select state from message_run where id = $1', [
        open.id,
      ])
      expect(state).toBe('sending')
    }
    server.clock.offsetMs = 73 * 3600_000
    await lapse(open.id)
    await reconcile(services)
    await advanceRuns(services.pools.system, services.now())
    server.clock.offsetMs = 0
    phones.exact = true
    phones.fate = () => 'accept'
    expect(await statesOf(server, open.id)).toEqual({ unknown: 1 })
    const [over] = await asOwner(server, 'select state from message_run where id = $1', [open.id])
    expect(over).toEqual({ state: 'done' })
    const [tries] = [...phones.tries].filter(([reference]) => reference.includes(shortOf(open.uuid))).map(([, n]) => n)
    expect(tries).toBe(1)
  })
})

describe('a gateway that breaks its own rules', () => {
  const one = async (text = 'Hi, your next repeat is due at Canal Road Pharmacy.') => {
    const world = await makeMessagingWorld(server)
    const run = await makeRun(server, world, {
      patients: await makePatients(server, world.locations[0]!.id, 1),
      body: text,
    })
    const rows = () => asOwner(server, 'select state, reason, cents from message where run_id = $1', [run.id])
    return { run, rows }
  }
  const sendBy = (send: FakePhones['send']) => sendAll({ ...services, sms: { ...phones.gateway(), send } })

  it('and leaves out a text in its answer may have it: it is asked, and the text is not handed over again', async () => {
    const { run } = await one()
    let tries = 0
    const silent: FakePhones['send'] = async (messages) => {
      tries++
      await phones.send(messages)
      return []
    }
    await sendBy(silent)
    expect([tries, await statesOf(server, run.id)]).toEqual([1, { unknown: 1 }])
    await lapse(run.id)
    await reconcile(services)
    expect(await statesOf(server, run.id)).toEqual({ sent: 1 })
  })

  it('and fails when it is asked about a text is not taken to lack it', async () => {
    const { run } = await one()
    await sendBy(async (messages) => messages.map(() => ({ kind: 'unknown', reason: 'No answer' })))
    const lookUp: FakePhones['lookUp'] = () => Promise.reject(new Error('away'))
    await lapse(run.id)
    await reconcile({ ...services, sms: { ...phones.gateway(), lookUp } })
    expect(await statesOf(server, run.id)).toEqual({ unknown: 1 })
  })

  it('and repeats number and text in a reason has neither stored', async () => {
    const { rows } = await one()
    await sendBy(async (messages) =>
      messages.map(({ to, text }) => ({ kind: 'rejected', reason: `Not for ${to}: "${text}"` })),
    )
    expect(await rows()).toMatchObject([{ state: 'failed', reason: 'Not for the number' }])
  })

  it.each([
    { kind: 'rejected', reason: 'Twice' },
    { kind: 'later', reason: 'Busy', seconds: 0 },
    { kind: 'unknown', reason: 'No answer' },
  ] as const)('and answers "$kind" after the receipt changes nothing: it was taken, and costs', async (answer) => {
    const { run, rows } = await one()
    await sendBy(async (messages) => {
      await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
      return messages.map(() => answer)
    })
    expect(await rows()).toEqual([{ state: 'sent', reason: null, cents: 12 }])
  })
})

const shortOf = (uuid: string) => uuid.replaceAll('-', '').slice(0, 12)

/** Ends every lease of a run. */
function lapse(runId: number) {
  return asOwner(
    server,
    `update message set lease_until = now() - interval '1 second' where run_id = $1 and state in ('sending', 'unknown') and lease_until is not null`,
    [runId],
  )
}
