import { instantAt, localTime } from '@pillar/domain/time/local-time'
import { hoursOn, nextAllowed, type SendingHours } from '@pillar/domain/time/quiet-hours'

/** Messages of pharmacies that live by one clock. */
export interface ZoneLoad {
  zone: string
  messages: number
}

/** More steps than a month of hours in three zones has. */
const MOST_STEPS = 500

/** End of the allowed hours that an instant lies in. */
function hoursEnd(hours: SendingHours, zone: string, at: Date): Date {
  const { day } = localTime(zone, at)
  return instantAt(zone, day, hoursOn(hours, day)![1])
}

/**
 * When the last of so many messages leaves at the gateway's pace, quiet hours included; null when a month has no allowed hour or is not
 * enough. Zones take turns: whoever's hours close first goes first.
 */
export function finishTime(
  loads: readonly ZoneLoad[],
  hours: SendingHours,
  perSecond: number,
  from: Date,
): Date | null {
  const left = new Map(loads.filter((load) => load.messages > 0).map((load) => [load.zone, load.messages]))
  let at = from
  for (let step = 0; left.size > 0; step++) {
    if (step > MOST_STEPS) return null
    const opens = [...left.keys()].map((zone) => ({ zone, from: nextAllowed(hours, zone, at) }))
    if (opens.some((one) => one.from === null)) return null
    const open = opens.filter((one) => one.from!.getTime() === at.getTime())
    if (open.length === 0) {
      at = new Date(Math.min(...opens.map((one) => one.from!.getTime())))
      continue
    }
    const ends = open.map(({ zone }) => ({ zone, end: hoursEnd(hours, zone, at).getTime() }))
    const first = ends.reduce((a, b) => (b.end < a.end ? b : a))
    const messages = left.get(first.zone)!
    const sent = Math.min(messages, Math.max(1, Math.floor(((first.end - at.getTime()) / 1000) * perSecond)))
    if (sent === messages) left.delete(first.zone)
    else left.set(first.zone, messages - sent)
    at = new Date(Math.min(first.end, at.getTime() + (Number.isFinite(perSecond) ? (sent / perSecond) * 1000 : 0)))
  }
  return at
}
