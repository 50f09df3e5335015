import type { ReplyOf } from '@pillar/contract/call'
import type { campaign } from '@pillar/contract/campaign'
import { type Country, formatNumber } from '@pillar/domain/locale'
import { clockWords, durationWords, timeWords, toSend } from './campaign-words.ts'

export type Run = ReplyOf<typeof campaign.run>

/** Whether anything about a run still moves by itself. */
export function isLive({ state }: Pick<Run, 'state'>): boolean {
  return state === 'preparing' || state === 'holding' || state === 'sending'
}

const LIVE_MS = 2000

/** How often a run is read again, in milliseconds; false once nothing moves. Receipts still come in for what was sent. */
export function runEvery(run: Run | undefined): number | false {
  if (!run) return false
  if (isLive(run)) return LIVE_MS
  return run.progress.sent > 0 ? 15_000 : false
}

/** Longest wait that is shown as a countdown; quiet hours put a start off by hours. */
const COUNTDOWN_MS = 10 * 60_000

/** Where a run stands, in a sentence: 'Starts in 1:42.', 'About 17 minutes to go, at 80 a minute.' Null when nothing need be said. */
export function runWords(run: Run, now: Date, country: Country): string | null {
  const number = (value: number) => formatNumber(country, value)
  const left = toSend(run.progress)
  const messages = left === 1 ? 'message' : 'messages'
  switch (run.state) {
    case 'preparing':
      return 'The messages are being written.'
    case 'holding':
      return holdWords(run, now, country)
    case 'sending': {
      const rate = `at ${number(Math.round(run.rate_per_minute))} a minute`
      if (run.finishes_at === null) return `${number(left)} ${messages} to go, ${rate}.`
      const takes = durationWords(Math.max(0, Date.parse(run.finishes_at) - now.getTime()))
      return `${takes.charAt(0).toUpperCase()}${takes.slice(1)} to go, ${rate}.`
    }
    case 'stopped':
      return `Stopped. ${number(left)} ${messages} ${left === 1 ? 'has' : 'have'} not been sent.`
    case 'failed':
      return 'The messages could not be written, so nothing was sent. Deactivate the campaign and activate it again.'
    default:
      return null
  }
}

function holdWords({ starts_at }: Run, now: Date, country: Country): string {
  if (starts_at === null) return 'Sending starts in a moment.'
  const wait = Date.parse(starts_at) - now.getTime()
  if (wait <= 0) return 'Sending starts in a moment.'
  if (wait > COUNTDOWN_MS)
    return `Sending starts ${timeWords(starts_at, now, country)}. Until then it can be taken back whole.`
  return `Sending starts in ${clockWords(Math.ceil(wait / 1000))}. Until then it can be taken back whole.`
}
