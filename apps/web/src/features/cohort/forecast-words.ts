import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { listOf } from '@pillar/domain/text/sentence'
import { COUNTRY_NAMES, type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'

/** The number of messages by channel, and their cost. */
interface Size {
  channels: readonly { channel: 'sms' | 'email'; messages: number }[]
  cents: number
}

/** 'a text', '3,906 texts', '120 e-mails': messages of one channel. */
function channelWords(channel: 'sms' | 'email', count: number, country: Country): string {
  const noun = channel === 'sms' ? ['text', 'texts'] : ['email', 'emails']
  return `${formatNumber(country, count)} ${noun[count === 1 ? 0 : 1]}`
}

/** What would be sent: '3,906 texts and 120 e-mails'; null if nothing would. */
export function messageWords({ channels }: Pick<Size, 'channels'>, country: Country): string | null {
  const some = channels.filter(({ messages }) => messages > 0)
  if (some.length === 0) return null
  return some.map(({ channel, messages }) => channelWords(channel, messages, country)).join(' and ')
}

/** What is known only once messages are written: 'About 62 of these patients are in the comparison group, …'. Empty if nothing is. */
export function forecastWords(
  { expected_held_out: held, no_hour: shut }: Pick<CohortForecast, 'expected_held_out' | 'no_hour'>,
  country: Country,
): string[] {
  const are = (count: number) => `${formatNumber(country, count)} of these patients ${count === 1 ? 'is' : 'are'}`
  const words = []
  if (held > 0) words.push(`About ${are(held)} in the comparison group, to measure the effect: no message, no cost.`)
  if (shut > 0) {
    words.push(
      `${are(shut)} at a pharmacy that has no sending hours left before the campaign ends: no message, no cost.`,
    )
  }
  return words
}

/** Size and cost beside the button: '3,906 texts, $492.24'. */
export function sizeWords(ledger: Size, country: Country): string {
  const what = messageWords(ledger, country)
  return what === null ? 'Nobody to send to' : `${what}, ${moneyOfCents(ledger.cents, country)}`
}

/** The button that sends: 'Send 3,906 texts, $492.24'. */
export function sendWords(ledger: Size, country: Country): string {
  const what = messageWords(ledger, country)
  return what === null ? 'Nobody to send to' : `Send ${what}, ${moneyOfCents(ledger.cents, country)}`
}

export function moneyOfCents(cents: number, country: Country): string {
  return formatMoney(country, cents / 100, 2)
}

/** '$12.00'; '$12.00 in Australia and £3.40 in United Kingdom' if several countries pay, since each has its own currency. */
export function costWords(own: Country, costs: readonly { country: Country; cost: number }[]): string {
  if (costs.every(({ country }) => country === own)) return formatMoney(own, costs[0]?.cost ?? 0, 2)
  return listOf(costs.map(({ country, cost }) => `${formatMoney(country, cost, 2)} in ${COUNTRY_NAMES[country]}`))
}

/**
 * Who an active campaign has reached, who would still receive it and who is held back, while it is being edited: '17 patients
 * match. 14 of them already have this campaign’s message or are queued for it. 2 more would receive it at the next activation, …'
 */
export function editedWords(
  ledger: Pick<CohortForecast, 'selected' | 'will_receive' | 'reasons'>,
  country: Country,
): string {
  const number = (count: number) => formatNumber(country, count)
  const had = ledger.reasons.find(({ reason }) => reason === 'already_contacted')?.count ?? 0
  const held = ledger.selected - ledger.will_receive - had
  const match = `${number(ledger.selected)} ${ledger.selected === 1 ? 'patient matches' : 'patients match'}.`
  const run =
    had === 0
      ? 'None of them has this campaign’s message.'
      : `${had === ledger.selected ? 'All' : number(had)} of them already have this campaign’s message or are queued for it.`
  const more = `${number(ledger.will_receive)} more would receive it at the next activation, ${number(held)} ${held === 1 ? 'is' : 'are'} held back.`
  return `${match} ${run} ${more}`
}

const COUNT_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']

/** 'Texts in one part', 'Texts in two parts'. */
export function partsWords(parts: number): string {
  return `Texts in ${COUNT_WORDS[parts] ?? parts} ${parts === 1 ? 'part' : 'parts'}`
}
