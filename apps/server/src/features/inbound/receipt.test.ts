import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  type TestRun,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Services } from '../../api/context.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { referenceOf } from '../sending/reference.ts'
import { lockEvents } from './event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

/** One text of a run that is sending, or stopped. */
async function oneText(state: 'sending' | 'stopped', world?: MessagingWorld): Promise<TestRun> {
  world ??= await makeMessagingWorld(server)
  return makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1), state })
}

interface Kept {
  location_id: number
  id: number
  state: string
  sent_at: Date | null
  settled_at: Date | null
  gateway_ref: string | null
}

async function kept(run: TestRun): Promise<Kept> {
  const rows = await asOwner<Kept>(
    server,
    'select location_id, id, state, sent_at, settled_at, gateway_ref from message where run_id = $1',
    [run.id],
  )
  return rows[0]!
}

/** The gateway reports the outcome of a run's one text. */
async function tell(run: TestRun, status: string, gatewayRef: string | null, at: Date): Promise<Kept> {
  await hear(run, status, gatewayRef, at)
  await processEvents(services)
  return kept(run)
}

/** The same, not processed yet. */
async function hear(run: TestRun, status: string, gatewayRef: string | null, at: Date): Promise<void> {
  const { location_id, id } = await kept(run)
  const reference = referenceOf(run.uuid, Number(location_id), Number(id))
  const event = { id: fresh('receipt'), at: at.toISOString(), kind: 'receipt', reference, gatewayRef, status }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [{ ...event, reason: null } as never])
}

it('a text keeps the moment and the id of its acceptance when it is delivered', async () => {
  const run = await oneText('sending')
  await sendAll(services)
  const accepted = await kept(run)
  expect(accepted).toMatchObject({ state: 'sent', settled_at: null })
  const at = new Date(Date.now() - 1000)
  const { sent_at, gateway_ref } = accepted
  expect(await tell(run, 'delivered', 'another id', at)).toMatchObject({ sent_at, gateway_ref, settled_at: at })
})

it('a text not known to be sent has the moment and the id of its first receipt, and is open until its last', async () => {
  const run = await oneText('stopped')
  const [first, last] = [new Date(Date.now() - 9000), new Date(Date.now() - 2000)]
  const sent = { sent_at: first, gateway_ref: 'g-9' }
  expect(await tell(run, 'sent', 'g-9', first)).toMatchObject({ state: 'sent', ...sent, settled_at: null })
  expect(await tell(run, 'delivered', 'g-10', last)).toMatchObject({ state: 'delivered', ...sent, settled_at: last })
})

it('receipts processed together count one after the other', async () => {
  const run = await oneText('stopped')
  const [first, last] = [new Date(Date.now() - 9000), new Date(Date.now() - 2000)]
  await hear(run, 'sent', 'g-9', first)
  expect(await tell(run, 'delivered', 'g-10', last)).toMatchObject({
    ...{ state: 'delivered', sent_at: first, gateway_ref: 'g-9', settled_at: last },
  })
})

it('a receipt without an id that comes before the acceptance leaves room for the id', async () => {
  const run = await oneText('sending')
  const phones = new FakePhones()
  const at = new Date(Date.now() - 1000)
  const send: FakePhones['send'] = async (messages) => {
    expect(await tell(run, 'sent', null, at)).toMatchObject({ state: 'sent', gateway_ref: null })
    return phones.send(messages)
  }
  await sendAll({ ...services, sms: { ...phones.gateway(), send } })
  expect(await kept(run)).toMatchObject({ state: 'sent', sent_at: at, gateway_ref: expect.stringMatching(/^g-/) })
})

it('a busy answer waits for a receipt that is being recorded: it proves that the text is not to be sent again', async () => {
  const world = await makeMessagingWorld(server)
  const run = await oneText('sending', world)
  let recorded: Promise<void> | undefined
  const send: FakePhones['send'] = async (messages) => {
    const begun = Promise.withResolvers<void>()
    recorded = world.inside(async (tx) => {
      await tx.updateTable('message').set({ state: 'sent', sent_at: new Date() }).where('run_id', '=', run.id).execute()
      begun.resolve()
      await untilWaiting(server)
    })
    await begun.promise
    return messages.map(() => ({ kind: 'later', seconds: 0, reason: 'Busy' }))
  }
  await sendAll({ ...services, sms: { ...new FakePhones().gateway(), send } })
  await recorded
  expect(await kept(run)).toMatchObject({ state: 'sent' })
})

it('nothing is delivered later than its receipt came, even if the gateway’s clock is ahead', async () => {
  const run = await oneText('sending')
  await sendAll(services)
  const { settled_at } = await tell(run, 'delivered', 'x', new Date(Date.now() + 3600_000))
  expect(settled_at!.getTime()).toBeLessThanOrEqual(Date.now())
})

it.each([false, true])(
  'taking receipts reads no more of them than it takes, however many wait (analysed: %s)',
  async (analysed) => {
    await asOwner(
      server,
      `insert into gateway_event (gateway, event_id, payload)
     select 'fake', 'waits-' || $1 || n, jsonb_build_object('kind', 'receipt', 'reference', 'x') from generate_series(1, 5000) n`,
      [String(analysed)],
    )
    if (analysed) await asOwner(server, 'analyze gateway_event')
    const read = await services.pools.system.transaction().execute(async (tx) => {
      expect(await lockEvents(tx, 100, 'receipts')).toHaveLength(100)
      const { rows } = await sql<{ read: number }>`
      select (pg_stat_get_xact_tuples_returned('gateway_event'::regclass) + pg_stat_get_xact_tuples_fetched('gateway_event'::regclass))::int as read`.execute(
        tx,
      )
      return rows[0]?.read
    })
    expect(read).toBeLessThan(500)
  },
)
