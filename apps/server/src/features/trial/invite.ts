import { createHash } from 'node:crypto'
import { Filters } from '@pillar/contract/campaign/cohort'
import type { SkipReason } from '@pillar/domain/cohort/held-back'
import { RunContacts } from '@pillar/domain/cohort/run-contacts'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { MERGE_FIELDS } from '@pillar/domain/message/merge-field'
import { startsAt } from '@pillar/domain/message/message-state'
import { formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { nextAllowed } from '@pillar/domain/time/quiet-hours'
import { dayIn } from '@pillar/domain/time/zone'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { atEachPlace, inScope } from '../../db/scope.ts'
import { type Cohort, cohortOf } from '../cohort/cohort-question.ts'
import { textFrame } from '../cohort/message-text.ts'
import { contactsOf, prepareSurroundings, type Recipient } from '../cohort/recipient.queries.ts'
import { reasonAt } from '../cohort/selection.queries.ts'
import { trialLinkLike } from '../consent/link/trial-link.queries.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'
import { written } from '../run/prepare-run.jobs.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import {
  type BatchCounts,
  closeBatches,
  insertBatch,
  insertMessages,
  type NewMessage,
  shareWriting,
} from '../run/run-write.queries.ts'
import { replanWritten } from '../sending/rule/replan.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import {
  type InvitingCompany,
  type InvitingTrial,
  insertInviteRun,
  lockInvitations,
  markInvited,
  nextInvitees,
} from './invite.queries.ts'
import { trialState } from './trial-state.queries.ts'

/** Patients read and written at a time, so that memory stays small. */
const CHUNK = 4000

type Channel = (typeof CHANNELS)[number]

/** One act of inviting: which trial, with which texts, and who ordered it. */
export interface Invitation {
  uuid: string
  trial: InvitingTrial
  texts: readonly CampaignText[]
  loginId: number | null
}

/** The result of an invitation: who gets one, by channel, and who is held back, each for one reason. */
export interface InviteCount {
  sms: number
  email: number
  /** The cost of the texts, in hundredths of each country's currency. */
  cents: Map<Country, number>
  held: Map<SkipReason, number>
}

export const noInvitees = (): InviteCount => ({ sms: 0, email: 0, cents: new Map(), held: new Map() })

/** The texts that contain the link to answer. */
export const linkedTexts = (texts: readonly CampaignText[]): CampaignText[] =>
  texts.filter(({ body }) => body.includes(MERGE_FIELDS.consent_id))

/** Those that can invite: an invitation relies on the consent to health outreach, which covers no marketing. */
export const invitingTexts = (texts: readonly CampaignText[]): CampaignText[] =>
  linkedTexts(texts).filter(({ message_kind }) => message_kind !== 'marketing')

/**
 * Determines which of a company's eligible patients are invited, in one transaction that sees only that company; with `write` it also
 * writes the messages, marks the invited patients and records it in the company's own log, all or none. Safe to run again: an invitation
 * writes to each company once.
 */
export function inviteCompany(
  services: Services,
  company: InvitingCompany,
  invitation: Invitation,
  counts: InviteCount,
  write: boolean,
): Promise<void> {
  const { companyId, country, locationIds } = company
  return inScope(services.pools.app, { companyId, locationIds }, async (tx) => {
    const now = services.now()
    if (write) await lockInvitations(tx, invitation.trial.id)
    if (write) await shareWriting(tx, locationIds)
    const all = { locationIds, filters: Filters.parse({}), noHoldout: true }
    const asked = { ...all, texts: invitation.texts, campaignId: null, trialId: invitation.trial.id, country, now }
    const cohort = await cohortOf(tx, { ...asked, system: services.pools.system })
    await prepareSurroundings(tx, cohort.question)
    const run = {
      uuid: runUuid(invitation, companyId),
      companyId,
      trialId: invitation.trial.id,
      loginId: invitation.loginId,
    }
    const from = new Date(startsAt(now.getTime()))
    const runId = write ? await insertInviteRun(tx, { ...run, now, startsAt: from }) : null
    if (write && runId === null) return
    const contacts = new RunContacts()
    const before = counts.sms + counts.email
    const writer = { invitation, cohort, runId, companyId, from, now, services, counts, contacts }
    await atEachPlace(tx, cohort.pharmacies, (pharmacy) => invitePharmacy(tx, writer, pharmacy))
    if (runId === null) return
    await replanWritten(tx, runId, { country, locationIds, hoursAt: cohort.hoursAt }, now)
    await queueRecount(tx, locationIds)
    const invitations = counts.sms + counts.email - before
    if (invitations > 0) await noteInLog(tx, companyId, invitation, invitations)
  })
}

