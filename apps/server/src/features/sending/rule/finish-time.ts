import { instantAt, localTime } from '@pillar/domain/time/local-time'
import { hoursOn, type LocalCalendar, nextAllowed, type SendingHours } from '@pillar/domain/time/quiet-hours'

/** Messages of pharmacies with the same clock and calendar. */
export interface CalendarLoad {
  calendar: LocalCalendar
  messages: number
}

/** More steps than a month of sending hours in three zones. */
const MOST_STEPS = 500

/** End of the sending hours around an instant. */
function hoursEnd(hours: SendingHours, calendar: LocalCalendar, at: Date): Date {
  const { day } = localTime(calendar.zone, at)
  return instantAt(calendar.zone, day, hoursOn(hours, day, calendar)![1])
}

/**
 * When the last of this many messages leaves at the gateway's rate, with quiet hours and public holidays; null when the next month has no
 * sending hour or is not enough. Calendars take turns: the one that closes first goes first.
 */
export function finishTime(
  loads: readonly CalendarLoad[],
  hours: SendingHours,
  perSecond: number,
  from: Date,
): Date | null {
  const left = new Map<LocalCalendar, number>()
  for (const { calendar, messages } of loads) if (messages > 0) left.set(calendar, (left.get(calendar) ?? 0) + messages)
  let at = from
  for (let step = 0; left.size > 0; step++) {
    if (step > MOST_STEPS) return null
    const opens = [...left.keys()].map((calendar) => ({ calendar, from: nextAllowed(hours, calendar, at) }))
    if (opens.some((one) => one.from === null)) return null
    const open = opens.filter((one) => one.from!.getTime() === at.getTime())
    if (open.length === 0) {
      at = new Date(Math.min(...opens.map((one) => one.from!.getTime())))
      continue
    }
    const ends = open.map(({ calendar }) => ({ calendar, end: hoursEnd(hours, calendar, at).getTime() }))
    const first = ends.reduce((a, b) => (b.end < a.end ? b : a))
    const messages = left.get(first.calendar)!
    const sent = Math.min(messages, Math.max(1, Math.floor(((first.end - at.getTime()) / 1000) * perSecond)))
    if (sent === messages) left.delete(first.calendar)
    else left.set(first.calendar, messages - sent)
    at = new Date(Math.min(first.end, at.getTime() + (Number.isFinite(perSecond) ? (sent / perSecond) * 1000 : 0)))
  }
  return at
}
