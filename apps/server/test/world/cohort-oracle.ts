import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { type CohortPatient, inCohort } from '@pillar/domain/cohort/cohort'
import { countHeldBack, HELD_REASONS, type HeldReason, heldReason } from '@pillar/domain/cohort/held-back'
import { type Consent, type ConsentCell, permissionFor } from '@pillar/domain/consent/consent'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import { renderMessage } from '@pillar/domain/message/merge-field'
import { countSms, OPT_OUT_LINK, optOutFor, smsCents, withOptOut } from '@pillar/domain/message/sms-text'
import { ageOn, type Day, day as dayOf } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import type { Cohort } from '../../src/features/cohort/cohort-question.ts'
import { optOutLink } from '../../src/features/consent/link/consent-link.queries.ts'
import { consentToken } from '../../src/features/consent/link/consent-token.ts'
import type { CampaignText } from '../../src/features/template/text.queries.ts'
import type { MessagingWorld } from '../messaging.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'
import type { CohortPerson } from './cohort-world.ts'

/** The same forecast, calculated one patient at a time with the rules of the domain and with every text rendered. */
export async function expectedForecast(
  server: TestServer,
  world: MessagingWorld,
  cohort: Cohort,
  people: readonly CohortPerson[],
  ids: readonly number[],
  history: Map<string, number>,
  /** By pharmacy, the limits that apply there: how many messages, and whether the hours of the limit reach back to the history. */
  limits: readonly (readonly { messages: number; reaches: boolean }[])[],
) {
  const today = dayIn('Australia/Melbourne', server.services.now())
  const order = people
    .map((one, at) => ({ one, id: ids[at]!, location: world.locations[one.at]! }))
    .sort((a, b) => a.location.id - b.location.id || a.id - b.id)
    .filter(({ one }) => inCohort(cohort.question.filters, patientOf(one, today)))
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
  const keysOf = (one: CohortPerson) => [one.sms_to, one.email_to].filter((key) => key !== null)
  const taken = new Set<string>()
  /** By number or address, for the messages to it: what each may send there, by its pharmacy's strictest limit. */
  const sent = new Map<string, number[]>()
  const roomOf = (one: CohortPerson, key: string) =>
    Math.min(...limits[one.at]!.map(({ messages, reaches }) => messages - (reaches ? (history.get(key) ?? 0) : 0)))
  // Whichever is sent last finds all the others.
  const isFull = (one: CohortPerson) =>
    keysOf(one).some((key) => {
      const all = [...(sent.get(key) ?? []), roomOf(one, key)]
      return all.some((room) => all.length > room)
    })
  const held = (name: 'sms' | 'email', texts: readonly CampaignText[], one: CohortPerson, id: number) => {
    const sms = name === 'sms'
    const imported = sms ? one.sms_opt_out : one.email_opt_out
    const written = sms ? one.mobile : one.email
    const contact = sms ? one.sms_to : one.email_to
    const alone = {
      consent: imported ? ('opted_out' as const) : permissionFor(textFor(texts, id).message_kind, name, consentOf(one)),
      contact: contact ?? written,
      contactValid: contact !== null,
      unreachable: sms ? one.sms_gone : one.email_gone,
      deceased: one.deceased,
      deceasedElsewhere: one.deceased_elsewhere,
      facility: one.facility,
      capped: keysOf(one).some((key) => roomOf(one, key) <= 0),
      alreadyContacted: false,
      testPatient: one.fake,
    }
    const reason = heldReason(alone, contact !== null && taken.has(contact)) ?? (isFull(one) ? 'capped' : null)
    if (reason !== null) return reason
    taken.add(contact!)
    for (const key of keysOf(one)) sent.set(key, [...(sent.get(key) ?? []), roomOf(one, key)])
    return null
  }
  const bare = () =>
    order.map(({ one }): HeldReason | null =>
      one.deceased
        ? 'deceased'
        : one.deceased_elsewhere
          ? 'deceased_elsewhere'
          : one.facility
            ? 'facility'
            : one.fake
              ? 'test_patient'
              : null,
    )
  // One person after the other, the text before the email.
  const asked = order.map(({ one, id }) => ({
    sms: cohort.sms.length > 0 ? held('sms', cohort.sms, one, id) : null,
    email: cohort.email.length > 0 ? held('email', cohort.email, one, id) : null,
  }))
  const sms = cohort.sms.length > 0 ? asked.map((one) => one.sms) : null
  const email = cohort.email.length > 0 ? asked.map((one) => one.email) : null
  const used = [sms, email].filter((one) => one !== null)
  const persons = (used.length === 0 ? [bare()] : used).reduce((a, b) => a.map((one, at) => first(one, b[at]!)))
  // Every text with the actual links of some message, as it would be sent.
  const parts = order.map(({ one, id, location }, at) => {
    if (!sms || sms[at] !== null) return null
    const { values, sms_sender } = cohort.pharmacies.find((pharmacy) => pharmacy.id === location.id)!
    const { services } = server
    const message = { locationId: location.id, messageId: 1000 * id + at }
    const names = { first_name: one.first_name, last_name: one.last_name }
    const consent_id = new URL(`/consent/${consentToken(services.linkSecret, message)}`, services.publicUrl()).href
    const { text } = renderMessage(textFor(cohort.sms, id).body, { ...values, ...names, consent_id })
    const optOut = optOutFor(sms_sender ?? services.sms.defaultSender)
    const link = optOutLink(services, location.id, message.messageId)
    return countSms(withOptOut(text, optOut).replaceAll(OPT_OUT_LINK, link)).parts
  })
  const side = (
    reasons: readonly (HeldReason | null)[],
    of: readonly ('sms' | 'email')[],
    where: (at: number) => boolean,
  ) => {
    const places = order.flatMap((_, at) => (where(at) ? [at] : []))
    const ledger = countHeldBack(places.map((at) => reasons[at]!))
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

/** A person receives if any channel sends, otherwise the reason that comes first in the list. */
function first(a: HeldReason | null, b: HeldReason | null): HeldReason | null {
  if (a === null || b === null) return null
  return HELD_REASONS.indexOf(a) <= HELD_REASONS.indexOf(b) ? a : b
}

function patientOf(one: CohortPerson, today: Day): CohortPatient {
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

/** What is compared: every count of every side of a ledger. */
export function countsOf(ledger: CohortForecast) {
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
