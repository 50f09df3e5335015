import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { NO_RATE } from '@pillar/domain/message/sending-rules'
import { type Country, formatNumber, formatWeekday, withoutYear } from '@pillar/domain/time/locale'
import { dayIn, formatTime, zoneOf } from '@pillar/domain/time/zone'
import { hereZone } from '../../kit/display/dates.ts'

/** 'less than a minute', 'about 49 minutes', 'about 3 hours', 'about 2 days'. */
export function durationWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes <= 1) return 'about a minute'
  if (minutes < 100) return `about ${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 36 ? `about ${hours} hours` : `about ${Math.round(hours / 24)} days`
}

/**
 * '2:14 pm' for today, 'Mon 23 Nov, 10:00 am' for another day, by the clock of the country's main zone, which is named if the reader's own zone
 * differs.
 */
export function timeWords(at: string, now: Date, country: Country, here = hereZone()): string {
  const zone = zoneOf(country, null)
  const then = dayIn(zone, new Date(at))
  const day = then === dayIn(zone, now) ? '' : withoutYear(formatWeekday(country, then))
  const place = zone === here ? '' : ` (${zone.split('/').at(-1)!.replaceAll('_', ' ')} time)`
  return `${day && `${day}, `}${formatTime(country, zone, new Date(at))}${place}`
}

/**
 * '1:38 pm today (Sydney time)', '9:00 am tomorrow (…)', '9:00 am on Tue 29 Dec (…)', by the clock of the country's main zone. Used before
 * sending, so the day and the zone are always named.
 */
export function whenWords(at: string, now: Date, country: Country): string {
  const zone = zoneOf(country, null)
  const then = dayIn(zone, new Date(at))
  const ahead = then - dayIn(zone, now)
  const date = formatWeekday(country, then)
  const day = ahead === 0 ? 'today' : ahead === 1 ? 'tomorrow' : `on ${ahead > 300 ? date : withoutYear(date)}`
  return `${formatTime(country, zone, new Date(at))} ${day} (${zone.split('/').at(-1)!.replaceAll('_', ' ')} time)`
}

/** Anything beyond the time the pace needs means that sending waits for hours. */
const WAITS_MS = 600_000

/** '80 a minute'; without a limit set, the gateway decides. */
export const paceWords = (rate: number, country: Country): string =>
  rate >= NO_RATE ? 'as fast as the gateway takes them' : `${formatNumber(country, Math.round(rate))} a minute`

/**
 * 'Sending takes about 49 minutes at 80 a minute', with the start if quiet hours delay it. If pharmacies open one after the other, their hours
 * decide the duration and not the pace.
 */
export function finishWords(
  ledger: Pick<CohortForecast, 'starts_at' | 'finishes_at' | 'rate_per_minute' | 'counted_at' | 'channels'>,
  now: Date,
  country: Country,
): string {
  const rate = paceWords(ledger.rate_per_minute, country)
  const starts = Date.parse(ledger.starts_at)
  // Within five minutes counts as now: the hold of two minutes is too short for a time of day.
  const later = starts - now.getTime() > 300_000 ? `Sending starts at ${whenWords(ledger.starts_at, now, country)}` : ''
  if (ledger.finishes_at === null) return later ? `${later}, ${rate}` : `Sends ${rate}`
  const ms = Date.parse(ledger.finishes_at) - starts
  const messages = ledger.channels.reduce((sum, channel) => sum + channel.messages, 0)
  const waits = ms - (messages / ledger.rate_per_minute) * 60_000 > WAITS_MS
  const takes = `${durationWords(ms)}${waits ? ', in each pharmacy’s sending hours' : ` at ${rate}`}`
  return later ? `${later} and takes ${takes}` : `Sending takes ${takes}`
}
