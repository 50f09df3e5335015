import { dueAt, type FollowUpAnswer, followUpAnswer, MISSED_DAYS } from '@pillar/domain/campaign/sequence'
import { smsCents } from '@pillar/domain/message/sms-text'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { localTime } from '@pillar/domain/time/local-time'
import { nextAllowed } from '@pillar/domain/time/quiet-hours'
import type { Tx } from '../../db/database.ts'
import type { TextFrame } from '../cohort/message-text.ts'
import { fitsText } from '../cohort/sendable.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'
import { written } from '../run/prepare-run.jobs.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { insertMessages, type NewMessage } from '../run/run-write.queries.ts'
import type { Channel } from '../sending/lease.queries.ts'
import { readRulesAt } from '../sending/rule/rules.queries.ts'
import { type Route, routeTo } from './channel.ts'
import type { DueFollowUp } from './follow-up-queue.queries.ts'
import {
  batchOf,
  type Decision,
  findRun,
  insertDecisions,
  insertRun,
  messagesOfRun,
  queueAgain,
  type RunMessage,
  spentCents,
  TAKEN_BACK,
  wakeBatch,
} from './run.queries.ts'

/** A patient's message in a run, and whether it was taken back: its medicine was collected, or its event is gone. */
interface Had {
  channel: Channel
  takenBack: RunMessage | null
}

/** A run to which follow-ups are being added: the patients who have a message in it, and the contacts taken. */
interface OpenRun {
  /** Null until a patient is added. */
  id: number | null
  dueDay: string
  endsAt: Date
  had: Map<number, Had>
  taken: Record<Channel, Set<string>>
}

interface Planned {
  decision: Decision
  /** The addition to the ledger; null if the patient already has the run's message, or nothing is sent. */
  message: { way: Route; run: OpenRun; runId: number; row: NewMessage } | null
  /** A message that was taken back and is sent after all, for this medicine. */
  again?: { run: OpenRun; message: RunMessage }
}

export interface Place {
  companyId: number
  pharmacy: MessagingPharmacy
  /** What this installation adds to its texts. */
  frame: TextFrame
  now: Date
  /** Today by the pharmacy's clock. */
  today: Day
  /** Until when messages may have been sent that a restored database does not know about; null if none was restored. */
  restoredUntil: Date | null
  /** When the follow-ups of a day are due. */
  dueAt: (day: Day) => Date
}

/** The state of a pharmacy at one instant. */
export function placeAt(place: Omit<Place, 'today' | 'dueAt'>): Place {
  const zone = place.pharmacy.time_zone
  // Thousands are due on a few days, and reading a zone's clock is slow.
  const known = new Map<Day, Date>()
  return {
    ...place,
    today: localTime(zone, place.now).day,
    dueAt: (day) => {
      const at = known.get(day) ?? dueAt(zone, day, { follow_up_order: 1, days_after: 0 })
      known.set(day, at)
      return at
    },
  }
}

/**
 * Decides follow-ups of one pharmacy in order, and queues those that will be sent in the ledger. Needs the pharmacy's sequence lock.
 * @returns messages queued
 */
export async function decideFollowUps(tx: Tx, place: Place, due: readonly DueFollowUp[]): Promise<number> {
  const { pharmacy, now } = place
  // Adds up everything a sequence ever sent, so only for sequences with a budget.
  const bounded = due.flatMap(({ budget_cents, sequence_id }) => (budget_cents === null ? [] : [sequence_id]))
  const spent = await spentCents(tx, pharmacy.id, [...new Set(bounded)])
  const runs = new Map<string, OpenRun>()
  const planned: Planned[] = []
  for (const one of due) {
    const made = await planOne(tx, place, one, spent, runs)
    if (made) planned.push(made)
  }
  const fresh = await insertDecisions(
    tx,
    pharmacy.id,
    planned.map((one) => one.decision),
    now,
  )
  const kept = planned.filter(({ decision }) => fresh.has(`${decision.enrolmentId}:${decision.followUpId}`))
  const messages = kept.flatMap(({ message }) => message ?? [])
  const again = kept.flatMap((one) => one.again ?? [])
  const back = await queueAll(tx, place, messages, again)
  if (messages.length + again.length > 0) await queueRecount(tx, [pharmacy.id])
  return messages.filter(({ row }) => row.reason === null).length + back
}

