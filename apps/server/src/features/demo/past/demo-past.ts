import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import type { Services } from '../../../api/context.ts'
import { openEmailSimulator, openSmsSimulator } from '../../../gateways/simulator.ts'
import { sendDue } from '../../messaging.jobs.ts'
import { hasDue } from '../../sending/lease.queries.ts'
import { signalDue } from '../../simulator/simulator.queries.ts'

/** Noon in Sydney or shortly before, and nine in the morning in Perth: messages may be sent everywhere. */
const HOUR_UTC = 1
const HOUR_MS = 3_600_000
/** Hours of a day at which messages are sent, receipts and replies arrive, and the answers to those are sent. */
const HOURS = [1, 2, 3]

/** Services in the past: their clock is moved by hand. */
export interface DemoPast {
  services: Services
  /** Moves the clock to this many days before today, and this many hours after the demo's days begin. */
  moveTo: (daysAgo: number, hours: number) => void
  /** Whether that day is a Sunday, when nobody begins a campaign. */
  isSunday: (daysAgo: number) => boolean
}

/**
 * Opens the past of the demo network: the same engine on its own clock, with a simulated gateway on that clock. A message's fate depends
 * only on its recipient and the day, so that the demo network of a given day is the same at every first start, whatever ids its messages
 * get.
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

/** Lives through a day of the past: sends what is due, and takes what comes back. */
export async function passDay(past: DemoPast, daysAgo: number): Promise<void> {
  const { services } = past
  const { system } = services.pools
  for (const hour of HOURS) {
    past.moveTo(daysAgo, hour)
    // On most days nothing is due.
    if (await hasDue(system, services.now())) await sendDue(services)
    // Once for the events, once for the replies to them: a confirmation is sent at once.
    if ((await signalDue(system, services.now(), 100_000)) > 0)
      for (let turn = 0; turn < 2; turn++) await sendDue(services)
  }
}
