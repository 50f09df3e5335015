import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { counted } from '@pillar/domain/text/sentence'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { messageWords } from '../cohort/forecast-words.ts'
import { whenWords } from '../sending/time-words.ts'

/** '8 texts to 8 patients at 1 pharmacy, from 1:38 pm today (Sydney time). 1 patient is held back.'; null if nothing would be sent. */
export function sendingWords(
  ledger: Pick<CohortForecast, 'channels' | 'will_receive' | 'held_back' | 'pharmacies' | 'starts_at'>,
  now: Date,
  country: Country,
): string | null {
  const messages = messageWords(ledger, country)
  if (messages === null) return null
  const patients = (count: number) => `${formatNumber(country, count)} ${count === 1 ? 'patient' : 'patients'}`
  const places = counted(
    ledger.pharmacies.filter(({ will_receive }) => will_receive > 0).length,
    'pharmacy',
    'pharmacies',
  )
  const held =
    ledger.held_back > 0 ? ` ${patients(ledger.held_back)} ${ledger.held_back === 1 ? 'is' : 'are'} held back.` : ''
  return `${messages} to ${patients(ledger.will_receive)} at ${places}, from ${whenWords(ledger.starts_at, now, country)}.${held}`
}

/** Why nobody would receive it: 'all 12 who match are held back', or that nobody matches at all. */
export function nobodyWords(heldBack: number, country: Country): string {
  const why =
    heldBack === 0
      ? 'no patient matches'
      : heldBack === 1
        ? 'the one who matches is held back'
        : `all ${formatNumber(country, heldBack)} who match are held back`
  return `Nobody would receive this: ${why}.`
}
