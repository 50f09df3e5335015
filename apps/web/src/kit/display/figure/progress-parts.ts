import { type Country, formatNumber } from '@pillar/domain/time/locale'
import type { LedgerPart } from './LedgerBar.tsx'

/** The number of messages in each state; the states add up to `messages`. */
export interface ProgressCounts {
  messages: number
  queued: number
  sending: number
  sent: number
  delivered: number
  failed: number
  skipped: number
  unknown: number
}

/** The ledger of messages: delivered, sent, failed, unknown, held back, to send. Empty states are left out, except delivered. */
export function progressParts(country: Country, counts: ProgressCounts): LedgerPart[] {
  const parts = [
    { label: 'Delivered', value: counts.delivered, tone: 'good' },
    { label: 'Sent', value: counts.sent, tone: 'd4' },
    { label: 'Failed', value: counts.failed, tone: 'bad' },
    { label: 'Unknown', value: counts.unknown, tone: 'rest' },
    { label: 'Held back', value: counts.skipped, tone: 'held' },
    { label: 'To send', value: counts.queued + counts.sending, tone: 'waiting' },
  ] as const
  return parts
    .filter(({ label, value }) => value > 0 || label === 'Delivered')
    .map((part) => ({ ...part, text: formatNumber(country, part.value) }))
}
