import { createHash } from 'node:crypto'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { startsAt } from '@pillar/domain/message/message-state'
import type { Country } from '@pillar/domain/time/locale'
import { type LocalCalendar, nextAllowed, type SendingHours } from '@pillar/domain/time/quiet-hours'
import { dayIn } from '@pillar/domain/time/zone'
import type { Database, Tx } from '../../db/database.ts'
import { withScope } from '../../db/scope.ts'
import { type MessagingPharmacy, messagingPharmacies } from '../location/messaging-pharmacy.queries.ts'
import { type CompanyRules, type HoursAt, readPlaceRules, readRules } from '../sending/rule/rules.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { pharmaciesElsewhere, readWaiting } from './frequency-limit.queries.ts'
import type { Question } from './selection.queries.ts'

/** A cohort to count or write: the question for the database and everything the texts need. */
export interface Cohort {
  question: Question
  pharmacies: readonly MessagingPharmacy[]
  /** The texts of each channel, in the order that decides their shares. */
  sms: readonly CampaignText[]
  email: readonly CampaignText[]
  rules: CompanyRules
  hoursAt: HoursAt
}

/**
 * The texts in an order and with a seed that depend only on their content. A forecast, made before a campaign exists or before recommended
 * templates are copied to the company, then gives every patient the text that is sent.
 */
function shared(texts: readonly CampaignText[]): { texts: CampaignText[]; seed: bigint } {
  const said = (text: CampaignText) => `${text.body}\u0000${text.subject ?? ''}\u0000${text.message_kind}`
  const ordered = [...texts].sort((a, b) => (said(a) < said(b) ? -1 : 1))
  const hash = createHash('sha256').update(ordered.map(said).join('\u0001')).digest()
  return { texts: ordered, seed: hash.readBigInt64BE(0) }
}

export async function cohortOf(
  tx: Tx,
  ask: {
    locationIds: readonly number[]
    filters: Filters
    texts: readonly CampaignText[]
    campaignId: number | null
    /** For invitations to this trial. */
    trialId?: number
    /** Nobody is held out at random, whatever share the company holds out. */
    noHoldout: boolean
    country: Country
    now: Date
    /** Nothing is sent earlier; default: as soon as allowed. */
    notBefore?: Date | null
    /** Sees which other pharmacies of the company have messages that count. */
    system: Database
  },
): Promise<Cohort> {
  const company = await readRules(tx, ask.country)
  const rules = ask.noHoldout ? { ...company, holdoutPercent: 0 } : company
  const pharmacies = await messagingPharmacies(tx, ask.locationIds)
  const { hoursAt, limits } = await readPlaceRules(
    tx,
    rules,
    pharmacies.map(({ id }) => id),
  )
  const { texts, seed } = shared(ask.texts)
  const sms = texts.filter((text) => text.sms_template)
  const email = texts.filter((text) => text.email_template)
  const channel = (own: readonly CampaignText[]) =>
    own.length === 0 ? null : { marketing: own.map((text) => text.message_kind === 'marketing') }
  const firstAt = firstFrom(ask.now, ask.notBefore ?? null)
  const firsts = pharmacies.flatMap(({ id, calendar }) => {
    const first = firstAt(hoursAt(id), calendar)
    return first === null ? [] : [{ id, first }]
  })
  const until = new Date(Math.max(ask.now.getTime(), ...firsts.map(({ first }) => first.getTime())))
  const chosen = pharmacies.map(({ id }) => id)
  const { campaignId, trialId } = ask
  const elsewhere = await pharmaciesElsewhere(tx, ask.system, { locationIds: chosen, campaignId, trialId, until })
  const places = [...firsts, ...elsewhere.map((id) => ({ id, first: until }))]
  const question: Question = {
    locations: pharmacies.map(({ id, time_zone }) => ({ id, today: dayIn(time_zone, ask.now) })),
    country: ask.country,
    filters: ask.filters,
    sms: channel(sms),
    email: channel(email),
    seed,
    campaignId,
    ...(trialId === undefined ? {} : { trialId }),
    limits,
    waiting: await withScope(tx, [...chosen, ...elsewhere], () => readWaiting(tx, places, campaignId)),
    elsewhere,
    now: ask.now,
  }
  return { question, pharmacies, sms, email, rules, hoursAt }
}

/**
 * When a pharmacy's first message may be sent, after the hold and within its hours; null if no hour of a month is allowed. Calculated once
 * for all pharmacies with the same hours and calendar, because converting between time zones is slow.
 */
export function firstFrom(
  now: Date,
  notBefore: Date | null,
): (hours: SendingHours, calendar: LocalCalendar) => Date | null {
  const from = new Date(Math.max(startsAt(now.getTime()), notBefore?.getTime() ?? 0))
  const known = new Map<SendingHours, Map<LocalCalendar, Date | null>>()
  return (hours, calendar) => {
    const same = known.get(hours) ?? new Map<LocalCalendar, Date | null>()
    known.set(hours, same)
    if (!same.has(calendar)) same.set(calendar, nextAllowed(hours, calendar, from))
    return same.get(calendar) ?? null
  }
}