/** The decision on one follow-up; null if it waits, or if its goal is reached, which the enrolment itself records. */
async function planOne(
  tx: Tx,
  place: Place,
  one: DueFollowUp,
  spent: Map<number, number>,
  runs: Map<string, OpenRun>,
): Promise<Planned | null> {
  const { pharmacy } = place
  const due = place.dueAt(dayOf(one.event_day) + one.days_after)
  const decision: Decision = {
    enrolmentId: one.enrolment_id,
    followUpId: one.follow_up_id,
    sequenceId: one.sequence_id,
    patientId: one.patient_id,
    dueAt: due,
    runId: null,
    channel: null,
    reason: null,
  }
  const skip = (reason: Decision['reason']): Planned => ({ decision: { ...decision, reason }, message: null })
  // Leaves out consent, price and contact at first: nobody's message is rendered before its time.
  const early = answerFor(place, one, due, { consented: true, cents: 0, budgetLeft: null })
  if (early.act === 'wait' || (early.act === 'skip' && early.reason === 'goal_reached')) return null
  if (early.act === 'skip') return skip(early.reason)
  const run = await runFor(tx, place, one, due, runs)
  const had = run.had.get(one.patient_id)
  const total = spent.get(one.sequence_id) ?? 0
  const budgetLeft = one.budget_cents === null ? null : one.budget_cents - total
  if (had) {
    const same = { decision: { ...decision, runId: run.id, channel: had.channel }, message: null }
    const message = had.takenBack
    // Another person may have got the text at that number meanwhile.
    if (!message?.contact || run.taken[message.channel].has(message.contact)) return same
    const cents = message.channel === 'sms' ? smsCents(message.parts) : 0
    const answer = answerFor(place, one, due, { consented: true, cents, budgetLeft })
    if (answer.act === 'skip') return skip(answer.reason)
    had.takenBack = null
    run.taken[message.channel].add(message.contact)
    spent.set(one.sequence_id, total + cents)
    return { ...same, again: { run, message } }
  }
  const taken = (channel: Channel, contact: string) => run.taken[channel].has(contact)
  const way = routeTo(one, taken, (body) => fitsText(body, pharmacy, place.frame))
  // A template that cannot be sent counts as inactive.
  if (!way) return skip('inactive')
  const row = written(place, pharmacy, { ...one, id: one.patient_id }, { ...way, batchId: 0 })
  const answer = answerFor(place, one, due, { consented: way.consented, cents: row.cents, budgetLeft })
  if (answer.act === 'skip') return skip(answer.reason)
  spent.set(one.sequence_id, total + row.cents)
  run.id ??= await insertRun(tx, {
    companyId: place.companyId,
    sequenceId: one.sequence_id,
    followUpId: one.follow_up_id,
    dueDay: run.dueDay,
    now: place.now,
    endsAt: run.endsAt,
  })
  run.had.set(one.patient_id, { channel: way.channel, takenBack: null })
  if (row.reason === null && row.contact !== null) run.taken[way.channel].add(row.contact)
  return { decision: { ...decision, runId: run.id, channel: way.channel }, message: { way, run, runId: run.id, row } }
}

function answerFor(
  { today, now, restoredUntil }: Place,
  one: DueFollowUp,
  due: Date,
  facts: { consented: boolean; cents: number; budgetLeft: number | null },
): FollowUpAnswer {
  return followUpAnswer(due, now, today, {
    sequenceActive: one.active,
    startDay: one.start_day === null ? null : dayOf(one.start_day),
    endDay: one.end_day === null ? null : dayOf(one.end_day),
    deceased: one.deceased,
    deceasedElsewhere: one.deceased_elsewhere,
    goalReached: one.goal_day !== null,
    restoredUntil,
    ...facts,
  })
}

/** The run of a follow-up and its due day, with the patients in it. It ends exactly when the follow-up counts as missed. */
async function runFor(
  tx: Tx,
  { pharmacy }: Place,
  one: DueFollowUp,
  due: Date,
  runs: Map<string, OpenRun>,
): Promise<OpenRun> {
  const dueDay = formatDay(dayOf(one.event_day) + one.days_after)
  const key = `${one.follow_up_id}:${dueDay}`
  const known = runs.get(key)
  if (known) return known
  const endsAt = new Date(due.getTime() + MISSED_DAYS * 86_400_000)
  const id = await findRun(tx, one.follow_up_id, dueDay)
  const run: OpenRun = { id, dueDay, endsAt, had: new Map(), taken: { sms: new Set(), email: new Set() } }
  for (const message of id === null ? [] : await messagesOfRun(tx, pharmacy.id, id)) {
    const back = message.state === 'skipped' && TAKEN_BACK.some((reason) => reason === message.reason)
    run.had.set(message.patient_id, { channel: message.channel, takenBack: back ? message : null })
    if (message.contact !== null && message.state !== 'skipped') run.taken[message.channel].add(message.contact)
  }
  runs.set(key, run)
  return run
}

/**
 * Adds messages to their batches and requeues those taken back, at the next allowed hour; if none comes before the run ends, they are
 * skipped. @returns how many of the requeued ones are queued
 */
async function queueAll(
  tx: Tx,
  { companyId, pharmacy, now }: Place,
  messages: readonly NonNullable<Planned['message']>[],
  again: readonly NonNullable<Planned['again']>[],
): Promise<number> {
  const { hours } = await readRulesAt(tx, pharmacy.country, pharmacy.id)
  const allowed = nextAllowed(hours, pharmacy.calendar, now)
  const plannedIn = (run: OpenRun) => (allowed !== null && allowed <= run.endsAt ? allowed : null)
  const groups = Map.groupBy(
    messages,
    ({ way, runId }) => `${runId}:${way.channel}:${way.text.id}:${way.text.message_kind}`,
  )
  for (const group of groups.values()) {
    const { way, run, runId } = group[0]!
    const plannedAt = plannedIn(run)
    const batchId = await batchOf(tx, {
      runId,
      companyId,
      locationId: pharmacy.id,
      channel: way.channel,
      text: way.text,
      smsSender: pharmacy.sms_sender,
      now,
    })
    const rows = group.map(({ row }) => {
      const late = row.reason === null && plannedAt === null
      return { ...row, batchId, ...(late ? { reason: 'quiet_hours', body: null, parts: 0, cents: 0 } : {}) }
    })
    await insertMessages(tx, { locationId: pharmacy.id, runId, plannedAt, now }, rows)
    if (plannedAt && rows.some((row) => row.reason === null)) await wakeBatch(tx, pharmacy.id, batchId, plannedAt)
  }
  let back = 0
  for (const { run, message } of again) {
    const plannedAt = plannedIn(run)
    // First, because it locks the batch: a stop comes before or after both.
    if (plannedAt) await wakeBatch(tx, pharmacy.id, message.batch_id, plannedAt)
    back += await queueAgain(tx, pharmacy.id, [message], { plannedAt, now })
  }
  return back
}
