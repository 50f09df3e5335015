import type { contract, ReplyOf } from '@pillar/contract'
import type { AdminCampaign } from '@pillar/contract/campaign/campaign-admin'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { costWords, sendWords } from '../../cohort/forecast-words.ts'
import { campaigns } from './campaign-admin.ts'

/** An inactive campaign, and what activating it would send. */
export interface Forecasted {
  campaign: Pick<AdminCampaign, 'campaign_id' | 'name' | 'country'>
  forecast: ReplyOf<typeof contract.campaignAdmin.forecast>
}

export interface Activation {
  /** What the question covers; nothing else may be sent. */
  expected: { campaign_id: string; messages: number }[]
  words: string
  button: string
  /** Why nothing can be activated; empty if something can, or all is active already. */
  refused: string
}

/**
 * What activating campaigns would send altogether, in words, and what prevents it for some of them. @param own the reader's country
 * @param chosen how many are to be active
 */
export function activationOf(own: Country, all: readonly Forecasted[], chosen: number): Activation {
  const total = (field: 'messages' | 'will_receive' | 'held_back') =>
    all.reduce((sum, { forecast }) => sum + forecast[field], 0)
  const messages = total('messages')
  const costs = costsOf(all)
  const words = `${counted(messages, 'message', 'messages')} to ${counted(total('will_receive'), 'patient', 'patients')}, ${costWords(own, costs)}. ${formatNumber(own, total('held_back'))} held back. Sending starts after two minutes, or on the start date.${stuckWords(all)}`
  const [only] = costs.length === 1 ? costs : []
  const button =
    messages === 0 || !only
      ? `Activate ${campaigns({ expected_count: chosen })}`
      : sendWords({ channels: channelsOf(all), cents: only.cost * 100 }, only.country)
  const expected = all.map(({ campaign, forecast }) => ({
    campaign_id: campaign.campaign_id,
    messages: forecast.messages,
  }))
  const none = all.length > 0 && all.every(({ forecast }) => forecast.problem !== '')
  return { expected, words, button, refused: none ? stuckWords(all).trim() : '' }
}

/** The cost in each country. */
function costsOf(all: readonly Forecasted[]): { country: Country; cost: number }[] {
  const costs = new Map<Country, number>()
  for (const { campaign, forecast } of all) {
    costs.set(campaign.country, (costs.get(campaign.country) ?? 0) + forecast.cents)
  }
  return [...costs].map(([country, cents]) => ({ country, cost: cents / 100 }))
}

/** ' Back on track and Winter cannot be activated: Please select a template.' Each problem with the campaigns that have it. */
function stuckWords(all: readonly Forecasted[]): string {
  const problems = new Set(all.map(({ forecast }) => forecast.problem).filter((problem) => problem !== ''))
  const names = (problem: string) =>
    listOf(all.filter(({ forecast }) => forecast.problem === problem).map(({ campaign }) => campaign.name))
  return [...problems].map((problem) => ` ${names(problem)} cannot be activated: ${problem}`).join('')
}

const channelsOf = (all: readonly Forecasted[]) =>
  CHANNELS.map((channel) => ({
    channel,
    messages: all.reduce(
      (sum, { forecast }) => sum + (forecast.channels.find((part) => part.channel === channel)?.messages ?? 0),
      0,
    ),
  }))
