import { reasonText, whyText } from '../cohort/held-back.ts'
import { type Interval, MIN_SHARE_N, MIN_SURE_N, wilson } from '../figure/interval.ts'
import { counted, ORDINALS } from '../text/sentence.ts'
import type { Day } from '../time/day.ts'
import { type LocalCalendar, nextAllowed, type SendingHours } from '../time/quiet-hours.ts'
import { dueAt, type FollowUp, type FollowUpReason, MISSED_DAYS } from './sequence.ts'

/**
 * The state of everybody who started a sequence, at one of its follow-ups. A patient counts once for each medicine. The parts add up to those
 * who started.
 */
export interface StepCounts {
  /** The message was sent, and the medicine was dispensed within 14 days. */
  readonly responded: number
  /** The message was sent, with no response so far. */
  readonly sent: number
  readonly failed: number
  /** The connection broke during the handover; the worker asks the gateway. */
  readonly unknown: number
  /** In the ledger, not sent yet. */
  readonly queued: number
  readonly skipped: number
  /** Came in before this follow-up was due, so it needs no message. */
  readonly ended: number
  /** Not due yet; `next` counts those for whom this follow-up is the next. */
  readonly waiting: number
  readonly next: number
  /** Had finished before the follow-up was added. */
  readonly added_later: number
}

/**
 * Everybody a step counts.
 * @reference
 */
export function stepTotal(step: StepCounts): number {
  const { responded, sent, failed, unknown, queued, skipped, ended, waiting, added_later } = step
  return responded + sent + failed + unknown + queued + skipped + ended + waiting + added_later
}

/** The share of sent messages with a response; null under 10 of them. */
export function responseShare({
  responded,
  sent,
}: StepCounts): { share: number; n: number; interval: Interval } | null {
  const n = responded + sent
  if (n < MIN_SHARE_N) return null
  return { share: responded / n, n, interval: wilson(responded / n, n) }
}

const messageAt = (index: number, count: number) =>
  count === 1 ? 'The message' : `The ${ORDINALS[index] ?? `${index + 1}th`} message`

/** The time line in one sentence: which message clearly works best, if any, with its share as `percent` writes it. */
export function timeLineTitle(steps: readonly StepCounts[], percent: (share: number) => string): string {
  const shares = steps.map((step, index) => ({ index, found: responseShare(step) }))
  if (steps.every(({ responded, sent }) => responded + sent === 0)) return 'No message has gone out yet'
  const sure = shares.filter((one) => one.found !== null && one.found.n >= MIN_SURE_N)
  const [best, ...others] = sure.toSorted((a, b) => b.found!.share - a.found!.share)
  if (!best?.found) return 'Too few messages have gone out to compare'
  const words = `${percent(best.found.share)} respond`
  if (steps.length === 1) return `${messageAt(0, 1)} works: ${words}`
  if (others.length === 0) return `${messageAt(best.index, steps.length)}: ${words}`
  const { low } = best.found.interval
  if (others.some(({ found }) => low <= found!.interval.high)) return 'No message clearly works best'
  return `${messageAt(best.index, steps.length)} works best: ${words}`
}

const OWN_REASONS: Readonly<Record<FollowUpReason, string>> = {
  goal_reached: reasonText('goal_reached', 'sms'),
  inactive: 'Sequence or template inactive',
  outside_dates: 'Outside the sequence’s dates',
  deceased: reasonText('deceased', 'sms'),
  deceased_elsewhere: reasonText('deceased_elsewhere', 'sms'),
  no_consent: 'No consent',
  budget: 'Budget used up',
  restored: 'May have been sent before Pillar was restored',
  missed: `More than ${MISSED_DAYS} days late`,
}

/** Why a follow-up was not sent, in words. `channel`: the message's channel, null if it has none. */
export function followUpReasonText(reason: string, channel: 'sms' | 'email' | null): string {
  if (reason === 'stopped') return 'Cancelled when the sequence was changed'
  if (channel === null && reason in OWN_REASONS) return OWN_REASONS[reason as FollowUpReason]
  return whyText(reason, channel ?? 'sms')
}

/**
 * When somebody whose event is on `eventOn` would get a follow-up: 10:00 by the pharmacy's clock, or the next sending hour; null if none comes
 * within three days.
 */
export function plannedAt(
  calendar: LocalCalendar,
  hours: SendingHours,
  eventOn: Day,
  followUp: FollowUp,
  now: Date,
): Date | null {
  const due = dueAt(calendar.zone, eventOn, followUp)
  const at = nextAllowed(hours, calendar, due < now ? now : due)
  return at !== null && at.getTime() <= due.getTime() + MISSED_DAYS * 86_400_000 ? at : null
}

export interface Waiting {
  /** Unsent messages in the ledger. */
  readonly queued: number
  /** Patients with a follow-up ahead. */
  readonly in_progress: number
}

/** What deactivating a sequence does, in words. */
export function deactivationWords({ queued, in_progress }: Waiting): string {
  const unsent = queued === 0 ? 'No message is waiting to be sent.' : `${cancelled(queued)}.`
  if (in_progress === 0) return `${unsent} Nobody new starts the sequence.`
  return `${unsent} ${counted(in_progress, 'patient is', 'patients are')} part-way through: follow-ups that fall due while it is inactive are skipped, later ones are sent once it is active again. Nobody new starts the sequence.`
}

/** What removing a sequence does, in words. */
export function removalWords({ queued, in_progress }: Waiting): string {
  const unsent = queued === 0 ? 'No message is waiting to be sent.' : `${cancelled(queued)}.`
  const rest =
    in_progress === 0
      ? ''
      : ` ${counted(in_progress, 'patient', 'patients')} part-way through will get no more follow-ups.`
  return `${unsent}${rest} What was sent stays on record.`
}

const cancelled = (count: number) => `${counted(count, 'unsent message', 'unsent messages')} will be cancelled`

/** What saving changed follow-ups does, in words. `removedQueued`: unsent messages of the removed follow-ups. */
export function followUpChangeWords({ in_progress }: Waiting, removed: number, removedQueued: number): string {
  const parts = ['Messages already queued keep their text.']
  if (in_progress > 0)
    parts.push(`${counted(in_progress, 'patient', 'patients')} part-way through will follow the new days from here on.`)
  if (removed > 0)
    parts.push(`The history of ${removed === 1 ? 'the removed follow-up' : 'the removed follow-ups'} stays.`)
  if (removedQueued > 0) parts.push(`${cancelled(removedQueued)}.`)
  return parts.join(' ')
}
