/** State of a message in the ledger. `unknown`: handed over when the worker died, so the gateway must be asked. */
export const MESSAGE_STATES = ['queued', 'sending', 'sent', 'delivered', 'failed', 'skipped', 'unknown'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * Transitions our own code may make. `sending` and `unknown` return to `queued` only if the gateway says it does not have the message, and to
 * `skipped` if their run ended in the meantime; an accepted message never returns to `queued`, so nothing is sent twice. `queued` becomes
 * `unknown` only after a restore: it may have gone out since the backup. One transition is not listed: a sequence takes back a message whose
 * medicine was collected, and queues it again if another medicine falls due that day (`queueAgain`).
 */
export const TRANSITIONS: Readonly<Record<MessageState, readonly MessageState[]>> = {
  queued: ['sending', 'skipped', 'unknown'],
  sending: ['sent', 'delivered', 'failed', 'unknown', 'queued', 'skipped'],
  unknown: ['sent', 'delivered', 'failed', 'queued', 'skipped'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: ['delivered'],
  skipped: [],
}

/** Whether a message may move from one state to another; staying is not a transition. */
export function mayBecome(from: MessageState, to: MessageState): boolean {
  return TRANSITIONS[from].includes(to)
}

export type Receipt = 'sent' | 'delivered' | 'failed'

// How much each state proves. "Delivered" outranks "failed", because a message on the phone is the stronger evidence, and one fixed order makes
// receipts converge in any order of arrival.
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
 * The state after a gateway's receipt. It moves forward or stays, never back, so that repeats and any order give the same result. A receipt also
 * moves a queued or skipped message: it proves that the gateway accepted it, so it must not be sent again.
 */
export function afterReceipt(state: MessageState, receipt: Receipt): MessageState {
  return KNOWLEDGE[receipt] > KNOWLEDGE[state] ? receipt : state
}

/** A message stays SENT when no receipt arrives within this many hours. */
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

/** Seconds between activation and the first message, during which sending can be cancelled. */
export const HOLD_SECONDS = 120

/** When the first message of an activation may be sent, in epoch milliseconds. */
export function startsAt(activatedAt: number): number {
  return activatedAt + HOLD_SECONDS * 1000
}

const SENT_BY: Readonly<Record<string, string>> = {
  campaign: 'Campaign',
  trial: 'Clinical trial',
  sequence: 'Sequence',
  communication: 'Communication',
}

/** What sent a message: the campaign by its name, otherwise the kind of thing, such as 'Sequence'. */
export const sentByText = (context: string, campaign: string | null): string => campaign ?? SENT_BY[context] ?? context
