import { type RawBuilder, sql } from 'kysely'

/**
 * Whether batch `b` of run `r` is cancelled: its run has ended, or it was stopped and cannot be resumed. No sender takes its unsent
 * messages any more; `skipCancelled` skips them, which takes a while for a large run.
 */
export const CANCELLED = sql<boolean>`(b.stopped_at is not null and (r.campaign_id is null or r.state in ('done', 'failed')))`

/** The state of message `m`, and the reason for it: a cancelled one counts as skipped from the moment of cancelling. */
export function standing(cancelled: boolean | RawBuilder<boolean> = CANCELLED) {
  const is = typeof cancelled === 'boolean' ? sql.lit(cancelled) : cancelled
  return {
    state: sql<string>`case when m.state = 'queued' and ${is} then 'skipped' else m.state end`,
    reason: sql<string | null>`case when m.state = 'queued' and ${is} then 'stopped' else m.reason end`,
  }
}
