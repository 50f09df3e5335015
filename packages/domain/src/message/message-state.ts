/** Where a message of the ledger stands. `unknown`: handed over when the worker died, so the gateway must be asked. */
export const MESSAGE_STATES = ['queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * What our own code may do to a message. `sending` and `unknown` go back to `queued` only when the gateway says that it does not
 * have the message, and to `skipped` when their run was ended meanwhile; nothing that a gateway took leads back to `queued`, so
 * nothing is sent twice.
 */
export const TRANSITIONS: Readonly<Record<MessageState, readonly MessageState[]>> = {
  queued: ['sending', 'skipped'],
  sending: ['sent', 'delivered', 'failed', 'unknown', 'queued', 'skipped'],
  unknown: ['sent', 'delivered', 'failed', 'queued', 'skipped'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: ['delivered'],
  skipped: [],
}

/** Whether a message may go from one state to another; staying is no transition. */
export function mayBecome(from: MessageState, to: MessageState): boolean {
  return TRANSITIONS[from].includes(to)
}

export type Receipt = 'sent' | 'delivered' | 'failed'

// What each state knows about the message's way. "Delivered" outranks "failed": a phone that has it is the stronger evidence,
// and one order for all makes receipts converge however they are shuffled.
const KNOWLEDGE: Readonly<Record<MessageState, number>> = {
  queued: 0,
  skipped: 0,
  sending: 1,
  unknown: 1,
  sent: 2,
  failed: 3,
  delivered: 4,
}

/**
 * The state after a gateway's receipt: forward or the same, never back, so that repeats and any order end alike. A receipt also
 * moves a queued or skipped message: it proves that the gateway took it after all, and that it must not go out again.
 */
export function afterReceipt(state: MessageState, receipt: Receipt): MessageState {
  return KNOWLEDGE[receipt] > KNOWLEDGE[state] ? receipt : state
}

/** A message stays SENT when no receipt came in so many hours. */
export const RECEIPT_HOURS = 72

/** The status on the wire. */
export const WIRE_STATUS = {
  queued: 'PENDING',
  sending: 'PENDING',
  sent: 'SENT',
  delivered: 'DELIVERED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  unknown: 'UNKNOWN',
} as const satisfies Record<MessageState, string>
export type WireStatus = (typeof WIRE_STATUS)[MessageState]

/** The word on the screen: PENDING is shown SCHEDULED, others as they are. */
export function shownStatus(status: WireStatus): string {
  return status === 'PENDING' ? 'SCHEDULED' : status
}

/** Seconds between an activation and its first message, in which it can be taken back whole. */
export const HOLD_SECONDS = 120

/** When the first message of an activation may go, in epoch milliseconds. */
export function startsAt(activatedAt: number): number {
  return activatedAt + HOLD_SECONDS * 1000
}
