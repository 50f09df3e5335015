import type { Handlers } from '../api/context.ts'
import type { Job } from '../api/queue.ts'
import { afterUpload } from './after-upload/after-upload.jobs.ts'
import { campaignHandlers } from './campaign/campaign.handlers.ts'
import { prepareRun } from './campaign/prepare-run.jobs.ts'
import { companyHandlers } from './company/company-admin.handlers.ts'
import { consentHandlers } from './consent/consent.handlers.ts'
import { etlHandlers } from './etl/etl.handlers.ts'
import { loadUpload } from './etl/etl.jobs.ts'
import { financialsHandlers } from './financials/financials.handlers.ts'
import { messageHandlers } from './message/message.handlers.ts'
import { sendMail } from './outbox/mail.jobs.ts'
import { outboxHandlers } from './outbox/outbox.handlers.ts'
import { portalHandlers } from './portal/portal.handlers.ts'
import { countRecommendations } from './recommendation/recommendation.jobs.ts'
import { templateRecommendationHandlers } from './recommendation/recommendation-admin.handlers.ts'
import { reportHandlers } from './report/report.handlers.ts'
import { makeReport } from './report/report.jobs.ts'
import { removeOld } from './retention/retention.jobs.ts'
import { sequenceEventHandlers } from './sequence/sequence-admin.handlers.ts'
import { sessionHandlers } from './session/session.handlers.ts'
import { templateHandlers } from './template/template.handlers.ts'
import { templateAdminHandlers } from './template/template-admin.handlers.ts'
import { sendTest } from './template/test-message.jobs.ts'

/** Every call has its handler here, and every handler its call: the type says so. */
export const handlers: Handlers = {
  portal: portalHandlers,
  session: sessionHandlers,
  financials: financialsHandlers,
  etl: etlHandlers,
  outbox: outboxHandlers,
  template: templateHandlers,
  campaign: campaignHandlers,
  message: messageHandlers,
  consent: consentHandlers,
  report: reportHandlers,
  company: companyHandlers,
  templateAdmin: templateAdminHandlers,
  templateRecommendation: templateRecommendationHandlers,
  sequenceEvent: sequenceEventHandlers,
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
