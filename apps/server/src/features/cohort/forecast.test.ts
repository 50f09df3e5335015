import { Filters } from '@pillar/contract/campaign/cohort'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { type MessagingWorld, makeMessagingWorld, setOwnCap, setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { countsOf, expectedForecast } from '../../../test/world/cohort-oracle.ts'
import { addHistoryOf, addPeople, type CohortPerson, person } from '../../../test/world/cohort-world.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { cohortOf } from './cohort-question.ts'
import { forecastCohort } from './forecast.ts'

vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 120_000 })
let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server, { locations: 3 })
  await asOwner(
    server,
    `update location set phone_number = '03 5555 0100', street_address = '12 Sturt St', town = 'Ballarat' where id = $1`,
    [world.scope.locationIds[0]],
  )
})
afterAll(() => server.close())

const NAMES = [
  'Ines',
  'Jo',
  '',
  null,
  'Anne-Marie Josephine',
  'Zofië',
  'Łukasz',
  'R[x]',
  'O’Neil',
  '王',
  '😀Sam',
  ' Bo ',
  'a{b}',
  'Maximilian Bartholomew the Second',
]
const TEXTS = [
  'Hi {First Name}, your next repeat is due at {Pharmacy Name}.',
  'Dear {First Name} {Last Name}, {Pharmacy Name} here: please call {Pharmacy Number} or come to {Pharmacy Address} to talk about your medicines. We would love to see you before the end of it.',
  'Flu vaccines at {Pharmacy Name} [walk in] only €10, {Last Name}! {First Name}, {First Name}. {Consent ID}',
  '{Pharmacy Name} – “now open”, {First Name}',
  '{First Name}: {Pharmacy Name} reminds you that your prescription needs a visit to your doctor soon. Ask us how we can help you with that, any time {Last Name}',
  // One that takes another part only with a link, and one where names decide that.
  'Hi {First Name}, your next repeat is due. Please call us or drop in at any time, and we will get it ready for you then.',
  'Hi {First Name}, your next repeat is due. Please call us, {Last Name}, and we get it ready. {Pharmacy Name}',
]
/** A number accepts replies, a name needs a link. */
const SENDERS = [null, '+61 488 000 001', 'SALTBUSH', 'Bo’s Rx']
const ATC = ['C10AA05', 'A10BA02', 'R03AC02']
const TYPES = ['Unclassified']
const some = <T>(values: readonly T[]) => fc.constantFrom(...values)
const choice = some(['unknown', 'in', 'out'] as const)
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
const number = fc.integer({ min: 0, max: 25 }).map((n) => `+6140000${String(n).padStart(4, '0')}`)
const mail = fc.integer({ min: 0, max: 25 }).map((n) => `p${n}@mail.example`)

const anyPerson: fc.Arbitrary<CohortPerson> = fc
  .record({
    at: fc.integer({ min: 0, max: 2 }),
    first_name: some(NAMES),
    last_name: some(NAMES),
    sms_to: fc.option(number, { freq: 5 }),
    email_to: fc.option(mail, { freq: 3 }),
    unusable: fc.boolean(),
    sms_opt_out: rarely,
    email_opt_out: rarely,
    ...{ deceased: rarely, deceased_elsewhere: rarely },
    ...{ sms_gone: rarely, email_gone: rarely },
    facility: rarely,
    fake: rarely,
    born: fc.option(some(['1936-02-29', '1950-05-05', '1961-11-21', '1961-11-22', '2010-01-01', '2026-11-01']), {
      freq: 6,
    }),
    sex: some(['F', 'M', null] as const),
    patient_type: fc.integer({ min: 0, max: 6 }),
    adherence_level: some([1, 2, 3, 4, 5, null]),
    loyalty_level: some([1, 2, 3, 4, 5, null]),
    molecules: fc.integer({ min: 0, max: 12 }),
    distance_km: some([0, 4.5, 5, 19, 20, 80, null]),
    double_dispensing: fc.boolean(),
    drug_types: fc.subarray(TYPES),
    atc: fc.subarray(ATC),
    consent: fc.option(
      fc.record({
        sms_health_outreach: choice,
        sms_marketing: choice,
        email_health_outreach: choice,
        email_marketing: choice,
      }),
    ),
  })
  .map(({ unusable, ...one }) => ({
    ...one,
    mobile: one.sms_to ?? (unusable ? '13 14' : null),
    email: one.email_to ?? (unusable ? 'at home' : null),
  }))

