/** State of a run. preparing: the recipients are being written; holding: they are written, and sending can still be cancelled. */
export const RUN_STATES = ['preparing', 'holding', 'sending', 'stopped', 'done', 'failed'] as const
export type RunState = (typeof RUN_STATES)[number]

/** A run in one of these states still has work, or can be resumed; a campaign has at most one. */
export const LIVE_RUN_STATES = ['preparing', 'holding', 'sending', 'stopped'] as const satisfies readonly RunState[]

/** The most messages one statement changes: all of a large run's would exceed its time limit. */
export const MOST_MOVED = 5_000
