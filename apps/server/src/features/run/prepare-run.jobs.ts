import { Filters } from '@pillar/contract/campaign/cohort'
import { ceilingProblem } from '@pillar/domain/campaign/approval'
import { isHeldOut } from '@pillar/domain/campaign/campaign-result'
import { allowedText, type SkipReason } from '@pillar/domain/cohort/held-back'
import { RunContacts } from '@pillar/domain/cohort/run-contacts'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { smsCents } from '@pillar/domain/message/sms-text'
import { COUNTRIES, type Country } from '@pillar/domain/time/locale'
import { nextAllowed } from '@pillar/domain/time/quiet-hours'
import { z } from 'zod'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { setbackOf } from '../../api/health/setback.ts'
import { job } from '../../api/queue.ts'
import { refuseDoubtfulTime } from '../../db/clock.ts'
import type { Tx } from '../../db/database.ts'
import { atEachPlace, bindScope, inScope } from '../../db/scope.ts'
import { type Cohort, cohortOf } from '../cohort/cohort-question.ts'
import { settleContacts } from '../cohort/fill-contacts.jobs.ts'
import { partsOfText, renderEmail, renderText, type TextFrame, textFrame } from '../cohort/message-text.ts'
import { contactsOf, nextRecipients, prepareSurroundings, type Recipient } from '../cohort/recipient.queries.ts'
import { filterIds, reasonAt } from '../cohort/selection.queries.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'
import { replanWritten } from '../sending/rule/replan.queries.ts'
import { approvalRequired } from '../template/template-use.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { mailNotSent } from './approval/not-sent-mail.jobs.ts'
import { approvalOfRun, ceilingOf, holdRun } from './approval.queries.ts'
import { NotApproved, refuseOther } from './approved-run.ts'
import { queueRecount } from './recount-queue.queries.ts'
import { textsOfCampaign } from './run-source.queries.ts'
import {
  type BatchCounts,
  closeBatches,
  endPreparing,
  insertBatch,
  insertMessages,
  isWritten,
  type NewMessage,
  noteFailure,
  openPreparing,
  shareWriting,
  unwrittenRuns,
} from './run-write.queries.ts'
import { setSpareCents } from './spare-cents.queries.ts'

/** Patients read and written at a time, so that memory stays small for every cohort. */
const CHUNK = 4000

/** After this many failed tries to write it, a run fails, and its campaign can be activated again. */
const TRIES = 3

/** Thrown to roll back when the run has ended in the meantime. */
class RunEnded extends Error {}

/**
 * Writes the messages of an activated run, all or none. Safe to run again. A server fault (`setbackOf`) never ends a run: it is requested
 * again every few seconds (`prepareOverlooked`). Any other error ends it at the third try, and the queue counts the job as given up.
 */
export const prepareRun = job({
  name: 'prepare-run',
  payload: z.object({ run_id: z.number().int(), company_id: z.number().int(), country: z.enum(COUNTRIES) }),
  concurrency: () => 1,
  retries: TRIES - 1,
  async run({ run_id, company_id, country }, services) {
    // A wrong time would plan every message for it.
    refuseDoubtfulTime(services)
    await settleContacts(services)
    const bare = { companyId: company_id, locationIds: [] }
    try {
      await inScope(services.pools.app, bare, (tx) => writeRun(tx, services, run_id, company_id, country))
    } catch (error) {
      if (error instanceof RunEnded) return
      if (error instanceof NotApproved)
        return inScope(services.pools.app, bare, (tx) => hold(tx, run_id, company_id, error.message, services))
      if (setbackOf(error) !== null) throw error
      const failed = await inScope(services.pools.app, bare, async (tx) => {
        const gaveUp = await noteFailure(tx, run_id, TRIES, services.now())
        if (gaveUp) await services.queue.send(tx, mailNotSent, { run_id, company_id })
        return gaveUp
      })
      if (failed) services.log.error({ run: run_id }, 'a campaign’s messages could not be written')
      throw error
    }
  },
})

/**
 * Requests runs again whose job was given up without recording it on the run, because the run could not be written to either. @returns how
 * many
 */