const FILTERS = {
  adherence: fc.subarray([1, 2, 3, 4, 5]),
  loyalty: fc.subarray([1, 2, 3, 4, 5]),
  patient_type: fc.subarray([...PATIENT_TYPES]),
  age: fc.subarray(['0-17', '50-64', '65-74', '65+', '75+', '900+']),
  patient_sex: fc.subarray(['Female', 'Male']),
  polypharmacy: fc.subarray(['0-4', '5-9', '10+']),
  drug_type: fc.subarray(TYPES),
  distance_from_store: fc.subarray(['0-5', '5-20', '20-50', '50+']),
  double_dispensing: some([true, false, null]),
  molecules: fc.subarray(ATC),
}

/** Three filters at most: more leave nobody. */
const anyFilters = fc
  .subarray(Object.keys(FILTERS) as (keyof typeof FILTERS)[], { maxLength: 3 })
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, FILTERS[key]]))))
  .map((filters) => Filters.parse(filters))

/** A pharmacy's own frequency limit; one hour does not reach back to the message an hour ago. */
const ownCap = fc.option(fc.record({ messages: fc.integer({ min: 1, max: 4 }), hours: some([1, 100]) }))

const anyText = fc.record({
  body: some(TEXTS),
  channels: some(['sms', 'email', 'both'] as const),
  message_kind: some(['health_outreach', 'marketing'] as const),
})

describe('the cohort ledger', () => {
  it('matches the domain patient by patient and part by part, in random worlds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPerson, { minLength: 1, maxLength: 60 }),
        fc.array(
          fc.record({ filters: anyFilters, texts: fc.uniqueArray(anyText, { maxLength: 3, selector: (t) => t.body }) }),
          {
            minLength: 4,
            maxLength: 4,
          },
        ),
        fc.integer({ min: 1, max: 3 }),
        fc.dictionary(fc.oneof(number, mail), fc.integer({ min: 1, max: 3 }), { maxKeys: 12 }),
        fc.array(some(SENDERS), { minLength: 4, maxLength: 4 }),
        fc.array(ownCap, { minLength: 3, maxLength: 3 }),
        async (people, questions, cap, history, senders, own) => {
          await emptyWorld()
          await setRules(server, world.company.id, { cap: { messages: cap, hours: 48 } })
          for (const [at, { id }] of world.locations.entries()) await setOwnCap(server, id, own[at]!)
          const limits = own.map((one) =>
            [{ messages: cap, hours: 48 }, ...(one ? [one] : [])].map(({ messages, hours }) => ({
              messages,
              reaches: hours > 1,
            })),
          )
          await setSenders(senders)
          const services = withSender(senders[3] ?? '+61491570006')
          const ids = await addPeople(server, world, people)
          await addHistoryOf(server, world.company.id, new Map(Object.entries(history)))
          for (const { filters, texts } of questions) {
            const asked = texts.map(textOf)
            const cohort = await ask(filters, asked)
            const counted = await world.inside((tx) => forecastCohort(tx, services, cohort))
            const expected = await expectedForecast(
              { ...server, services },
              world,
              cohort,
              people,
              ids,
              new Map(Object.entries(history)),
              limits,
            )
            expect(countsOf(counted)).toEqual(expected)
          }
        },
      ),
      { numRuns: DEEP ? 300 : 12, endOnFailure: true },
    )
  })
})

describe('near a cap of 3 messages', () => {
  const one = (n: number) => ({
    ...{ mobile: '+614', sms_to: `+6140000008${n}`, email: 'a', email_to: `p8${n}@mail.example` },
  })
  /** How many get each channel, and how many are held back by which reason, if so many messages went to these contacts before. */
  const counted = async (people: readonly CohortPerson[], before: readonly (readonly [string, number])[]) => {
    await emptyWorld()
    await setRules(server, world.company.id, { cap: { messages: 3, hours: 48 } })
    await addPeople(server, world, people)
    await addHistoryOf(server, world.company.id, new Map(before))
    const both = textOf({ body: TEXTS[0]!, channels: 'both', message_kind: 'health_outreach' }, 0)
    const cohort = await ask(Filters.parse({}), [both])
    const { channels } = await world.inside((tx) => forecastCohort(tx, server.services, cohort))
    return channels.map(({ channel, will_receive, reasons }) => [
      ...[channel, will_receive],
      Object.fromEntries(reasons.flatMap(({ reason, count }) => (count > 0 ? [[reason, count]] : []))),
    ])
  }

  it('a patient’s text goes and the email waits; at the cap neither goes', async () => {
    const people = [1, 2, 3].map((n) => person(one(n)))
    const before = people.map(({ sms_to }, at) => [sms_to!, at + 1] as const)
    expect(await counted(people, before)).toEqual([
      ['sms', 2, { capped: 1 }],
      ['email', 1, { capped: 2 }],
    ])
  })

  it('the email goes to a patient whose text another one gets who has the same number', async () => {
    const [first, second] = [
      person({ ...one(1), email: null, email_to: null }),
      person({ ...one(2), sms_to: one(1).sms_to }),
    ]
    expect(await counted([first, second], [[second.email_to!, 2]])).toEqual([
      ['sms', 1, { duplicate_contact: 1 }],
      ['email', 1, { no_contact: 1 }],
    ])
  })
})

