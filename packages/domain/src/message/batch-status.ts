import { LEAST_LETTERS, lettersIn, saysWhy } from '../text/reason.ts'
import type { WireStatus } from './message-state.ts'

/** How many messages of a batch are in each state. */
export interface BatchCounts {
  readonly queued: number
  readonly sending: number
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly skipped: number
  readonly unknown: number
}

export type BatchStatus = WireStatus | 'STOPPED'

/**
 * The one status of a batch: PENDING (shown SCHEDULED) while anything is still to be sent, STOPPED if the rest was stopped, otherwise the best
 * outcome among its messages.
 */
export function batchStatus(counts: BatchCounts, stopped: boolean): BatchStatus {
  if (counts.queued > 0) return stopped ? 'STOPPED' : 'PENDING'
  if (counts.sending > 0) return 'PENDING'
  if (counts.delivered > 0) return 'DELIVERED'
  if (counts.sent > 0) return 'SENT'
  if (counts.unknown > 0) return 'UNKNOWN'
  if (counts.failed > 0) return 'FAILED'
  return counts.skipped > 0 ? 'SKIPPED' : 'PENDING'
}

/** Length of the reason a support person gives before reading messages; `saysWhy` asks for letters. */
export const REASON_LIMITS = { most: 300 } as const

/** What the reason for reading messages lacks. */
export function reasonProblems(reason: string): { field: 'reason'; words: string }[] {
  const problem = (words: string) => [{ field: 'reason' as const, words }]
  if (lettersIn(reason) === 0) return problem('enter a reason, such as a ticket number')
  if (!saysWhy(reason)) return problem(`enter a reason of at least ${LEAST_LETTERS} letters or digits`)
  return reason.trim().length > REASON_LIMITS.most
    ? problem(`enter a reason of at most ${REASON_LIMITS.most} characters`)
    : []
}
