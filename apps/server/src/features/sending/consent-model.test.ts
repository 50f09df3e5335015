import { consentOf, permissionFor } from '@pillar/domain/consent/consent'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { befall, modelled, step } from '../../../test/world/consent-history.ts'
import type { Services } from '../../api/context.ts'
import { openEmailSimulator } from '../../gateways/simulator.ts'
import { referenceOf } from './reference.ts'
import { sendBatch } from './sender.ts'

const HISTORIES = DEEP ? 10_000 : 60
const ROUNDS = 6
const WORKER = '00000000-0000-4000-8000-000000000005'

const history = fc.array(step, { minLength: ROUNDS, maxLength: ROUNDS })
const rounds = fc.array(
  fc.record({
    channel: fc.constantFrom('sms' as const, 'email' as const),
    kind: fc.constantFrom('health_outreach' as const, 'marketing' as const, 'marketing' as const, 'trial' as const),
    /** Whether the steps come before the messages are written, or between writing and sending. */
    late: fc.boolean(),
  }),
  { minLength: ROUNDS, maxLength: ROUNDS },
)

let server: TestServer
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = {
    ...server.services,
    sms: phones.gateway(),
    bulkEmail: openEmailSimulator(server.services.pools.system, Number.POSITIVE_INFINITY),
  }
})
afterAll(() => server.close())

describe('histories of consent (T20)', () => {
  it('send exactly what the model allows', { timeout: 1_800_000 }, async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const histories = fc.sample(history, { numRuns: HISTORIES, seed })
    const [plan] = fc.sample(rounds, { numRuns: 1, seed })
    plan![0] = { channel: 'sms', kind: 'health_outreach', late: true }
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, HISTORIES)
    const people = patients.map((patient, at) => ({ ...modelled(patient), steps: histories[at]! }))
    let went = 0
    let held = 0
    for (const [at, { channel, kind, late }] of plan!.entries()) {
      const column = channel === 'sms' ? ('sms_to' as const) : ('email_to' as const)
      const befallAll = async () => {
        for (const one of people) await befall({ server, world }, one, one.steps[at]!)
      }
      if (!late) await befallAll()
      const reachable = people.filter((one) => one.patient[column] !== null)
      const written = new Map(reachable.map((one) => [one.patient.id, one.patient[column]]))
      const run = await makeRun(server, world, { patients: reachable.map((one) => one.patient), channel, kind })
      if (late) await befallAll()
      while ((await sendBatch(services, channel, WORKER)) !== 'nothing');
      const rows = await asOwner<{ id: number; patient_id: number; state: string; reason: string | null }>(
        server,
        'select id, patient_id, state, reason from message where run_id = $1',
        [run.id],
      )
      const simulated = await asOwner<{ reference: string }>(server, 'select reference from simulator_message')
      const taken = new Set([...phones.accepted.keys(), ...simulated.map((one) => one.reference)])
      const found = new Map(rows.map((row) => [row.patient_id, row]))
      for (const one of reachable) {
        const row = found.get(one.patient.id)!
        const allowed =
          !one.barred &&
          !one.unlogged.has(channel) &&
          one.patient[column] === written.get(one.patient.id) &&
          permissionFor(kind, channel, consentOf(one.log)) === 'allowed'
        const goes = taken.has(referenceOf(run.uuid, one.patient.locationId, row.id))
        const what = `seed ${seed}, round ${at}: ${kind} ${channel} ${late}, ${JSON.stringify(one.steps)} ended ${row.state} ${row.reason}`
        expect(goes, what).toBe(allowed)
        expect(row.state, what).toBe(allowed ? 'sent' : 'skipped')
        if (allowed) went++
        else held++
      }
    }
    expect(went).toBeGreaterThan(0)
    expect(held).toBeGreaterThan(0)
  })
})
