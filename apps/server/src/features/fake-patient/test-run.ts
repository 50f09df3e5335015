import { Refusal } from '@pillar/contract'
import type { SkipReason } from '@pillar/domain/cohort/held-back'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { MOST_TESTS_A_DAY } from '@pillar/domain/message/fake-patient'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { type TextFrame, textFrame } from '../cohort/message-text.ts'
import { type MessagingPharmacy, messagingPharmacies } from '../location/messaging-pharmacy.queries.ts'
import { written } from '../run/prepare-run.jobs.ts'
import { textsOfCampaign } from '../run/run-source.queries.ts'
import {
  type BatchCounts,
  closeBatches,
  insertBatch,
  insertMessages,
  type NewMessage,
} from '../run/run-write.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import {
  type FakePatientRow,
  findTestedCampaign,
  insertTestRun,
  listFakePatients,
  scopedPharmacy,
  testsToday,
} from './fake-patient.queries.ts'

type Channel = 'sms' | 'email'

/**
 * Writes a campaign's messages to the fake patients of the pharmacy in scope, for the ledger to send at once. Each text goes to each
 * patient on its channels; patients who cannot be reached are held back with the reason. Senders check the confirmation again.
 */
export async function sendTest(context: Context, campaignId: string): Promise<{ queued: number; held_back: number }> {
  const tx = tenantTx(context)
  const { services } = context
  const { loginId, companyId } = callerOf(context)
  const now = services.now()
  const { id: locationId } = await scopedPharmacy(tx)
  const campaign = await findTestedCampaign(tx, locationId, campaignId)
  const texts = await textsOfCampaign(tx, campaign.id)
  if (texts.length === 0)
    throw new Refusal('conflict', `${campaign.name} has no active template, so there is nothing to test.`)
  const patients = await listFakePatients({ tx, keys: services.keys }, locationId, null, now)
  if (patients.length === 0) throw new Refusal('conflict', 'This pharmacy has no fake patient. Please add one first.')
  const pharmacy = (await messagingPharmacies(tx, [locationId]))[0]!
  const note = `Test of ${campaign.name}`
  const runId = await insertTestRun(tx, { uuid: uuidv7(), companyId, loginId, note, now })
  const frame = textFrame(services)
  const batches: BatchCounts[] = []
  const all: NewMessage[] = []
  for (const { channel, text } of channelsOf(texts)) {
    const place = { runId, companyId, locationId, channel, text, smsSender: pharmacy.sms_sender }
    const batchId = await insertBatch(tx, { ...place, userName: 'Pillar support', now })
    const messages = patients.map((patient) => messageFor({ frame, pharmacy, channel, text, batchId }, patient))
    batches.push(countsOf(batchId, messages))
    all.push(...messages)
  }
  const queued = all.filter(({ reason }) => reason === null).length
  if ((await testsToday(tx, locationId, now)) + queued > MOST_TESTS_A_DAY) {
    const message = `A pharmacy’s fake patients get at most ${MOST_TESTS_A_DAY} test messages in 24 hours. Nothing was sent.`
    throw new Refusal('too_many', message, { retryAfter: 3600 })
  }
  await insertMessages(tx, { locationId, runId, plannedAt: now, now }, all)
  await closeBatches(tx, locationId, batches, now)
  return { queued, held_back: all.length - queued }
}

/** A person gets one message per channel in a run: the first text of each channel is tested. */
function channelsOf(texts: readonly CampaignText[]): { channel: Channel; text: CampaignText }[] {
  return CHANNELS.flatMap((channel) => {
    const text = texts.find((one) => (channel === 'sms' ? one.sms_template : one.email_template))
    return text ? [{ channel, text }] : []
  })
}

interface Frame {
  frame: TextFrame
  pharmacy: MessagingPharmacy
  channel: Channel
  text: CampaignText
  batchId: number
}

function messageFor({ frame, pharmacy, ...one }: Frame, patient: FakePatientRow): NewMessage {
  const none = { sms_health_outreach_entry: null, sms_marketing_entry: null }
  const recipient = {
    ...{ ...none, email_health_outreach_entry: null, email_marketing_entry: null },
    ...{ id: patient.patient_id, first_name: patient.first_name, last_name: patient.last_name },
    ...{ sms_to: patient.sms_to, email_to: patient.email_to, fake: true },
  }
  return written({ frame }, pharmacy, recipient, { ...one, reason: heldFor(patient, one.channel) })
}

/** Why a fake patient gets nothing on a channel: the reason to simulate, or an unconfirmed contact. */
function heldFor(patient: FakePatientRow, channel: Channel): SkipReason | null {
  const wanted = channel === 'sms' ? patient.sms_nocontact_reason : patient.email_nocontact_reason
  if (wanted !== null) return wanted
  if ((channel === 'sms' ? patient.sms_to : patient.email_to) === null) return 'no_contact'
  return (channel === 'sms' ? patient.sms_reachable : patient.email_reachable) ? null : 'test_patient'
}

function countsOf(id: number, messages: readonly NewMessage[]): BatchCounts {
  const sum = (key: 'parts' | 'cents') => messages.reduce((total, message) => total + message[key], 0)
  const skipped = messages.filter(({ reason }) => reason !== null).length
  const queued = messages.length - skipped
  return { id, queued, skipped, fake: messages.length, parts: sum('parts'), cents: sum('cents') }
}
