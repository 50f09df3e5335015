import type { BatchMessage, MessageBatch, PausedGateway } from '@pillar/contract/message/run-admin'
import { shownStatus } from '@pillar/domain/message/message-state'
import { counted, joined } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { momentIn, momentOf } from '../../kit/display/dates.ts'
import type { ProgressCounts } from '../../kit/display/figure/progress-parts.ts'
import { type StatusWord, statusWord } from '../../kit/display/status.tsx'

/** The scope of the list, set by the screen that opens it. */
export interface MessageInfoFilter {
  location_id?: string
  campaign_id?: string
  trial_id?: string
  sequence_id?: string
  follow_up_id?: string
}

const CHANNELS = { sms: 'SMS', email: 'Email' } as const

/** What sent a batch: its campaign, trial or sequence; otherwise its template. */
export function batchName(batch: MessageBatch): string {
  if (batch.campaign_name !== null) return batch.campaign_name
  if (batch.trial_name !== null) return batch.trial_name
  if (batch.sequence_title === null) return batch.template_name
  return batch.follow_up_order === null
    ? batch.sequence_title
    : `${batch.sequence_title}, follow-up ${batch.follow_up_order}`
}

const CONTEXTS: Readonly<Record<string, string>> = {
  campaign: 'Campaign',
  trial: 'Clinical trial',
  sequence: 'Sequence',
  communication: 'Single message',
  test: 'Test',
}

/** The facts under a batch's name: when, where, how, with which template, by whom. */
export function batchFacts(country: Country, batch: MessageBatch): string {
  const own = batchName(batch) === batch.template_name
  const facts = [
    momentIn(country, batch.time_zone, batch.message_date),
    batch.location_name,
    `${CONTEXTS[batch.message_context] ?? batch.message_context}, ${CHANNELS[batch.communication_type]}`,
    ...(own ? [] : [`Template ${batch.template_name}`]),
    ...(batch.user_name === null ? [] : [`Sent by ${batch.user_name}`]),
  ]
  return joined(facts, ' · ')
}

const WAYS = { sms: 'Texts have been waiting', email: 'Emails have been waiting' } as const

/** A refusing gateway's note: its reason, since when, and the last attempt, by the reader's clock. */
export function pausedWords(country: Country, paused: PausedGateway): string {
  const { communication_type: way, reason, refused_since: since, refused_at: tried } = paused
  const ended = /[.!?…]$/.test(reason) ? reason : `${reason}.`
  const last = momentOf(country, since) === momentOf(country, tried) ? '' : ` Last tried ${momentOf(country, tried)}.`
  return `${WAYS[way]} since ${momentOf(country, since)}. ${ended}${last} They are sent automatically once it is fixed.`
}

/** A batch's counts, for the ledger bar. */
export function batchCounts(batch: MessageBatch): ProgressCounts {
  return {
    messages: batch.num_patients,
    queued: batch.num_queued,
    sending: batch.num_sending,
    sent: batch.num_sent,
    delivered: batch.num_delivered,
    failed: batch.num_failed,
    skipped: batch.num_skipped,
    unknown: batch.num_unknown,
  }
}

/** PENDING is shown as Scheduled, SKIPPED as Held back; others unchanged. */
export function batchWord(status: MessageBatch['status'] | BatchMessage['status']): StatusWord {
  if (status === 'SKIPPED') return 'Held back'
  return statusWord(status === 'STOPPED' ? status : shownStatus(status))
}

/** What stopping a batch will do. */
export function stopWords(batch: MessageBatch): string {
  const unsent = counted(batch.num_queued, 'unsent message', 'unsent messages')
  return batch.campaign_id === null
    ? `${unsent} of ${batch.location_name} will be cancelled. This can’t be undone.`
    : `${unsent} of ${batch.location_name} will not be sent unless the head office resumes the campaign.`
}
