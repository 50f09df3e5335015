import { plannedAt } from '@pillar/domain/campaign/time-line'
import { formatDay } from '@pillar/domain/time/day'
import { localTime } from '@pillar/domain/time/local-time'
import type { Tx } from '../../../db/database.ts'
import type { MessagingPharmacy } from '../../location/messaging-pharmacy.queries.ts'
import { readRulesAt } from '../../sending/rule/rules.queries.ts'
import {
  countMessages,
  countOutcomes,
  countPeople,
  type LedgerRow,
  type OutcomeRow,
  type StepRow,
  stepsOf,
} from './time-line.queries.ts'

/** The results of a pharmacy's sequence, by internal id, and what a person enrolled now would get. */
export async function timeLineOf(tx: Tx, pharmacy: MessagingPharmacy, id: number, now: Date) {
  const { calendar } = pharmacy
  const outcomes = await countOutcomes(tx, pharmacy.id, id)
  const ledger = await countMessages(tx, pharmacy.id, id)
  const { num_messaged, num_responded, ...people } = await countPeople(tx, pharmacy.id, id)
  const { hours } = await readRulesAt(tx, pharmacy.country, pharmacy.id)
  const today = localTime(calendar.zone, now).day
  const steps = (await stepsOf(tx, pharmacy.id, id)).map((step) => ({
    ...stepOf(step, outcomes),
    ...messagesOf(ledger.filter((row) => row.follow_up_id === step.id)),
    planned_at: step.removed ? null : (plannedAt(calendar, hours, today, step, now)?.toISOString() ?? null),
  }))
  const sentAt = ledger.map((row) => row.last_sent_at?.getTime() ?? 0)
  return {
    sequence_stats: { ...messagesOf(ledger), num_messaged, num_responded },
    message_info: { ...byState(ledger), cost: messagesOf(ledger).cost },
    last_message_sent: Math.max(0, ...sentAt) === 0 ? null : new Date(Math.max(...sentAt)).toISOString(),
    budget_used: sum(ledger, (row) => row.bound_cents) / 100,
    ...people,
    // A follow-up removed before it did anything has nothing to show.
    steps: steps.filter((step) => !step.removed || DECIDED.some((outcome) => step[outcome] > 0)),
    time_zone: calendar.zone,
    today: formatDay(today),
    counted_at: now.toISOString(),
  }
}

const DECIDED = ['responded', 'sent', 'failed', 'unknown', 'queued', 'skipped'] as const

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)

function stepOf({ id, ...step }: StepRow, all: readonly OutcomeRow[]) {
  const rows = all.filter((row) => row.follow_up_id === id)
  const of = (outcome: OutcomeRow['outcome']) =>
    sum(
      rows.filter((row) => row.outcome === outcome),
      (row) => row.people,
    )
  const skipped = rows.filter((row) => row.outcome === 'skipped')
  return {
    ...step,
    responded: of('responded'),
    sent: of('sent'),
    failed: of('failed'),
    unknown: of('unknown'),
    queued: of('queued'),
    skipped: of('skipped'),
    ended: of('ended'),
    waiting: of('waiting'),
    added_later: of('added_later'),
    next: sum(rows, (row) => row.next),
    reasons: skipped.map(({ reason, channel, people }) => ({ reason: reason ?? '', channel, count: people })),
    next_due: rows.find((row) => row.outcome === 'waiting')?.next_due ?? null,
  }
}

/** Sent messages by channel, and their cost in dollars. */
function messagesOf(ledger: readonly LedgerRow[]) {
  const went = ledger.filter(({ state }) => state === 'sent' || state === 'delivered')
  const by = (channel: LedgerRow['channel']) =>
    sum(
      went.filter((row) => row.channel === channel),
      (row) => row.messages,
    )
  return { sms: by('sms'), email: by('email'), cost: sum(ledger, (row) => row.cents) / 100 }
}

function byState(ledger: readonly LedgerRow[]) {
  const of = (channel: LedgerRow['channel'], ...states: LedgerRow['state'][]) =>
    sum(
      ledger.filter((row) => row.channel === channel && states.includes(row.state)),
      (row) => row.messages,
    )
  return {
    ...{ sms_sent: of('sms', 'sent'), email_sent: of('email', 'sent') },
    ...{ sms_delivered: of('sms', 'delivered'), email_delivered: of('email', 'delivered') },
    ...{ sms_failed: of('sms', 'failed'), email_failed: of('email', 'failed') },
    ...{ sms_scheduled: of('sms', 'queued', 'sending'), email_scheduled: of('email', 'queued', 'sending') },
    ...{ sms_skipped: of('sms', 'skipped'), email_skipped: of('email', 'skipped') },
    ...{ sms_unknown: of('sms', 'unknown'), email_unknown: of('email', 'unknown') },
  }
}