export async function prepareOverlooked({ pools, queue }: Services): Promise<number> {
  const runs = await unwrittenRuns(pools.system, prepareRun.name)
  for (const run of runs) await pools.system.transaction().execute((tx) => queue.send(tx, prepareRun, run))
  return runs.length
}

/** Records that nothing of a run is sent, and why, unless it has ended or was written in the meantime. An email follows. */
async function hold(tx: Tx, runId: number, companyId: number, reason: string, services: Services): Promise<void> {
  const run = await openPreparing(tx, runId)
  if (!run) return
  await bindScope(tx, { companyId, locationIds: run.location_ids })
  if (await isWritten(tx, runId)) return
  const campaign = await holdRun(tx, runId, reason, services.now())
  if (!campaign) return
  const caller = { companyId, loginId: null, sessionId: null }
  const { uuid, name } = campaign
  await recordAudit(tx, { caller, action: 'campaignApproval.hold', object: uuid, name, detail: { reason } })
  await services.queue.send(tx, mailNotSent, { run_id: runId, company_id: companyId })
}

async function writeRun(tx: Tx, services: Services, runId: number, companyId: number, country: Country): Promise<void> {
  const run = await openPreparing(tx, runId)
  if (!run) return
  const scope = { companyId, locationIds: run.location_ids }
  await bindScope(tx, scope)
  if (await isWritten(tx, runId)) return
  await shareWriting(tx, run.location_ids)
  const now = services.now()
  const texts = await textsOfCampaign(tx, run.campaign_id)
  const cohort = await cohortOf(tx, {
    locationIds: run.location_ids,
    filters: Filters.parse(run.filters),
    texts,
    campaignId: run.campaign_id,
    noHoldout: run.no_holdout,
    country,
    now,
    notBefore: run.starts_at,
    system: services.pools.system,
  })
  const approval = await approvalOfRun(tx, runId)
  if (approval) refuseOther(approval, run, texts, cohort)
  // It was activated before the company required approval.
  else if (await approvalRequired(tx))
    throw new NotApproved('Nobody approved this campaign, and your company asks for it now. Nothing was sent.')
  await prepareSurroundings(tx, cohort.question)
  const ids = await filterIds(tx, cohort.question.filters)
  const writer: Writer = {
    runId,
    companyId,
    campaignUuid: run.campaign_uuid,
    userName: run.user_name,
    cohort,
    ids,
    frame: textFrame(services),
    now,
    from: new Date(Math.max(run.starts_at.getTime(), now.getTime())),
    endsAt: run.ends_at,
    contacts: new RunContacts(),
    going: { people: 0, cents: 0 },
  }
  await atEachPlace(tx, cohort.pharmacies, (pharmacy) => writePharmacy(tx, writer, pharmacy))
  const problem = approval ? ceilingProblem(ceilingOf(approval), writer.going, country) : ''
  if (problem !== '') throw new NotApproved(`${problem} Nothing was sent.`)
  if (approval) await setSpareCents(tx, runId, ceilingOf(approval).cents - writer.going.cents)
  if (!(await endPreparing(tx, runId))) throw new RunEnded()
  await replanWritten(
    tx,
    runId,
    { country, locationIds: cohort.pharmacies.map(({ id }) => id), hoursAt: cohort.hoursAt },
    now,
  )
  await queueRecount(tx, scope.locationIds)
}

interface Writer {
  runId: number
  companyId: number
  campaignUuid: string
  userName: string | null
  cohort: Cohort
  ids: Awaited<ReturnType<typeof filterIds>>
  frame: TextFrame
  now: Date
  from: Date
  endsAt: Date | null
  /** What this run's messages use up, over all pharmacies. */
  contacts: RunContacts
  /** People who will get a message so far, and the cost. */
  going: { people: number; cents: number }
}

