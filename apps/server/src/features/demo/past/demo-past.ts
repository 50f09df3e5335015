import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import type { Services } from '../../../api/context.ts'
import { openEmailSimulator, openSmsSimulator } from '../../../gateways/simulator.ts'

/** Noon in Sydney or shortly before, and nine in the morning in Perth: everywhere messages may go. */
const HOUR_UTC = 1
const HOUR_MS = 3_600_000

/** The services of a time gone by: their clock is moved by hand. */
export interface DemoPast {
  services: Services
  /** Moves the clock to so many days before today, and so many hours after the time at which the demo's days begin. */
  moveTo: (daysAgo: number, hours: number) => void
  /** Whether that day is a Sunday, on which nobody begins a campaign. */
  isSunday: (daysAgo: number) => boolean
}

/**
 * Opens the past of the demo network: the same engine on a clock of its own, and a simulated gateway on that clock. What becomes of a message depends
 * on its recipient and the day alone, so that the demo network of one day is the same at every first start, whatever ids its messages get.
 */
export function openPast(services: Services): DemoPast {
  const today = dayIn('Australia/Sydney', services.now())
  let now = services.now()
  const clock = () => now
  const { system } = services.pools
  const drawn = ({ recipient }: { recipient: string }) => `${recipient} ${now.toISOString().slice(0, 10)}`
  return {
    services: {
      ...services,
      now: clock,
      sms: openSmsSimulator(system, Number.POSITIVE_INFINITY, services.env.SMS_SENDER, clock, drawn),
      bulkEmail: openEmailSimulator(system, Number.POSITIVE_INFINITY, clock, drawn),
    },
    moveTo(daysAgo, hours) {
      now = new Date(Date.parse(formatDay(today - daysAgo)) + (HOUR_UTC + hours) * HOUR_MS)
    },
    isSunday: (daysAgo) => new Date(formatDay(today - daysAgo)).getUTCDay() === 0,
  }
}
