import type { Handlers, Job } from '../api/context.ts'
import { campaignHandlers } from './campaign/campaign.handlers.ts'
import { consentHandlers } from './consent/consent.handlers.ts'
import { financialsHandlers } from './financials/financials.handlers.ts'
import { messageHandlers } from './inbound/inbound.handlers.ts'
import { mailHandlers } from './mail/mail.handlers.ts'
import { sendMail } from './mail/mail.jobs.ts'
import { countRecommendations } from './recommendation/recommendation.jobs.ts'
import { reportHandlers } from './report/report.handlers.ts'
import { makeReport } from './report/report.jobs.ts'
import { removeOld } from './retention/retention.jobs.ts'
import { prepareRun } from './run/prepare-run.jobs.ts'
import { portalHandlers } from './session/portal.handlers.ts'
import { sessionHandlers } from './session/session.handlers.ts'
import { templateHandlers } from './template/template.handlers.ts'
import { sendTest } from './template/test-message.jobs.ts'
import { afterUpload } from './upload/after-upload.jobs.ts'
import { uploadHandlers } from './upload/upload.handlers.ts'
import { loadUpload } from './upload/upload.jobs.ts'

/** Every call has its handler here, and every handler its call: the type says so. */
export const handlers: Handlers = {
  portal: portalHandlers,
  session: sessionHandlers,
  financials: financialsHandlers,
  etl: uploadHandlers,
  outbox: mailHandlers,
  template: templateHandlers,
  campaign: campaignHandlers,
  message: messageHandlers,
  consent: consentHandlers,
  report: reportHandlers,
}

export const jobs: readonly Job[] = [
  loadUpload,
  sendMail,
  afterUpload,
  sendTest,
  prepareRun,
  makeReport,
  countRecommendations,
  removeOld,
].map((one) => one as unknown as Job)
