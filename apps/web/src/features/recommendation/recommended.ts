import type { CampaignRecommendation } from '@pillar/contract/campaign/recommendation'
import type { TemplateRecommendation } from '@pillar/contract/template/template'
import { type Country, formatNumber } from '@pillar/domain/time/locale'

export type Recommended = CampaignRecommendation | TemplateRecommendation

/** New ones before others, otherwise in their present order. */
export function shownFirst<R extends { new: boolean }>(rows: readonly R[]): R[] {
  return [...rows.filter((row) => row.new), ...rows.filter((row) => !row.new)]
}

/** The kind of a recommendation: 'Campaign · 1,204 patients match', 'SMS template', 'SMS and email template'. */
export function recommendationNote(country: Country, row: Recommended): string {
  if (row.type === 'template') {
    const channels = [row.sms_template ? 'SMS' : '', row.email_template ? 'email' : ''].filter(Boolean).join(' and ')
    return channels === '' ? 'Template' : `${channels[0]?.toUpperCase()}${channels.slice(1)} template`
  }
  if (row.patients === null) return 'Campaign'
  return `Campaign · ${formatNumber(country, row.patients)} ${row.patients === 1 ? 'patient matches' : 'patients match'}`
}
