import type { contract, ReplyOf } from '@pillar/contract'
import type { AdminCampaign } from '@pillar/contract/campaign/campaign-admin'
import { CHANNELS } from '@pillar/domain/consent/consent'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { COUNTRY_NAMES, type Country } from '@pillar/domain/time/locale'
import { moneyOfCents, sendWords } from '../../cohort/forecast-words.ts'
import { campaigns } from './campaign-admin.ts'

/** An inactive campaign, and what activating it would send. */
export interface Forecasted {
  campaign: Pick<AdminCampaign, 'name' | 'country'>
  forecast: ReplyOf<typeof contract.campaignAdmin.forecast>
}

export interface Activation {
  messages: number
  words: string
  button: string
}

/** What activating campaigns would send together, in words, and what keeps some of them from it. @param chosen how many are to be active */
export function activationOf(all: readonly Forecasted[], chosen: number): Activation {
  const total = (field: 'messages' | 'will_receive' | 'held_back') =>
    all.reduce((sum, { forecast }) => sum + forecast[field], 0)
  const messages = total('messages')
  const costs = costsOf(all)
  const words = `${counted(messages, 'message', 'messages')} to ${counted(total('will_receive'), 'patient', 'patients')}${moneyWords(costs)}. ${total('held_back')} held back. Sending starts after two minutes, or on the start date.${stuckWords(all)}`
  const [only] = costs.length === 1 ? costs : []
  const button =
    messages === 0 || !only
      ? `Activate ${campaigns({ expected_count: chosen })}`
      : sendWords({ channels: channelsOf(all), cents: only.cents }, only.country)
  return { messages, words, button }
}

/** What is paid in each country: each has its own money. */
function costsOf(all: readonly Forecasted[]): { country: Country; cents: number }[] {
  const costs = new Map<Country, number>()
  for (const { campaign, forecast } of all) {
    costs.set(campaign.country, (costs.get(campaign.country) ?? 0) + forecast.cents)
  }
  return [...costs].map(([country, cents]) => ({ country, cents }))
}

/** ', $4.20'; ', $4.20 (Australia) and £1.10 (United Kingdom)': countries may write their money alike. Empty where none is asked for. */
function moneyWords(costs: ReturnType<typeof costsOf>): string {
  if (costs.length === 0) return ''
  const place = (country: Country) => (costs.length === 1 ? '' : ` (${COUNTRY_NAMES[country]})`)
  return `, ${listOf(costs.map(({ country, cents }) => `${moneyOfCents(cents, country)}${place(country)}`))}`
}

/** ' Back on track and Winter cannot be activated: Please select a template.' Each problem with those that have it. */
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
