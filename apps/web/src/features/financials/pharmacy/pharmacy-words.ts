import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import type { Headline, PharmacyAttention } from '@pillar/contract/pharmacy'
import type { FigureKey } from '@pillar/domain/figure/figure-list'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { capital } from '@pillar/domain/text/sentence'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatCounted, formatDate, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { NONE, unitText } from '../figures.ts'

export type PharmacyReply = ReplyOf<typeof financials.pharmacy>
export type DrugTypesReply = ReplyOf<typeof financials.pharmacyDrugTypes>

/** A figure of the pharmacy by name. */
export const figureNamed = (reply: PharmacyReply, figure: FigureKey) =>
  reply.figures.find((one) => one.figure === figure)

/** A figure as text, or '–'. */
function figureText(reply: PharmacyReply, figure: FigureKey, country: Country): string {
  const found = figureNamed(reply, figure)
  return found ? unitText(country, found.unit, found.value) : NONE
}

/** '48 Harbour Street, Eastwood NSW 2122'. */
export function addressText({ street_address, town, state, postcode }: PharmacyReply): string {
  return addressLine({ street_address, town, region: state, postcode })
}

/** Below a headline, phrase by phrase: what it consists of, its rank, and the group's value. */
export function underWords(headline: Headline, reply: PharmacyReply, country: Country): string[] {
  const group = headline.group === null ? '' : `group ${groupText(headline, country)}`
  const rank = headline.rank === null || headline.ranked === 1 ? '' : `rank ${headline.rank} of ${headline.ranked}`
  const known = figureText(reply, 'costed_share', country)
  const cost = headline.figure === 'gross_profit' ? `cost known for ${known}` : ''
  const words = [detailText(headline, reply, country), rank, group, cost].filter(Boolean)
  return words.map((each, index) => `${index === 0 ? capital(each) : each}${index < words.length - 1 ? ',' : ''}`)
}

function groupText({ unit, group }: Headline, country: Country): string {
  if (unit === 'count') return formatNumber(country, group, group !== null && group < 100 ? 1 : 0)
  return unitText(country, unit, group)
}

/** The business days behind scripts, and the movements of patients. */
function detailText({ figure, n }: Headline, reply: PharmacyReply, country: Country): string {
  if (figure === 'scripts') return `${figureText(reply, 'scripts_per_business_day', country)} a business day`
  if (figure === 'patients') {
    const [fresh, gone] = [figureText(reply, 'new_patients', country), figureText(reply, 'lapsed_patients', country)]
    return `${fresh} new, ${gone} lapsed`
  }
  if (figure === 'adherent_share') return n === null ? '' : `of ${formatNumber(country, n)} patients measured`
  return ''
}

interface Note {
  readonly tone: 'bad' | 'caution' | 'info'
  readonly title: string
  readonly detail: string
}

const dayIn = (country: Country, text: string | null): string => {
  const day = text === null ? null : parseDay(text)
  return day === null ? '' : formatDate(country, day)
}

/** What is wrong, and what it means, in words. */
export function attentionWords(item: PharmacyAttention, reply: PharmacyReply, country: Country): Note {
  const { kind, count, from, to, name, day, note } = item
  switch (kind) {
    case 'upload_failed':
      return {
        tone: 'bad',
        title: `The upload of ${dayIn(country, day)} failed`,
        detail: note ?? 'Its records are in no figure.',
      }
    case 'never_uploaded':
      return { tone: 'bad', title: 'Nothing has been uploaded yet', detail: 'Figures appear after the first upload.' }
    case 'upload_late':
      return {
        tone: 'caution',
        title: 'Uploads are late',
        detail: `Data ends on ${dayIn(country, day)}. What was dispensed since is in no figure.`,
      }
    case 'adherence_fell':
      return {
        tone: 'caution',
        title: `Adherence in ${name} is ${formatPercent(country, to)}`,
        detail: `Down ${formatNumber(country, ((from ?? 0) - (to ?? 0)) * 100, 2)} points in a year, ${formatCounted(country, count, 'patient', 'patients')} measured.`,
      }
    case 'counts_overdue':
      return {
        tone: 'caution',
        title: `Stocktake of ${formatCounted(country, count, 'S8 product is', 'S8 products are')} overdue`,
        detail: 'Have them counted and the counts entered.',
      }
    case 'repeats_due':
      return {
        tone: 'info',
        title: `${formatCounted(country, count, 'repeat falls', 'repeats fall')} due within 30 days`,
        detail: `After ${dayIn(country, reply.period.to)}, those up to 14 days late included.`,
      }
  }
}
