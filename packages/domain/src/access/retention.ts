/** How long data with health details or addresses is kept. docs/operations.md, "What is kept how long", gives the reasons. */

/** Texts of messages and replies; the rows, their states and costs stay. */
export const MESSAGE_TEXT_MONTHS = 24
/** Processed gateway events. Longer than a receipt may take to arrive, and than a receipt address stays valid. */
export const GATEWAY_EVENT_DAYS = 30
/** Files of a finished upload that were not removed at the time. */
export const ENDED_UPLOAD_DAYS = 7
/** The text of a letter in the Outbox or never delivered; longer than any link in a letter works. */
export const MAIL_TEXT_DAYS = 30
/** The record that a letter was written, to whom and about what. */
export const MAIL_MONTHS = 13
/** The stored answer to a request with an Idempotency-Key, which can be repeated for this long. */
export const REQUEST_KEY_DAYS = 1

const DAY_MS = 86_400_000

/** The instant this many days of 24 hours earlier. */
export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * DAY_MS)
}

/** The same day and time this many calendar months earlier (UTC), or the last day of a shorter month: a month before 31 March is 28 February. */
export function monthsBefore(at: Date, months: number): Date {
  const back = new Date(at)
  back.setUTCDate(1)
  back.setUTCMonth(back.getUTCMonth() - months)
  const last = new Date(Date.UTC(back.getUTCFullYear(), back.getUTCMonth() + 1, 0)).getUTCDate()
  back.setUTCDate(Math.min(at.getUTCDate(), last))
  return back
}
