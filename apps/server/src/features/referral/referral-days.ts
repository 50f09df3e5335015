import { Refusal } from '@pillar/contract'
import { addMonths, type Day, formatDay } from '@pillar/domain/time/day'
import { dayIn, sentDay, zoneOf } from '@pillar/domain/time/zone'
import { companyZone } from '../../api/call/today.ts'
import type { Context } from '../../api/context.ts'
import type { Asked } from './referral.queries.ts'

interface SentDays {
  start_date?: string | null | undefined
  end_date?: string | null | undefined
}

/**
 * The days of a call, inclusive; by default the year up to today in Sydney, where a day begins before it does at pharmacies elsewhere.
 * @throws Refusal invalid if they end before they start
 */
export function askedDays(recruiterId: number, sent: SentDays, context: Context): Asked {
  const zone = companyZone(context)
  const given = (text: string | null | undefined): Day | null => (text ? sentDay(text, zone) : null)
  const to = given(sent.end_date) ?? dayIn(zoneOf('AU', null), context.services.now())
  const from = given(sent.start_date) ?? addMonths(to, -12)
  if (to < from) throw new Refusal('invalid', 'Please choose an end date on or after the start date.')
  return { recruiterId, from: formatDay(from), to: formatDay(to) }
}
