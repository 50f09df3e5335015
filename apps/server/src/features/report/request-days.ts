import { Refusal } from '@pillar/contract'
import { historyDaysProblems } from '@pillar/domain/message/history-report'
import { problemSentence } from '@pillar/domain/text/sentence'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'

/** The civil day of a date as sent: a day, or an instant on the pharmacy's calendar. */
const dayFrom = (text: string, zone: string) => (text.length === 10 ? dayOf(text) : dayIn(zone, new Date(text)))

/** The days of a message history, both counted, by a pharmacy's calendar; ISO. @throws Refusal invalid */
export function historyDays(
  asked: { from: string; to: string },
  zone: string,
  now: Date,
): { from: string; to: string } {
  const [first, last] = [dayFrom(asked.from, zone), dayFrom(asked.to, zone)]
  const wrong = problemSentence(historyDaysProblems(first, last, dayIn(zone, now) + 1))
  if (wrong) throw new Refusal('invalid', wrong)
  return { from: formatDay(first), to: formatDay(last) }
}
