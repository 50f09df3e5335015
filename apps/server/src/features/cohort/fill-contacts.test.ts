import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opening } from '../../../test/field/contacts.ts'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  setRules,
  statesOf,
  type TestPatient,
  type TestRun,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import type { Services } from '../../api/context.ts'
import { openKeys } from '../../db/field/key-ring.ts'
import { switchContacts } from '../../db/field/new-keys.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from '../inbound/events.ts'
import { referenceOf } from '../sending/reference.ts'
import { fillContacts, settleContacts } from './fill-contacts.jobs.ts'
import { type Fill, fillHistory, fillMessages, fillPatients, fillReplies } from './fill-contacts.queries.ts'

let server: TestServer
let services: Services
let world: MessagingWorld
const STEPS = 9
/** For each step: a number two pharmacies have texted, one that has reached its limit, and an address two patients share. */
let shared: TestPatient[][]
let limited: TestPatient[][]
let household: TestPatient[][]
let mailed: TestRun
/** Two patients in cohorts, with one number at two pharmacies. */
let people: number[]

beforeAll(async () => {
  server = await startTestServer()
  await storePlain(server)
  services = { ...server.services, sms: new FakePhones().gateway() }
  world = await makeMessagingWorld(server, { locations: 2 })
  const [here, there] = world.locations.map(({ id }) => id) as [number, number]
  const pairs = async (at: number, column: 'sms_to' | 'email_to', of: (n: number) => string, lone: object = {}) => {
    const one = await makePatients(server, here, STEPS, (n) => ({ ...lone, [column]: of(n) }))
    const two = await makePatients(server, at, STEPS, (n) => ({ ...lone, [column]: of(n) }))
    return one.map((patient, n) => [patient, two[n]!])
  }
  const numbers = Array.from({ length: 2 * STEPS }, freshMobile)
  shared = await pairs(there, 'sms_to', (n) => numbers[n]!)
  limited = await pairs(there, 'sms_to', (n) => numbers[STEPS + n]!)
  household = await pairs(here, 'email_to', (n) => `home${n}@mail.example`, { sms_to: null })
  people = await addPeople(
    server,
    world,
    [0, 1].map((at) => person({ at, mobile: numbers[0]!, sms_to: numbers[0]! })),
  )
  await makeRun(server, world, { patients: shared.flat() })
  await makeRun(server, world, { patients: limited.map(([one]) => one!) })
  mailed = await makeRun(server, world, { patients: household.map(([one]) => one!), channel: 'email' })
  await sendAll(services)
  await sendAll(services, {}, 'email')
  await tell({ kind: 'reply', from: numbers[0], to: '+61400000000', text: 'Thanks' })
  await setRules(server, world.company.id, { cap: { messages: 1, hours: 48 } })
  expect(Object.keys(await plainRows())).toEqual(['contact_history', 'message', 'message_reply', 'patient'])
  expect(await asOwner(server, 'select 1 from contact')).toEqual([])
}, 120_000)
afterAll(() => server.close())

let told = 0
async function tell(event: object): Promise<void> {
  const whole = { id: `f${++told}`, at: new Date().toISOString(), ...event }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [whole as never])
  while ((await processEvents(services)) > 0);
}