async function writePharmacy(tx: Tx, writer: Writer, pharmacy: MessagingPharmacy): Promise<void> {
  const { runId, companyId, cohort, now } = writer
  const allowed = nextAllowed(cohort.hoursAt(pharmacy.id), pharmacy.calendar, writer.from)
  const plannedAt = allowed !== null && (writer.endsAt === null || allowed <= writer.endsAt) ? allowed : null
  const batches: Record<'sms' | 'email', BatchCounts[]> = { sms: [], email: [] }
  for (const channel of CHANNELS) {
    for (const text of cohort[channel]) {
      const batch = {
        runId,
        companyId,
        locationId: pharmacy.id,
        channel,
        text,
        smsSender: pharmacy.sms_sender,
        userName: writer.userName,
        now,
      }
      batches[channel].push({ id: await insertBatch(tx, batch), queued: 0, skipped: 0, fake: 0, parts: 0, cents: 0 })
    }
  }
  const question = { ...cohort.question, locations: cohort.question.locations.filter(({ id }) => id === pharmacy.id) }
  const place = { locationId: pharmacy.id, runId, plannedAt, now }
  for (let after = 0; ; ) {
    const chunk = await nextRecipients(tx, question, writer.ids, after, CHUNK)
    const messages = chunk.flatMap((recipient) => messagesFor(writer, pharmacy, batches, recipient, plannedAt !== null))
    await insertMessages(tx, place, messages)
    if (chunk.length < CHUNK) break
    after = chunk.at(-1)!.id
  }
  await closeBatches(tx, pharmacy.id, [...batches.sms, ...batches.email], plannedAt)
}

/** The messages of one person, one per channel; counts them in their batches. */
function messagesFor(
  writer: Writer,
  pharmacy: MessagingPharmacy,
  batches: Record<'sms' | 'email', BatchCounts[]>,
  recipient: Recipient,
  inTime: boolean,
): NewMessage[] {
  const { cohort } = writer
  const messages = CHANNELS.flatMap((channel) => {
    if (cohort[channel].length === 0) return []
    const which = channel === 'sms' ? recipient.sms_text : recipient.email_text
    const text = cohort[channel][which]!
    const batch = batches[channel][which]!
    const held = writer.contacts.reason(channel, contactsOf(recipient), reasonAt(recipient[channel]))
    if (held === null) writer.contacts.use(channel, contactsOf(recipient))
    const reason =
      held ??
      (isHeldOut(`${pharmacy.id}/${recipient.source_id}`, writer.campaignUuid, cohort.rules.holdoutPercent / 100)
        ? 'held_out'
        : inTime
          ? null
          : 'quiet_hours')
    const message = written(writer, pharmacy, recipient, { channel, text, batchId: batch.id, reason })
    if (reason === null) batch.queued++
    else batch.skipped++
    if (recipient.fake) batch.fake++
    batch.parts += message.parts
    batch.cents += message.cents
    return [message]
  })
  if (messages.some(({ reason }) => reason === null)) writer.going.people++
  writer.going.cents += messages.reduce((sum, { cents }) => sum + cents, 0)
  return messages
}

/** What a message needs about its recipient. */
type Addressee = Pick<
  Recipient,
  | 'id'
  | 'first_name'
  | 'last_name'
  | 'sms_to'
  | 'email_to'
  | 'fake'
  | `${'sms' | 'email'}_${'health_outreach' | 'marketing'}_entry`
>

/** A message for the ledger: rendered and priced, or without text and with the reason it was held back. */
export function written(
  { frame }: { frame: TextFrame },
  pharmacy: Pick<MessagingPharmacy, 'values' | 'sms_sender'>,
  recipient: Addressee,
  one: { channel: 'sms' | 'email'; text: CampaignText; batchId: number; reason: SkipReason | null },
): NewMessage {
  const { channel, text, batchId, reason } = one
  const sms = channel === 'sms'
  const base = {
    batchId,
    patientId: recipient.id,
    channel,
    reason,
    contact: sms ? recipient.sms_to : recipient.email_to,
    fake: recipient.fake,
  }
  if (reason !== null) return { ...base, subject: null, body: null, parts: 0, cents: 0, rule: null, entryId: null }
  const values = { ...pharmacy.values, first_name: recipient.first_name, last_name: recipient.last_name }
  const entryId = recipient[`${channel}_${text.message_kind}_entry`]
  const rule = allowedText(text.message_kind, entryId !== null)
  if (!sms) return { ...base, ...renderEmail(text.body, text.subject, values), parts: 0, cents: 0, rule, entryId }
  const body = renderText(text.body, pharmacy, recipient, frame)
  const parts = partsOfText(body, frame)
  return { ...base, subject: null, body, parts, cents: smsCents(parts), rule, entryId }
}
