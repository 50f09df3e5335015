import type { campaign } from '@pillar/contract/campaign/campaign'
import type { Progress } from '@pillar/contract/campaign/campaign-stats'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { formatCountdown } from '@pillar/domain/access/session'
import { NO_RATE } from '@pillar/domain/message/sending-rules'
import { capital } from '@pillar/domain/text/sentence'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { durationWords, paceWords, timeWords } from '../sending/time-words.ts'

export type Run = ReplyOf<typeof campaign.run>

/** Messages not handed over yet. */
export function toSend({ queued, sending }: Progress): number {
  return queued + sending
}

/** Whether a run still changes without anybody acting. */
export function isLive({ state }: Pick<Run, 'state'>): boolean {
  return state === 'preparing' || state === 'holding' || state === 'sending'
}

const LIVE_MS = 2000

const RECEIPTS_MS = 15_000

/**
 * How often a run is read again, in milliseconds; false once nothing changes. A run may end or be stopped before its last messages are counted,
 * and receipts still arrive for sent messages.
 */
export function runEvery(run: Run | undefined): number | false {
  if (!run) return false
  const { sending, sent, unknown } = run.progress
  if (isLive(run) || run.counting || sending > 0) return LIVE_MS
  return sent + unknown > 0 ? RECEIPTS_MS : false
}

/** The longest remaining time shown as a duration; beyond it, and across quiet hours, the time of day is clearer. */
const SOON_MS = 100 * 60_000

/** A run's state: 'You can cancel this for 1:42.', 'About 17 minutes to go, at 80 a minute.' Null if there is nothing to report. */
export function runWords(run: Run, now: Date, country: Country): string | null {
  const left = toSend(run.progress)
  const messages = `${formatNumber(country, left)} ${left === 1 ? 'message' : 'messages'}`
  switch (run.state) {
    case 'preparing':
      return 'The messages are being prepared.'
    case 'holding':
      return holdWords(run, now, country)
    case 'sending':
      return sendingWords(run, messages, now, country)
    case 'stopped':
      return isUntouched(run)
        ? `Sending cancelled. Nothing has been sent. Resume to send ${messages}, or deactivate the campaign.`
        : `Stopped. ${messages} ${left === 1 ? 'has' : 'have'} not been sent.`
    case 'failed':
      if (run.held_reason) return `Held back. ${run.held_reason}`
      return 'The messages could not be prepared, so nothing was sent. Deactivate the campaign and activate it again.'
    default:
      return null
  }
}

/** Whether nothing from a run has been sent yet. */
function isUntouched({ progress: { sending, sent, delivered, failed, unknown } }: Run): boolean {
  return sending + sent + delivered + failed + unknown === 0
}

/** Longer waits are due to quiet hours, not the gateway's pace. */
const QUIET_MS = 90_000

/** Whether a message due at `next` waits for sending hours, counted from now or from the planned start. */
export const waitsForHours = (next: string | null, from: number): boolean =>
  next !== null && Date.parse(next) - from >= QUIET_MS

/** 'Outside sending hours: sending starts Mon 23 Nov, 10:00 am.'; empty if messages may leave at `from`. */
function quietWords({ next_at }: Pick<Run, 'next_at'>, from: number, now: Date, country: Country): string {
  if (next_at === null || !waitsForHours(next_at, from)) return ''
  return `Outside sending hours: sending starts ${timeWords(next_at, now, country)}.`
}

function holdWords(run: Run, now: Date, country: Country): string {
  const { starts_at, finishes_at } = run
  const starts = starts_at === null ? now.getTime() : Date.parse(starts_at)
  const wait = starts - now.getTime()
  const quiet = quietWords(run, Math.max(starts, now.getTime()), now, country)
  if (wait <= 0) return quiet || 'Sending starts in a moment.'
  const until =
    wait > SOON_MS ? `until ${timeWords(starts_at!, now, country)}` : `for ${formatCountdown(Math.ceil(wait / 1000))}`
  const ends = finishes_at === null ? '' : ` All sent by ${timeWords(finishes_at, now, country)}.`
  return `You can cancel this ${until}.${quiet && ` ${quiet}`}${ends}`
}

/** For messages that a gateway may or may not have: a run stays open for them, up to three days, with nothing to send. */
function doubtWords(unknown: number, country: Country): string {
  const messages = `${formatNumber(country, unknown)} ${unknown === 1 ? 'message' : 'messages'}`
  return `Nothing more to send. The gateway has not said yet whether it took ${messages}.`
}

function sendingWords(run: Run, messages: string, now: Date, country: Country): string {
  if (toSend(run.progress) === 0 && run.progress.unknown > 0) return doubtWords(run.progress.unknown, country)
  const pace = paceWords(run.rate_per_minute, country)
  const rate = run.rate_per_minute >= NO_RATE ? pace : `at ${pace}`
  const quiet = quietWords(run, now.getTime(), now, country)
  const ends = run.finishes_at === null ? '' : ` All sent by ${timeWords(run.finishes_at, now, country)}.`
  if (quiet) return `${messages} to go. ${quiet}${ends}`
  if (run.finishes_at === null) return `${messages} to go, ${rate}.`
  const takes = Math.max(0, Date.parse(run.finishes_at) - now.getTime())
  if (takes > SOON_MS) {
    return `${messages} to go, ${rate} during sending hours.${ends}`
  }
  const words = durationWords(takes)
  return `${capital(words)} to go, ${rate}.`
}
