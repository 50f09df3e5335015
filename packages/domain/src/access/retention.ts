/** How long things are kept that hold health data or addresses. docs/operations.md, "What is kept how long", says why. */

/** Texts of messages and of replies as patients wrote and read them; the rows, their states and costs stay. Source: trust.md section 3. */
export const MESSAGE_TEXT_MONTHS = 24
/** What gateways told, once it is processed. Longer than receipts are waited for, and than an address for receipts works. */
export const GATEWAY_EVENT_DAYS = 30
/** Files of an upload that ended, and was not cleared away when it did. */
export const ENDED_UPLOAD_DAYS = 7
/** The text of a letter that stayed in the Outbox, or could not be delivered; no link in a letter works as long. */
export const MAIL_TEXT_DAYS = 30
/** That a letter was written, to whom and about what. Source: trust.md section 3, logs. */
export const MAIL_MONTHS = 13

const DAY_MS = 86_400_000

/** The instant so many times 24 hours earlier. */
export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * DAY_MS)
}

/** The same day and time so many calendar months earlier (UTC), the month's last day where it has no such day: 31 March less one is 28 February. */
export function monthsBefore(at: Date, months: number): Date {
  const back = new Date(at)
  back.setUTCDate(1)
  back.setUTCMonth(back.getUTCMonth() - months)
  const last = new Date(Date.UTC(back.getUTCFullYear(), back.getUTCMonth() + 1, 0)).getUTCDate()
  back.setUTCDate(Math.min(at.getUTCDate(), last))
  return back
}
