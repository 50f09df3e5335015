import { Filters } from '@pillar/contract/campaign'
import { type CohortPatient, inCohort } from '@pillar/domain/cohort'
import { type Consent, type ConsentCell, permissionFor } from '@pillar/domain/consent'
import { ageOn, day as dayOf } from '@pillar/domain/day'
import { HELD_REASONS, type HeldReason, heldLedger, holdBack } from '@pillar/domain/held-back'
import { MERGE_FIELDS } from '@pillar/domain/merge-field'
import { countSms, smsCents } from '@pillar/domain/sms-text'
import { PATIENT_TYPES } from '@pillar/domain/upload-format'
import { dayIn } from '@pillar/domain/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addHistoryOf, addPeople, type CohortPerson } from '../../../test/cohort-world.ts'
import { type MessagingWorld, makeMessagingWorld, setRules } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { CampaignText } from './campaign-text.queries.ts'
import { countLedger } from './cohort-ledger.ts'
import { type Cohort, cohortOf } from './cohort-question.ts'
import { linkLike, renderText } from './message-text.ts'

const DEEP = process.env.DEEP === '1'
if (DEEP) vi.setConfig({ testTimeout: 3_600_000 })
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
]
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
    deceased: rarely,
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

const anyFilters = fc
  .record(
    {
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
    },
    { requiredKeys: [] },
  )
  .map((filters) => {
    const keys = Object.keys(filters).slice(0, 3)
    return Filters.parse(Object.fromEntries(Object.entries(filters).filter(([key]) => keys.includes(key))))
  })

const anyText = fc.record({
  body: some(TEXTS),
  channels: some(['sms', 'email', 'both'] as const),
  message_kind: some(['health_outreach', 'marketing'] as const),
})

describe('the cohort ledger', () => {
  it('says what the domain says, patient by patient and part by part, in random worlds', async () => {
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
        async (people, questions, cap, history) => {
          await asOwner(server, 'truncate patient, patient_fact, consent, contact_history, script')
          await setRules(server, world.company.id, { cap: { messages: cap, hours: 48 } })
          const ids = await addPeople(server, world, people)
          await addHistoryOf(server, world.company.id, new Map(Object.entries(history)))
          for (const { filters, texts } of questions) {
            const asked = texts.map(textOf)
            const cohort = await ask(filters, asked)
            const counted = await world.inside((tx) => countLedger(tx, server.services, cohort))
            const expected = await expectation(cohort, people, ids, new Map(Object.entries(history)), cap)
            expect(summary(counted)).toEqual(expected)
          }
        },
      ),
      { numRuns: DEEP ? 300 : 20, endOnFailure: true },
    )
  })
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
    return cohortOf(tx, { locationIds, filters, texts, campaignId: null, country: 'AU', now: server.services.now() })
  })

/** What is compared: every count of every side of the ledger. */
function summary(ledger: Awaited<ReturnType<typeof countLedger>>) {
  const side = (
    one: Pick<typeof ledger, 'selected' | 'will_receive' | 'held_back' | 'reasons' | 'messages' | 'parts' | 'cents'>,
  ) => ({
    selected: one.selected,
    goes: one.will_receive,
    held: one.held_back,
    reasons: Object.fromEntries(one.reasons.map(({ reason, count }) => [reason, count])),
    messages: one.messages,
    parts: one.parts,
    cents: one.cents,
  })
  return {
    total: side(ledger),
    channels: Object.fromEntries(ledger.channels.map((one) => [one.channel, side(one)])),
    pharmacies: Object.fromEntries(ledger.pharmacies.map((one) => [one.pharmacy_id, side(one)])),
    by_parts: Object.fromEntries(
      (ledger.channels.find((one) => one.channel === 'sms')?.by_parts ?? []).map((one) => [one.parts, one.messages]),
    ),
    tipped: (ledger.channels.find((one) => one.channel === 'sms')?.tipping ?? []).reduce(
      (sum, one) => sum + one.messages,
      0,
    ),
  }
}