/** That patients of a company were invited: the log over all companies already has what support started. */
const noteInLog = (tx: Tx, companyId: number, { trial, loginId }: Invitation, invitations: number) =>
  recordAudit(tx, {
    ...{ caller: { companyId, loginId, sessionId: null }, action: 'trialInvite.start', copy: true },
    ...{ object: trial.uuid, name: trial.name, detail: { invitations } },
  })

/** The same act and company give the same uuid: a repeated job finds what it wrote. */
function runUuid({ uuid }: Invitation, companyId: number): string {
  const hex = createHash('sha256').update(`${uuid}:${companyId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

interface Writer {
  invitation: Invitation
  cohort: Cohort
  /** Null: writes nothing, only counts. */
  runId: number | null
  companyId: number
  from: Date
  now: Date
  services: Services
  counts: InviteCount
  /** What the invitations of this act use up in this company. */
  contacts: RunContacts
}

async function invitePharmacy(tx: Tx, writer: Writer, pharmacy: MessagingPharmacy): Promise<void> {
  const { cohort, invitation, now, runId } = writer
  const state = await trialState(tx, invitation.trial.id, formatDay(dayIn(pharmacy.time_zone, now)))
  if (!(state?.active && state.ethicsApproved)) return
  const plannedAt = nextAllowed(cohort.hoursAt(pharmacy.id), pharmacy.calendar, writer.from)
  const batches = runId === null ? null : await openBatches(tx, writer, runId, pharmacy)
  const question = { ...cohort.question, locations: cohort.question.locations.filter(({ id }) => id === pharmacy.id) }
  for (let after = 0; ; ) {
    const chunk = await nextInvitees(tx, question, invitation.trial.id, after, CHUNK)
    const messages = chunk.map((one) => messageFor(writer, pharmacy, batches, one, plannedAt !== null))
    if (runId !== null) await insertMessages(tx, { locationId: pharmacy.id, runId, plannedAt, now }, messages)
    if (chunk.length < CHUNK) break
    after = chunk.at(-1)!.id
  }
  if (runId === null || batches === null) return
  await closeBatches(tx, pharmacy.id, [...batches.sms, ...batches.email], plannedAt)
  await markInvited(tx, pharmacy.id, runId, invitation.trial.id, now)
}

type Batches = Record<Channel, BatchCounts[]>

async function openBatches(tx: Tx, writer: Writer, runId: number, pharmacy: MessagingPharmacy): Promise<Batches> {
  const { cohort, companyId, now } = writer
  const batches: Batches = { sms: [], email: [] }
  for (const channel of CHANNELS) {
    for (const text of cohort[channel]) {
      const own = { runId, companyId, locationId: pharmacy.id, channel, text, smsSender: pharmacy.sms_sender }
      const id = await insertBatch(tx, { ...own, context: 'trial', kind: 'trial', userName: null, now })
      batches[channel].push({ id, queued: 0, skipped: 0, fake: 0, parts: 0, cents: 0 })
    }
  }
  return batches
}

/** The one message for a person: a text if possible, otherwise an email, otherwise the reason of the first available channel. */
function messageFor(
  writer: Writer,
  pharmacy: MessagingPharmacy,
  batches: Batches | null,
  person: Recipient,
  inTime: boolean,
): NewMessage {
  const { cohort, counts, services, invitation, contacts } = writer
  const open = CHANNELS.filter((channel) => cohort[channel].length > 0)
  const channel = open.find((one) => heldFor(writer, person, one) === null) ?? open[0]!
  const reason = heldFor(writer, person, channel) ?? (inTime ? null : 'quiet_hours')
  const which = channel === 'sms' ? person.sms_text : person.email_text
  const batch = batches?.[channel][which]
  const { name: trial_name, provider: trial_provider } = invitation.trial
  const named = { ...pharmacy, values: { ...pharmacy.values, trial_name, trial_provider } }
  const frame = { ...textFrame(services), consentLink: trialLinkLike(services) }
  const one = { channel, text: cohort[channel][which]!, batchId: batch?.id ?? 0, reason }
  const message = written({ frame }, named, person, one)
  if (reason === null) {
    counts[channel]++
    if (channel === 'sms') addTo(counts.cents, cohort.question.country, message.cents)
    contacts.use(channel, contactsOf(person))
  } else addTo(counts.held, reason, 1)
  if (batch) {
    if (reason === null) batch.queued++
    else batch.skipped++
    batch.parts += message.parts
    batch.cents += message.cents
  }
  return message
}

function addTo<Key>(sums: Map<Key, number>, key: Key, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more)
}

/** Why a person gets no invitation on a channel; null if nothing holds it back. */
function heldFor({ contacts }: Writer, person: Recipient, channel: Channel): SkipReason | null {
  const known = reasonAt(person[channel])
  // Another person with the number or address has had an invitation, by this act or an earlier one: both share one reason.
  const alone = known === 'already_contacted' ? 'duplicate_contact' : known
  return alone === 'test_patient' ? alone : contacts.reason(channel, contactsOf(person), alone)
}
