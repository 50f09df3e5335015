import { Refusal } from '@pillar/contract'
import { historyDaysProblems } from '@pillar/domain/report/history-report'
import { problemSentence } from '@pillar/domain/text/sentence'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { dayFrom } from '../../api/call/day-sent.ts'

/** The days of a message history, inclusive, by a pharmacy's calendar; ISO. @throws Refusal invalid */
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
