/** Where a run stands. preparing: its recipients are being written; holding: written, and may be taken back whole. */
export const RUN_STATES = ['preparing', 'holding', 'sending', 'stopped', 'done', 'failed'] as const
export type RunState = (typeof RUN_STATES)[number]

/** A run in one of these still has something to do, or may be resumed; a campaign has one of them at most. */
export const LIVE_RUN_STATES = ['preparing', 'holding', 'sending', 'stopped'] as const satisfies readonly RunState[]
