import { type ConsentEvent, consentOf, permissionFor } from '@pillar/domain/consent/consent'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  makeRun,
  type TestPatient,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { openEmailSimulator } from '../../gateways/simulator.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { referenceOf } from './reference.ts'
import { sendBatch } from './sender.ts'

const HISTORIES = process.env.DEEP === '1' ? 10_000 : 60
const ROUNDS = 6
const WORKER = '00000000-0000-4000-8000-000000000005'

/** Events for one patient before a round's campaign goes. */
type Step =
  | { what: 'nothing' }
  | { what: 'form'; answers: (boolean | null)[] }
  | { what: 'stop' | 'start' | 'unsubscribe' | 'dies' | 'moves to a facility' }
  | { what: 'import'; channel: 'sms' | 'email'; logged: boolean }
  | { what: 'number' | 'address' | 'no number' | 'fake' }

const answer = fc.constantFrom(true, false, null)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ what: 'nothing' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('form' as const),
      answers: fc.array(answer, { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom<Step>({ what: 'stop' }, { what: 'start' }, { what: 'unsubscribe' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('import' as const),
      channel: fc.constantFrom('sms' as const, 'email' as const),
      logged: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      { what: 'dies' },
      { what: 'moves to a facility' },
      { what: 'number' },
      { what: 'address' },
      { what: 'no number' },
      { what: 'fake' },
    ),
  },
)
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

interface Modelled {
  patient: TestPatient
  steps: readonly Step[]
  log: ConsentEvent[]
  barred: boolean
  /** The dispensing system reported an opt-out that is not in the log. */
  unlogged: Set<'sms' | 'email'>
  /** The opt-out is in the log: repeating it is nothing new, whatever the patient answered since. */
  logged: Set<'sms' | 'email'>
}

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

const set = (patient: TestPatient, columns: string) =>
  asOwner(server, `update patient set ${columns} where location_id = $1 and id = $2`, [patient.locationId, patient.id])

async function log(world: MessagingWorld, one: Modelled, event: object): Promise<void> {
  const at = new Date()
  const { id: patientId, locationId } = one.patient
  const entry = { locationId, patientId, at, event: event as { type: 'stop' }, wording: null, source: 'test' }
  await world.inside((tx) => recordConsent(tx, entry, at))
  one.log.push({ ...event, id: String(one.log.length).padStart(3, '0'), at: at.getTime() } as ConsentEvent)
}

let moved = 0

/** Applies a step in the database and in the model. */
async function befall(world: MessagingWorld, one: Modelled, now: Step): Promise<void> {
  const { patient } = one
  switch (now.what) {
    case 'nothing':
      return
    case 'form': {
      const [a, b, c, d] = now.answers as [boolean, boolean, boolean, boolean]
      const answers = {
        health_outreach_sms_consent: a,
        health_outreach_email_consent: b,
        marketing_sms_consent: c,
        marketing_email_consent: d,
      }
      return log(world, one, { type: 'form', answers })
    }
    case 'stop':
    case 'start':
    case 'unsubscribe':
      return log(world, one, { type: now.what })
    case 'import':
      await set(patient, `${now.channel}_opt_out = true`)
      if (!now.logged) return void (one.logged.has(now.channel) || one.unlogged.add(now.channel))
      await log(world, one, { type: 'import_opt_out', channel: now.channel })
      await asOwner(
        server,
        `update consent set imported_${now.channel}_opt_out = true where location_id = $1 and patient_id = $2`,
        [patient.locationId, patient.id],
      )
      one.logged.add(now.channel)
      return void one.unlogged.delete(now.channel)
    case 'dies':
      one.barred = true
      return void (await set(patient, `deceased_on = '2026-01-01'`))
    case 'moves to a facility':
      one.barred = true
      return void (await set(patient, 'facility = true'))
    case 'fake':
      one.barred = true
      return void (await set(patient, 'fake = true'))
    case 'number':
      patient.sms_to = `+61477${String(++moved).padStart(6, '0')}`
      return void (await set(patient, `sms_to = '${patient.sms_to}'`))
    case 'address':
      patient.email_to = `m${++moved}@mail.example`
      return void (await set(patient, `email_to = '${patient.email_to}'`))
    case 'no number':
      patient.sms_to = null
      return void (await set(patient, 'sms_to = null'))
  }
}

describe('histories of consent (T20)', () => {
  it('send exactly what the model allows', { timeout: 1_800_000 }, async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const histories = fc.sample(history, { numRuns: HISTORIES, seed })
    const [plan] = fc.sample(rounds, { numRuns: 1, seed })
    plan![0] = { channel: 'sms', kind: 'health_outreach', late: true }
    const world = await makeMessagingWorld(server)
    const patients = await makePatients(server, world.locations[0]!.id, HISTORIES)
    const people = patients.map(
      (patient, at): Modelled => ({
        patient,
        steps: histories[at]!,
        log: [],
        barred: false,
        unlogged: new Set(),
        logged: new Set(),
      }),
    )
    let went = 0
    let held = 0
    for (const [at, { channel, kind, late }] of plan!.entries()) {
      const column = channel === 'sms' ? ('sms_to' as const) : ('email_to' as const)
      const befallAll = async () => {
        for (const one of people) await befall(world, one, one.steps[at]!)
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
