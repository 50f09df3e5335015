import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { intervalText, shareText } from '@pillar/domain/figure/format'
import { addMonths, parseDay, toYmd } from '@pillar/domain/time/day'
import { type Country, formatSpan } from '@pillar/domain/time/locale'
import { businessDaysIn } from '@pillar/domain/time/period'

export type StatsReply = ReplyOf<typeof financials.stats>

/** Measured patients, and patients of unknown sex. */
export function sums({ patients }: Pick<StatsReply, 'patients'>): { measured: number | null; unstated: number } {
  const yes = patients.adherence.total
  const no = patients.non_adherence.total
  const measured = yes === null && no === null ? null : (yes ?? 0) + (no ?? 0)
  const known = (patients.sex.female.total ?? 0) + (patients.sex.male.total ?? 0)
  return {
    measured,
    unstated: Math.max(0, (patients.total ?? 0) - known),
  }
}

/** The adherent share of measured patients in words, with its bounds. */
export function adherentWords(share: StatsReply['patients']['adherent_share'], country: Country) {
  if (share.n === 0) return { share: 'none measured', between: null }
  if (share.value === null) return { share: 'too few to tell how many are adherent', between: null }
  return { share: `${shareText(country, share)} of patients adherent`, between: intervalText(country, share) }
}

/** Why there is no change: nobody has complete data in both years, or the year before was empty. */
export function noChange({ pharmacies_compared }: Pick<StatsReply, 'pharmacies_compared'>): string {
  return pharmacies_compared === 0
    ? 'No change shown: no pharmacy here has complete data in both years'
    : 'No change shown: nothing to compare with in the previous year'
}

/** '2 of 31 pharmacies are late'. */
export function lateText(late: number, all: number): string {
  if (all === 1) return 'This pharmacy is late'
  return `${late.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')} pharmacies ${late === 1 ? 'is' : 'are'} late`
}

/** '2 selected pharmacies are no longer in the company'. */
export function goneText(gone: number): string {
  return gone === 1
    ? '1 selected pharmacy is no longer in the company'
    : `${gone.toLocaleString('en-AU')} selected pharmacies are no longer in the company`
}

/** 'Data of 2 of 31 pharmacies begins within this period'. */
export function begunText(begun: number, all: number): string {
  const whose = `Data of ${begun.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')} pharmacies`
  return `${all === 1 ? 'Data' : whose} begins within this period`
}

/** 'Compared with 1 Jul – 19 Nov 2025', and the number of pharmacies unless all have complete data in both years. */
export function againstText(
  {
    prior,
    pharmacies_compared,
    pharmacies_counted,
  }: Pick<StatsReply, 'prior' | 'pharmacies_compared' | 'pharmacies_counted'>,
  country: Country,
): string {
  const from = parseDay(prior.from)
  const to = parseDay(prior.to)
  if (pharmacies_compared === 0 || from === null || to === null)
    return 'No complete data for the previous year to compare with'
  const some =
    pharmacies_compared < pharmacies_counted
      ? `, for the ${pharmacies_compared.toLocaleString('en-AU')} with complete data in both`
      : ''
  return `Compared with ${formatSpan(country, from, to)}${some}`
}

/** Whether the trend's last month is incomplete: the data ends in it, before its last day. */
export function endsWithinMonth({ data_to, scripts }: Pick<StatsReply, 'data_to' | 'scripts'>): boolean {
  const to = data_to === null ? null : parseDay(data_to)
  if (to === null || data_to === null || scripts.trend.at(-1)?.month !== data_to.slice(0, 7)) return false
  return toYmd(to).month === toYmd(to + 1).month
}

/**
 * A trend as rates per weekday of each month, so that a running month compares with complete ones instead of dropping. `to` is the last day of
 * data.
 */
export function perWeekday(trend: StatsReply['scripts']['trend'], to: string | null) {
  const until = to === null ? null : parseDay(to)
  return trend.map(({ month, value, prior }) => {
    const from = parseDay(`${month}-01`)!
    const last = addMonths(from, 1) - 1
    const days = businessDaysIn({ from, to: until !== null && until >= from ? Math.min(until, last) : last })
    const rate = (sum: number | null) => (sum === null || days === 0 ? null : sum / days)
    return { value: rate(value), prior: rate(prior) }
  })
}