/** The number of rows in each table that hold a plain contact. */
async function plainRows(): Promise<Record<string, number>> {
  const rows = await asOwner<{ what: string; n: number }>(
    server,
    `select what, count(*)::int as n from (
       select 'patient' as what, unnest(array[sms_to, email_to]) as c from patient union all select 'message', contact from message
       union all select 'contact_history', contact from contact_history union all select 'message_reply', sender from message_reply) t
     where left(c, 1) <> '#' group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ what, n }) => [what, n]))
}

const outOf = async (patients: readonly TestPatient[], column: string) =>
  (
    await asOwner<{ out: boolean }>(
      server,
      `select coalesce(c.${column} = 'out', false) as out from unnest($1::bigint[]) with ordinality p(id, n)
       left join consent c on c.patient_id = p.id order by n`,
      [patients.map(({ id }) => id)],
    )
  ).map(({ out }) => out)

/** What must hold at every moment, checked with the contacts of one step. */
async function holds(step: number): Promise<void> {
  await tell({ kind: 'reply', from: shared[step]![0]!.sms_to, to: '+61400000000', text: 'STOP' })
  expect([step, await outOf(shared[step]!, 'sms_health_outreach')]).toEqual([step, [true, true]])
  const [one] = household[step]!
  const [message] = await asOwner<{ id: number }>(
    server,
    'select id from message where run_id = $1 and patient_id = $2',
    [...[mailed.id, one!.id]],
  )
  await tell({ kind: 'complaint', reference: referenceOf(mailed.uuid, one!.locationId, message!.id), reason: null })
  expect([step, await outOf(household[step]!, 'email_health_outreach')]).toEqual([step, [true, true]])
  const again = await makeRun(server, world, { patients: [limited[step]![1]!] })
  await sendAll(services)
  expect([step, await statesOf(server, again.id)]).toEqual([step, { 'skipped capped': 1 }])
}

describe('while an installation is switched over', () => {
  it('a STOP, a complaint and the frequency limit affect everybody with the contact between any two chunks', async () => {
    const fresh = async () => {
      services.keys = await openKeys(services.env, services.pools.system)
      server.services.keys = services.keys
    }
    const chunk = (fill: Fill, at: number) => () =>
      world.inside((tx) => fill(tx, services.keys, world.locations[at]!.id, 0))
    const since = (seconds: number) => async () => {
      await asOwner(server, 'update data_key set writes_from = now() - make_interval(secs => $1)', [seconds])
      await fresh()
    }
    const steps = [
      async () => {
        expect(await switchContacts(services.env, services.pools.system)).toBe(true)
        await fresh()
      },
      since(1),
      since(60),
      chunk(fillPatients, 0),
      chunk(fillMessages, 1),
      () => world.inside((tx) => fillHistory(tx, services.keys, world.company.id)),
      chunk(fillMessages, 0),
      chunk(fillReplies, 0),
      chunk(fillPatients, 1),
    ]
    expect(steps).toHaveLength(STEPS)
    for (const [at, step] of steps.entries()) {
      // Not before every process stores handles.
      if (at < 3) expect(await fillContacts(services)).toBe(false)
      await step()
      await holds(at)
    }
  }, 120_000)

  it('what writes to many waits until all is filled, and helps; then no row holds a contact as it is', async () => {
    // A transaction from before every process stored handles may still write a plain contact, and is waited for; later ones are not.
    const early = new pg.Client({ connectionString: server.servingUrl })
    await early.connect()
    await early.query('begin')
    const waiting = await plainRows()
    expect(waiting).not.toEqual({})
    expect([await fillContacts(services), await fillContacts(services)]).toEqual([false, false])
    expect(await plainRows()).toEqual(waiting)
    await early.query('rollback')
    await early.query('begin')
    await Promise.all([settleContacts(services), fillContacts(services)])
    expect(await plainRows()).toEqual({})
    // Whatever is switched over later waits again for transactions open at that time.
    expect(await fillContacts(services)).toBe(true)
    await asOwner(server, 'update data_key set filled_at = null where switched')
    expect(await fillContacts(services)).toBe(false)
    await early.end()
    await expect.poll(() => fillContacts(services)).toBe(true)
    expect((await (await openKeys(services.env, services.pools.system)).contacts()).filled).toBe(true)
    const rows = await asOwner<{ contact: string; n: number }>(
      server,
      'select contact, cardinality(sent) as n from contact_history',
    )
    const opened = await opening(server, ['contact'], rows)
    expect(new Set(opened.map(({ contact }) => contact)).size).toBe(rows.length)
    // Two texts before, the rest of the limit since.
    const [number] = shared[0]!
    expect(opened.find(({ contact }) => contact === number!.sms_to)?.n).toBe(2)
  })

  it('cohorts know which patients share a number', async () => {
    const facts = await asOwner(
      server,
      `select f.sms_shared as shared, f.sms_key = hashtextextended(p.sms_to, 0) as same
       from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id where p.id = any($1)`,
      [people],
    )
    expect(facts).toEqual([1, 2].map(() => ({ shared: true, same: true })))
  })
})