/** The same, worked out one patient at a time with the rules of the domain and with every text rendered. */
async function expectation(
  cohort: Cohort,
  people: readonly CohortPerson[],
  ids: readonly number[],
  history: Map<string, number>,
  cap: number,
) {
  const order = people
    .map((one, at) => ({ one, id: ids[at]!, location: world.locations[one.at]! }))
    .sort((a, b) => a.location.id - b.location.id || a.id - b.id)
    .filter(({ one }) => inCohort(cohort.question.filters, patientOf(one)))
  const shares = new Map(
    (
      await asOwner<{ id: number; h: string }>(
        server,
        'select id, (hashint8extended(id, $2::bigint) & 9223372036854775807)::text as h from unnest($1::bigint[]) id',
        [order.map(({ id }) => id), String(cohort.question.seed)],
      )
    ).map((row) => [Number(row.id), BigInt(row.h)]),
  )
  const textFor = (texts: readonly CampaignText[], id: number) => texts[Number(shares.get(id)! % BigInt(texts.length))]!
  const had = (one: CohortPerson) =>
    Math.max(0, ...[one.sms_to, one.email_to].map((key) => (key === null ? 0 : (history.get(key) ?? 0))))
  const channel = (name: 'sms' | 'email', texts: readonly CampaignText[], more: (at: number) => number) =>
    holdBack(
      order.map(({ one, id }, at) => {
        const sms = name === 'sms'
        const imported = sms ? one.sms_opt_out : one.email_opt_out
        const written = sms ? one.mobile : one.email
        const contact = sms ? one.sms_to : one.email_to
        return {
          consent: imported ? 'opted_out' : permissionFor(textFor(texts, id).message_kind, name, consentOf(one)),
          contact: contact ?? written,
          contactValid: contact !== null,
          deceased: one.deceased,
          facility: one.facility,
          capped: had(one) + more(at) >= cap,
          alreadyContacted: false,
          testPatient: one.fake,
        }
      }),
    )
  const bare = () =>
    order.map(({ one }): HeldReason | null =>
      one.deceased ? 'deceased' : one.facility ? 'facility' : one.fake ? 'test_patient' : null,
    )
  const sms = cohort.sms.length > 0 ? channel('sms', cohort.sms, () => 0) : null
  // Of one person's two messages the text is counted first.
  const email =
    cohort.email.length > 0 ? channel('email', cohort.email, (at) => (sms && sms[at] === null ? 1 : 0)) : null
  const used = [sms, email].filter((one) => one !== null)
  const persons = (used.length === 0 ? [bare()] : used).reduce((a, b) => a.map((one, at) => first(one, b[at]!)))
  const link = linkLike(server.services)
  const parts = order.map(({ one, id, location }, at) => {
    if (!sms || sms[at] !== null) return null
    const { values } = cohort.pharmacies.find((pharmacy) => pharmacy.id === location.id)!
    const text = renderText(textFor(cohort.sms, id).body, {
      ...values,
      first_name: one.first_name,
      last_name: one.last_name,
    })
    return countSms(text.replaceAll(MERGE_FIELDS.consent_id, link)).parts
  })
  const side = (
    reasons: readonly (HeldReason | null)[],
    of: readonly ('sms' | 'email')[],
    where: (at: number) => boolean,
  ) => {
    const places = order.flatMap((_, at) => (where(at) ? [at] : []))
    const ledger = heldLedger(places.map((at) => reasons[at]!))
    const texts = of.includes('sms') ? places.flatMap((at) => parts[at] ?? []) : []
    const mails = of.includes('email') && email ? places.filter((at) => email[at] === null).length : 0
    const sum = texts.reduce((a, b) => a + b, 0)
    return {
      selected: ledger.selected,
      goes: ledger.willReceive,
      held: ledger.heldBack,
      reasons: Object.fromEntries(Object.entries(ledger.reasons).filter(([, count]) => count > 0)),
      messages: texts.length + mails,
      parts: sum,
      cents: smsCents(sum),
    }
  }
  const all = () => true
  const both = ['sms', 'email'] as const
  const billed = parts.filter((one) => one !== null)
  return {
    total: side(persons, both, all),
    channels: {
      ...(sms ? { sms: side(sms, ['sms'], all) } : {}),
      ...(email ? { email: side(email, ['email'], all) } : {}),
    },
    pharmacies: Object.fromEntries(
      world.locations.map((location) => [
        location.uuid,
        side(persons, both, (at) => order[at]!.location.id === location.id),
      ]),
    ),
    by_parts: Object.fromEntries([...new Set(billed)].map((n) => [n, billed.filter((one) => one === n).length])),
    tipped: billed.filter((one) => one > 1).length,
  }
}

/** A person receives when any channel goes, else the reason that stands first in the list. */
function first(a: HeldReason | null, b: HeldReason | null): HeldReason | null {
  if (a === null || b === null) return null
  return HELD_REASONS.indexOf(a) <= HELD_REASONS.indexOf(b) ? a : b
}

function patientOf(one: CohortPerson): CohortPatient {
  const today = dayIn('Australia/Melbourne', server.services.now())
  const born = one.born === null ? null : dayOf(one.born)
  return {
    adherenceLevel: one.adherence_level,
    loyaltyLevel: one.loyalty_level,
    patientType: PATIENT_TYPES[one.patient_type - 1] ?? null,
    age: born === null ? null : ageOn(born, today),
    sex: one.sex === 'F' ? 'Female' : one.sex === 'M' ? 'Male' : null,
    molecules: one.molecules,
    distance: one.distance_km,
    drugTypes: one.drug_types,
    doubleDispensing: one.double_dispensing,
    atcCodes: one.atc,
    active: true,
  }
}

function consentOf(one: CohortPerson): Consent {
  const cell = (choice: ConsentCell['choice'] | undefined): ConsentCell => ({
    choice: choice ?? 'unknown',
    entry: null,
    beforeStop: null,
  })
  const { consent } = one
  return {
    sms: { health_outreach: cell(consent?.sms_health_outreach), marketing: cell(consent?.sms_marketing) },
    email: { health_outreach: cell(consent?.email_health_outreach), marketing: cell(consent?.email_marketing) },
  }
}
