import type { Handlers } from '../api/context.ts'
import type { Job } from '../api/queue.ts'
import { etlHandlers } from './etl/etl.handlers.ts'
import { loadUpload } from './etl/etl.jobs.ts'
import { financialsHandlers } from './financials/financials.handlers.ts'
import { sendMail } from './outbox/mail.jobs.ts'
import { outboxHandlers } from './outbox/outbox.handlers.ts'
import { portalHandlers } from './portal/portal.handlers.ts'
import { sessionHandlers } from './session/session.handlers.ts'

/** Every call has its handler here, and every handler its call: the type says so. */
export const handlers: Handlers = {
  portal: portalHandlers,
  session: sessionHandlers,
  financials: financialsHandlers,
  etl: etlHandlers,
  outbox: outboxHandlers,
}

export const jobs: readonly Job[] = [loadUpload as unknown as Job, sendMail as unknown as Job]
