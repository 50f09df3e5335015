import { instantAt, localTime } from '@pillar/domain/time/local-time'
import { hoursOn, type LocalCalendar, nextAllowed, type SendingHours } from '@pillar/domain/time/quiet-hours'

/** Messages of a pharmacy, or of several with the same clock, calendar and hours. */
export interface CalendarLoad {
  calendar: LocalCalendar
  hours: SendingHours
  messages: number
}

/** Stops the search: a month of sending hours takes fewer steps. */
const MOST_STEPS = 200

/** End of the sending hours around an instant. In an hour that the clock shows a second time, the time left is what the clock shows. */
function hoursEnd(hours: SendingHours, calendar: LocalCalendar, at: Date): Date {
  const { day, minute } = localTime(calendar.zone, at)
  const to = hoursOn(hours, day, calendar)![1]
  const end = instantAt(calendar.zone, day, to)
  return end > at ? end : new Date((Math.floor(at.getTime() / MINUTE_MS) + to - minute) * MINUTE_MS)
}

const MINUTE_MS = 60_000

/**
 * When the last of this many messages is sent at the gateway's rate, with quiet hours and public holidays; null if the next month has no
 * sending hour or is not long enough, or if the gateway has no rate: nobody knows then how long it takes. Pharmacies take turns: those that
 * close first send first.
 */
export function finishTime(loads: readonly CalendarLoad[], perSecond: number, from: Date): Date | null {
  const left = together(loads)
  if (left.size > 0 && !Number.isFinite(perSecond)) return null
  const most = MOST_STEPS * Math.max(1, left.size)
  let at = from
  for (let step = 0; left.size > 0; step++) {
    if (step > most) return null
    const opens = [...left].map((load) => ({ load, from: nextAllowed(load.hours, load.calendar, at) }))
    if (opens.some((one) => one.from === null)) return null
    const open = opens.filter((one) => one.from!.getTime() === at.getTime())
    if (open.length === 0) {
      at = new Date(Math.min(...opens.map((one) => one.from!.getTime())))
      continue
    }
    const ends = open.map(({ load }) => ({ load, end: hoursEnd(load.hours, load.calendar, at).getTime() }))
    const first = ends.reduce((a, b) => (b.end < a.end ? b : a))
    const { messages } = first.load
    const sent = Math.min(messages, Math.max(1, Math.floor(((first.end - at.getTime()) / 1000) * perSecond)))
    if (sent === messages) left.delete(first.load)
    else first.load.messages -= sent
    at = new Date(Math.min(first.end, at.getTime() + (sent / perSecond) * 1000))
  }
  return at
}

/** Merges the loads with the same calendar and hours, leaving out those without a message. */
function together(loads: readonly CalendarLoad[]): Set<CalendarLoad> {
  const sums = new Map<LocalCalendar, Map<SendingHours, CalendarLoad>>()
  for (const { calendar, hours, messages } of loads) {
    if (messages <= 0) continue
    const same = sums.get(calendar) ?? new Map<SendingHours, CalendarLoad>()
    sums.set(calendar, same.set(hours, { calendar, hours, messages: messages + (same.get(hours)?.messages ?? 0) }))
  }
  return new Set([...sums.values()].flatMap((same) => [...same.values()]))
}