describe('pharmacies whose sender is a name', () => {
  // One part with 'Reply STOP to opt out', two with a link.
  const body =
    'Hi {First Name}, your next repeat is due. Please call us or drop in at any time, and we will get it ready for you then.'
  const each = (one: CohortPerson): CohortPerson[] =>
    [0, 1, 2].map((at) => ({ ...one, at, sms_to: `+6140000009${at}` }))
  const sendersOf = (ledger: Awaited<ReturnType<typeof forecastCohort>>) =>
    world.locations.map(({ uuid }) => ledger.pharmacies.find((one) => one.pharmacy_id === uuid)!.unverified_sender)

  it('get a link, counted at each pharmacy, and a warning when the name is not registered', async () => {
    await emptyWorld()
    await setSenders([null, 'SALTBUSH', 'CANALRD'])
    await asOwner(server, `update location set sms_sender_registered = (sms_sender is not distinct from 'CANALRD')`)
    await addPeople(server, world, each(person({ first_name: 'Ines', mobile: '+614' })))
    const cohort = await ask(Filters.parse({}), [textOf({ body, channels: 'sms', message_kind: 'health_outreach' }, 0)])
    const ledger = await world.inside((tx) => forecastCohort(tx, server.services, cohort))
    const of = (at: number) => ledger.pharmacies.find((one) => one.pharmacy_id === world.locations[at]!.uuid)!
    expect([0, 1, 2].map((at) => [of(at).parts, of(at).cents])).toEqual([
      [1, 12],
      [2, 24],
      [2, 24],
    ])
    expect(ledger.channels[0]!.tipping).toEqual([
      { what: 'The link to opt out, where the sender is a name', messages: 2 },
    ])
    expect(sendersOf(ledger)).toEqual([null, 'SALTBUSH', null])
    // The installation's own sender applies if a pharmacy has none, and no warning appears if no text is sent.
    const named = await world.inside((tx) => forecastCohort(tx, withSender('GROUP'), cohort))
    expect(sendersOf(named)).toEqual(['GROUP', 'SALTBUSH', null])
    const mail = await ask(Filters.parse({}), [textOf({ body, channels: 'email', message_kind: 'health_outreach' }, 0)])
    const mailed = await world.inside((tx) => forecastCohort(tx, withSender('GROUP'), mail))
    expect(sendersOf(mailed)).toEqual([null, null, null])
  })
})

/** Without people, messages and pharmacies' own limits. */
async function emptyWorld(): Promise<void> {
  const tables =
    'patient, fake_patient, patient_fact, consent, contact_history, script, person_key, person_link, patient_former'
  await asOwner(server, `truncate ${tables}, location_messaging`)
}

/** Senders of the pharmacies, in their order; extra ones are ignored. */
async function setSenders(senders: readonly (string | null)[]): Promise<void> {
  for (const [at, { id }] of world.locations.entries())
    await asOwner(server, 'update location set sms_sender = $1 where id = $2', [senders[at] ?? null, id])
}

/** The server with a different default sender. */
const withSender = (defaultSender: string) => ({
  ...server.services,
  sms: { ...server.services.sms, defaultSender },
})

const textOf = (
  text: { body: string; channels: string; message_kind: 'marketing' | 'health_outreach' },
  at: number,
): CampaignText => ({
  id: at,
  uuid: String(at),
  name: String(at),
  body: text.body,
  subject: 'Hello',
  sms_template: text.channels !== 'email',
  email_template: text.channels !== 'sms',
  message_kind: text.message_kind,
})

const ask = (filters: Filters, texts: readonly CampaignText[]) =>
  world.inside((tx) => {
    const { locationIds } = world.scope
    const all = { locationIds, filters, texts, noHoldout: false }
    const { now, pools } = server.services
    return cohortOf(tx, { ...all, campaignId: null, country: 'AU', now: now(), system: pools.system })
  })
