import type { contract, ReplyOf } from '@pillar/contract'
import { addMonths, type Day, formatDay, toYmd } from '@pillar/domain/time/day'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import type { DayRange } from '../../kit/list/chip/DaysChip.tsx'
import { RefusedError, wordsOf } from '../../shared/refused.ts'

export type Summary = ReplyOf<typeof contract.referral.summary>
export type History = ReplyOf<typeof contract.referral.history>

/** The ranges of the button bar; the year up to today is the list's default. */
export function rangesOf(today: Day): DayRange[] {
  const from = (day: Day, to = today) => ({ from: formatDay(day), to: formatDay(to) })
  const month = today - toYmd(today).day + 1
  return [
    { label: 'Last year' },
    { label: 'Last 7 days', ...from(today - 6) },
    { label: 'Last 30 days', ...from(today - 29) },
    { label: 'This month', ...from(month) },
    { label: 'Last month', ...from(addMonths(month, -1), month - 1) },
    { label: 'Last 5 years', ...from(addMonths(today, -60)) },
  ]
}

/** 'Of 61 people referred, 34 were contacted and 11 are enrolled' */
export function answerWords(
  country: Country,
  sums: Pick<Summary, 'total_referred' | 'total_contacted' | 'total_enrolled'>,
) {
  const { total_referred: all, total_contacted: called, total_enrolled: enrolled } = sums
  if (all === 0) return 'Nobody has signed up in these days'
  const n = (count: number) => formatNumber(country, count)
  const who = all === 1 ? 'one person' : `${n(all)} people`
  const were = called === 1 ? 'was' : 'were'
  return `Of ${who} referred, ${called === 0 ? 'none' : n(called)} ${called === 0 ? 'was' : were} contacted and ${
    enrolled === 0 ? 'none is' : enrolled === 1 ? '1 is' : `${n(enrolled)} are`
  } enrolled`
}

/** Events in words that follow a date. */
export const EVENT_WORDS: Readonly<Record<History['events'][number]['event'], string>> = {
  contacted: 'Got the invitation',
  referred: 'Signed up',
  enrolled: 'Switched to enrolled',
  unenrolled: 'Switched to not enrolled',
  opted_out: 'Opted out',
  withdrawn: 'Withdrew',
  recruiter_contacted: 'Switched to contacted',
  recruiter_not_contacted: 'Switched to not contacted',
}

/** Why a switch, such as 'Enrolled of Ann Hill', is not where it was put. Nobody is told that it was put back if it may have been saved. */
export const notSavedWords = (what: string, error: unknown): string =>
  error instanceof RefusedError && error.unknown
    ? `It is not known whether ${what} was saved: no answer came. Refresh the list to see.`
    : `${what} was put back. ${wordsOf(error)}`
