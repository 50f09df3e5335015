import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import type { PersistenceCurve } from '@pillar/contract/persistence'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatNumber, formatPercent, formatSpan } from '@pillar/domain/time/locale'
import { unitText } from '../figures.ts'

export type PartsReply = ReplyOf<typeof financials.changeParts>
type Rates = NonNullable<PartsReply['rates']>

const PARTS: Readonly<Record<keyof Rates, string>> = {
  volume: 'scripts dispensed',
  price: 'revenue per script',
  mix: 'the mix of medicines',
}

/** What changed revenue most: 'More of it from scripts dispensed: +$40,000 of +$48,209'. */
export function partsTitle({ change, parts }: PartsReply, country: Country): string {
  if (change === null || parts === null) return 'No pharmacy has complete data in both years'
  const [name, value] = (Object.entries(parts) as [keyof Rates, number][]).toSorted(
    (a, b) => Math.abs(b[1]) - Math.abs(a[1]),
  )[0]!
  const moved = change < 0 ? 'fell' : 'rose'
  return `Revenue ${moved} by ${unitText(country, 'money', Math.abs(change))}, mostly from ${PARTS[name]} (${signedMoney(country, value)})`
}

/** '+$1,234', '−$1,234'. */
export function signedMoney(country: Country, value: number): string {
  const text = unitText(country, 'money', value)
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** The question, the dates, and the number of pharmacies. */
export function partsCaption(reply: PartsReply, country: Country): string {
  const [from, to] = [parseDay(reply.prior.from), parseDay(reply.prior.to)]
  const dates = from === null || to === null ? '' : `, compared with ${formatSpan(country, from, to)}`
  const all = reply.pharmacies_compared === reply.pharmacies_counted
  const over = all ? '' : `, for the ${formatNumber(country, reply.pharmacies_compared)} with complete data in both`
  return `What moved it? Revenue by volume, price and mix${dates}${over}`
}

/** Days between drawn points: 30, 90, 180 and 365 are among them. */
const EVERY = 5

/** A curve on evenly spaced days from 0 to its end: the share still taking it, and its interval. It is level between steps. */
export function curveOf({ steps, until }: Pick<PersistenceCurve, 'steps' | 'until'>) {
  const days = Array.from({ length: Math.floor((until ?? 0) / EVERY) + 1 }, (_, index) => index * EVERY)
  const at = days.map((day) => steps.findLast((step) => step.day <= day))
  return {
    days,
    shares: at.map((step) => step?.share ?? 1),
    band: at.map((step) => {
      if (!step) return [1, 1] as const
      return step.low === null || step.high === null ? null : ([step.low, step.high] as const)
    }),
  }
}

/** How many still take it on the last known day: '61.20% still take a medicine they began after 180 days'. */
export function curveTitle({ points, starts }: PersistenceCurve, country: Country): string {
  const last = points.at(-1)
  if (!last) return `${formatNumber(country, starts)} began a medicine: too few to tell how long they stay`
  return `${formatPercent(country, last.share)} still take a medicine ${last.day} days after they began it`
}

/** Numbers at risk: how many were followed up to each day. */
export function followedText({ points, starts }: PersistenceCurve, country: Country): string {
  const count = (value: number) => formatNumber(country, value)
  const parts = points.map(({ day, at_risk }) => `${count(at_risk)} to day ${day}`)
  return `Followed: ${[`${count(starts)} from the start`, ...parts].join(', ')}. The band holds the true share 19 times in 20.`
}
