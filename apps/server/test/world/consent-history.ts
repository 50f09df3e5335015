import type { ConsentEvent } from '@pillar/domain/consent/consent'
import fc from 'fast-check'
import { recordConsent } from '../../src/features/consent/consent-log.queries.ts'
import { storedAs } from '../field/contacts.ts'
import type { MessagingWorld, TestPatient } from '../messaging.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

/** An event for one patient between two rounds of messages. */
export type Step =
  | { what: 'nothing' }
  | { what: 'form'; answers: (boolean | null)[] }
  | { what: 'stop' | 'start' | 'unsubscribe' | 'dies' | 'moves to a facility' }
  | { what: 'import'; channel: 'sms' | 'email'; logged: boolean }
  | { what: 'number' | 'address' | 'no number' | 'fake' }

const answer = fc.constantFrom(true, false, null)
export const step: fc.Arbitrary<Step> = fc.oneof(
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
/** A patient in the model: their log, and what bars them from every message. */
export interface Modelled {
  patient: TestPatient
  log: ConsentEvent[]
  barred: boolean
  /** The dispensing system reported an opt-out that is not in the log. */
  unlogged: Set<'sms' | 'email'>
  /** The opt-out is in the log: repeating it is nothing new, whatever the patient has answered since. */
  logged: Set<'sms' | 'email'>
}

const set = (server: TestServer, patient: TestPatient, columns: string) =>
  asOwner(server, `update patient set ${columns} where location_id = $1 and id = $2`, [patient.locationId, patient.id])

async function log({ server, world }: Place, one: Modelled, event: object): Promise<void> {
  const at = server.services.now()
  const { id: patientId, locationId } = one.patient
  const entry = { locationId, patientId, at, event: event as { type: 'stop' }, wording: null, source: 'test' }
  await world.inside((tx) => recordConsent(tx, entry, at))
  one.log.push({ ...event, id: String(one.log.length).padStart(3, '0'), at: at.getTime() } as ConsentEvent)
}

/** Where it happens. */
export interface Place {
  server: TestServer
  world: MessagingWorld
}

export const modelled = (patient: TestPatient): Modelled => ({
  ...{ patient, log: [], barred: false },
  ...{ unlogged: new Set<'sms' | 'email'>(), logged: new Set<'sms' | 'email'>() },
})

let moved = 0

/** Applies a step in the database and in the model. */
export async function befall(place: Place, one: Modelled, now: Step): Promise<void> {
  const { patient } = one
  const { server } = place
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
      return log(place, one, { type: 'form', answers })
    }
    case 'stop':
    case 'start':
    case 'unsubscribe':
      return log(place, one, { type: now.what })
    case 'import':
      await set(server, patient, `${now.channel}_opt_out = true`)
      if (!now.logged) return void (one.logged.has(now.channel) || one.unlogged.add(now.channel))
      await log(place, one, { type: 'import_opt_out', channel: now.channel })
      await asOwner(
        server,
        `update consent set imported_${now.channel}_opt_out = true where location_id = $1 and patient_id = $2`,
        [patient.locationId, patient.id],
      )
      one.logged.add(now.channel)
      return void one.unlogged.delete(now.channel)
    case 'dies':
      one.barred = true
      return void (await set(server, patient, `deceased_on = '2026-01-01'`))
    case 'moves to a facility':
      one.barred = true
      return void (await set(server, patient, 'facility = true'))
    case 'fake':
      one.barred = true
      return void (await set(server, patient, 'fake = true'))
    case 'number':
      patient.sms_to = `+61477${String(++moved).padStart(6, '0')}`
      return void (await set(server, patient, `sms_to = '${await storedAs(server, patient.sms_to)}'`))
    case 'address':
      patient.email_to = `m${++moved}@mail.example`
      return void (await set(server, patient, `email_to = '${await storedAs(server, patient.email_to)}'`))
    case 'no number':
      patient.sms_to = null
      return void (await set(server, patient, 'sms_to = null'))
  }
}
