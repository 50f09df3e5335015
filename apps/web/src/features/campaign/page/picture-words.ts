import type { Campaign, campaign } from '@pillar/contract/campaign/campaign'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { effectOf, MIN_CONTROLS } from '@pillar/domain/campaign/campaign-result'
import { type Day, day as dayOf, formatDay, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { goalPercent, wayWords } from '../campaign-words.ts'

export type PicturesReply = ReplyOf<typeof campaign.pictures>
type DeliveryDay = PicturesReply['days'][number]

/** In a longer span, days without messages are left out, since the chart would be mostly empty. */
const MOST_DAYS = 120

/** Adds the days between the first and the last, for a time axis without gaps. */
export function everyDay(days: readonly DeliveryDay[]): DeliveryDay[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const [from, to] = [dayOf(first.day), dayOf(last.day)]
  if (to - from >= MOST_DAYS) return [...days]
  const known = new Map(days.map((one) => [one.day, one]))
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const day = formatDay(from + at)
    return known.get(day) ?? { day, delivered: 0, failed: 0, held_back: 0, unsettled: 0 }
  })
}

/** '2,423 of 3,082 messages were delivered'; with 'so far' if some have not been sent. */
export function deliveredTitle(days: readonly DeliveryDay[], waiting: number, country: Country): string {
  const sum = (of: (day: DeliveryDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const count = sum((one) => one.delivered)
  const delivered = formatNumber(country, count)
  const all = sum((one) => one.delivered + one.failed + one.held_back + one.unsettled) + waiting
  const so = waiting > 0 ? ' so far' : ''
  if (all === 1) return `The message was ${count === 1 ? '' : 'not '}delivered${so}`
  return `${delivered} of ${formatNumber(country, all)} messages ${count === 1 ? 'was' : 'were'} delivered${so}`
}

/** 'Messages added $4.20 a patient, $5,737 in all'; or that there is no clear effect. */
export function effectTitle({ difference, means }: PicturesReply['groups'], country: Country): string {
  if (!difference) return ''
  const effect = effectOf(difference)
  if (effect === 'chance') return 'No clear effect: it could be chance'
  const patients = means.find(({ part }) => part === 'messaged')?.n ?? 0
  const each = formatMoney(country, Math.abs(difference.mean), 2)
  const all = formatMoney(country, Math.abs(difference.mean) * patients)
  return `Messages ${effect === 'more' ? 'added' : 'cost'} ${each} a patient, ${all} in all`
}

type Groups = PicturesReply['groups']

/** The groups of a campaign's patients, as its chart names them. */
export const SUBGROUP_WORDS: Readonly<Record<Groups['subgroups'][number]['subgroup'], string>> = {
  women: 'Women',
  men: 'Men',
  sex_unknown: 'Sex unknown',
  from_65: '65 and over',
  under_65: 'Under 65',
  age_unknown: 'Age unknown',
}

/** The notes under the comparison: both groups' means, what is drawn hollow and what is not compared, as far as they apply. */
export function comparedNotes({ difference, means, subgroups }: Groups, held: string, country: Country): string[] {
  const [messaged, others] = means
  if (!difference || !messaged || !others) return []
  const money = (value: number) => formatMoney(country, value, 2)
  const all = [difference, ...subgroups.flatMap((one) => one.difference ?? [])]
  const hollow = all.some((one) => effectOf(one) === 'chance')
  const few = subgroups.some((one) => one.difference === null)
  return [
    `Messaged ${money(messaged.mean)} a patient, ${held.toLowerCase()} ${money(others.mean)}.`,
    [
      hollow ? `Hollow: the interval includes ${formatMoney(country, 0)}.` : '',
      few ? `Groups with under ${MIN_CONTROLS} messaged or ${held.toLowerCase()} are not compared.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  ].filter(Boolean)
}

/** 'The goal has been made since 5 Oct 2026', or how much of the way is done. */
export function overTimeTitle(campaign: Campaign, points: PicturesReply['goal'], country: Country): string {
  const { goal } = campaign
  if (!campaign.made_goal) {
    const percent = goalPercent(campaign)
    return percent === null ? 'The goal over time' : wayWords(percent, country)
  }
  const short = points.findLastIndex(({ value }) => value === null || goal === null || value < goal)
  const made = points[short + 1]
  return made ? `The goal has been made since ${formatDate(country, parseDay(made.day) as Day)}` : 'The goal is made'
}
