import type { Referral } from '@pillar/contract/trial/referral'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { day } from '@pillar/domain/time/day'
import { type Country, formatDate, LOCALES } from '@pillar/domain/time/locale'
import { INVITED_BY_HEAD } from '@pillar/domain/trial/referral'
import { csvText } from '../../api/answer/csv-text.ts'
import type { ReferralRow } from './referral.queries.ts'

const CHANNEL_WORDS = { sms: 'SMS', email: 'Email' } as const

/** '2026-11-22' as '22/11/2026'. */
const dayMonthYear = (date: string) => date.split('-').reverse().join('/')

/** A referral in the recruiter's form. */
export function referralAnswer(row: ReferralRow): Referral {
  const { referred_on, channel, rebate_cents, sr_rebate_cents, ...rest } = row
  return {
    ...rest,
    referral_date: dayMonthYear(referred_on),
    communication_type: channel === null ? '' : CHANNEL_WORDS[channel],
    rebate: rebate_cents / 100,
    sr_rebate: sr_rebate_cents / 100,
  }
}

const yesNo = (value: boolean | null) => (value === null ? '' : value ? 'Yes' : 'No')

/** The list as a file: the columns of the screen, then what is owed for each row, in the currency of the installation's country, `home`. */
export function referralCsv(rows: readonly ReferralRow[], product: string, country: Country, home: Country): string {
  const { currency } = LOCALES[home]
  const head = [
    ...['Referral Date', 'Patient First Name', 'Patient Last Name', 'Phone', 'Email', 'Post Code', 'Trial'],
    ...[INVITED_BY_HEAD, 'Enrolled', 'Contacted', `Rebate, ${currency}`, `${product} Rebate, ${currency}`],
  ]
  const lines = rows.map((row) => {
    const { referred_on, channel, rebate_cents, sr_rebate_cents } = row
    return [
      ...[formatDate(country, day(referred_on)), row.first_name, row.last_name, row.phone_number, row.email],
      ...[row.postcode, row.trial_name, channel === null ? '' : CHANNEL_WORDS[channel]],
      ...[yesNo(row.enrolled), yesNo(row.recruiter_contacted), rebate_cents / 100, sr_rebate_cents / 100],
    ].map(safeCell)
  })
  return csvText([head, ...lines], { bom: true })
}
