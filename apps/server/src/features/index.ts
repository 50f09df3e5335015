import type { Handlers, Job } from '../api/context.ts'
import { attributionHandlers } from './attribution/message-stats.handlers.ts'
import { campaignHandlers } from './campaign/campaign.handlers.ts'
import { companyHandlers } from './company/company-admin.handlers.ts'
import { consentHandlers } from './consent/consent.handlers.ts'
import { financialsHandlers } from './financials/financials.handlers.ts'
import { inboundHandlers } from './inbound/reply.handlers.ts'
import { locationHandlers } from './location/location.handlers.ts'
import { mailHandlers } from './mail/mail.handlers.ts'
import { sendMail } from './mail/mail.jobs.ts'
import {
  campaignRecommendationHandlers,
  templateRecommendationHandlers,
} from './recommendation/recommendation.handlers.ts'
import { countRecommendations } from './recommendation/recommendation.jobs.ts'
import { templateRecommendationAdminHandlers } from './recommendation/recommendation-admin.handlers.ts'
import { reportHandlers } from './report/report.handlers.ts'
import { makeReport } from './report/report.jobs.ts'
import { removeOld } from './retention/retention.jobs.ts'
import { prepareRun } from './run/prepare-run.jobs.ts'
import { sendingHandlers } from './sending/rule/rules.handlers.ts'
import { sequenceEventHandlers } from './sequence/sequence-admin.handlers.ts'
import { portalHandlers } from './session/portal.handlers.ts'
import { sessionHandlers } from './session/session.handlers.ts'
import { templateHandlers } from './template/template.handlers.ts'
import { templateAdminHandlers } from './template/template-admin.handlers.ts'
import { sendTest } from './template/test-message.jobs.ts'
import { afterUpload } from './upload/after-upload.jobs.ts'
import { uploadHandlers } from './upload/upload.handlers.ts'
import { loadUpload } from './upload/upload.jobs.ts'

/** Every call has its handler here, and every handler its call: the type says so. */
export const handlers: Handlers = {
  portal: portalHandlers,
  session: sessionHandlers,
  location: locationHandlers,
  financials: financialsHandlers,
  upload: uploadHandlers,
  mail: mailHandlers,
  template: { ...templateHandlers, ...templateRecommendationHandlers },
  campaign: { ...campaignHandlers, ...campaignRecommendationHandlers },
  sending: sendingHandlers,
  inbound: inboundHandlers,
  attribution: attributionHandlers,
  consent: consentHandlers,
  report: reportHandlers,
  company: companyHandlers,
  templateAdmin: templateAdminHandlers,
  templateRecommendation: templateRecommendationAdminHandlers,
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
