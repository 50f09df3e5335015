import type { Handlers, Job } from '../api/context.ts'
import { attributionHandlers } from './attribution/message-stats.handlers.ts'
import { auditHandlers } from './audit/audit.handlers.ts'
import { anchorAudit, verifyChains } from './audit/audit.jobs.ts'
import { publishAverage } from './average/average.jobs.ts'
import { boardHandlers } from './board/board.handlers.ts'
import { publishBoard } from './board/board.jobs.ts'
import { campaignApprovalHandlers } from './campaign/approval/approval.handlers.ts'
import { mailApproval } from './campaign/approval/approval-mail.jobs.ts'
import { campaignHandlers } from './campaign/campaign.handlers.ts'
import { campaignAdminHandlers } from './campaign/campaign-admin.handlers.ts'
import { companyHandlers } from './company/company-admin.handlers.ts'
import { locationImportHandlers } from './company/import/location-import.handlers.ts'
import { consentHandlers } from './consent/consent.handlers.ts'
import { consentAdminHandlers } from './consent/consent-admin.handlers.ts'
import { trialConsentHandlers } from './consent/trial/trial-consent.handlers.ts'
import { dashboardHandlers } from './dashboard/dashboard-admin.handlers.ts'
import { erasureHandlers } from './erasure/erasure.handlers.ts'
import { textCode } from './fake-patient/contact-code.jobs.ts'
import { fakePatientHandlers } from './fake-patient/fake-patient.handlers.ts'
import { financialsHandlers } from './financials/financials.handlers.ts'
import { financialReportHandlers } from './financials/report/financial-report.handlers.ts'
import { reportMailHandlers } from './financials/report/report-mail.handlers.ts'
import { mailReports } from './financials/report/report-mail.jobs.ts'
import { targetHandlers } from './financials/target/target.handlers.ts'
import { findHandlers } from './find/find.handlers.ts'
import { inboundHandlers } from './inbound/reply.handlers.ts'
import { locationHandlers } from './location/location.handlers.ts'
import { locationAdminHandlers } from './location/location-admin.handlers.ts'
import { locationKeyHandlers } from './location/location-key.handlers.ts'
import { moduleAdminHandlers } from './location/module.handlers.ts'
import { mailHandlers } from './mail/mail.handlers.ts'
import { sendMail } from './mail/mail.jobs.ts'
import { renewPeopleOf } from './person/people.jobs.ts'
import { campaignRecommendationAdminHandlers } from './recommendation/campaign-admin.handlers.ts'
import {
  campaignRecommendationHandlers,
  templateRecommendationHandlers,
} from './recommendation/recommendation.handlers.ts'
import { countRecommendations } from './recommendation/recommendation.jobs.ts'
import { templateRecommendationAdminHandlers } from './recommendation/recommendation-admin.handlers.ts'
import { recruiterProviderHandlers } from './recruiter/recruiter-admin.handlers.ts'
import { referralHandlers } from './referral/referral.handlers.ts'
import { reportHandlers } from './report/report.handlers.ts'
import { makeReport } from './report/report.jobs.ts'
import { reportAdminHandlers } from './report/report-admin.handlers.ts'
import { removeOld } from './retention/retention.jobs.ts'
import { mailNotSent } from './run/approval/not-sent-mail.jobs.ts'
import { prepareRun } from './run/prepare-run.jobs.ts'
import { runAdminHandlers } from './run/run-admin.handlers.ts'
import { s8Handlers } from './s8/s8.handlers.ts'
import { checkRegisters } from './s8/verify/register-check.jobs.ts'
import { savedViewHandlers } from './saved-view/saved-view.handlers.ts'
import { sendingHandlers } from './sending/rule/rules.handlers.ts'
import { sendingAdminHandlers } from './sending/rule/sending-admin.handlers.ts'
import { sequenceAdminHandlers } from './sequence/admin/pharmacy-sequence.handlers.ts'
import { sequenceRecommendationHandlers } from './sequence/admin/sequence-recommendation-admin.handlers.ts'
import { sequenceEventHandlers } from './sequence/sequence-admin.handlers.ts'
import { secondFactorHandlers } from './session/factor/second-factor.handlers.ts'
import { portalHandlers } from './session/portal.handlers.ts'
import { sessionHandlers } from './session/session.handlers.ts'
import { signupHandlers } from './signup/signup.handlers.ts'
import { signupAdminHandlers } from './signup/signup-admin.handlers.ts'
import { companySixtyDayHandlers } from './sixty-day/company.handlers.ts'
import { guildSixtyDayHandlers } from './sixty-day/guild.handlers.ts'
import { refreshAllSixtyDay } from './sixty-day/sixty-day.jobs.ts'
import { templateHandlers } from './template/template.handlers.ts'
import { templateAdminHandlers } from './template/template-admin.handlers.ts'
import { sendTest } from './template/test-message.jobs.ts'
import { carryOutStatus } from './trial/change/trial-status.jobs.ts'
import { trialConsentFormHandlers } from './trial/consent-form-admin.handlers.ts'
import { trialEthicsHandlers } from './trial/ethics-admin.handlers.ts'
import { forecastInvitations } from './trial/forecast/trial-forecast.jobs.ts'
import { trialInviteHandlers } from './trial/invite.handlers.ts'
import { inviteTrial } from './trial/invite.jobs.ts'
import { clinicalTrialHandlers } from './trial/trial-admin.handlers.ts'
import { countTrial } from './trial/trial-count.jobs.ts'
import { afterUpload } from './upload/after-upload.jobs.ts'
import { etlHandlers } from './upload/support/etl.handlers.ts'
import { removeUploadFiles } from './upload/support/remove-files.jobs.ts'
import { uploadHandlers } from './upload/upload.handlers.ts'
import { loadUpload } from './upload/upload.jobs.ts'
import { userHandlers } from './user/user-admin.handlers.ts'
import { userLinkHandlers } from './user/user-link.handlers.ts'

/** Every call has its handler here, and every handler its call: the type guarantees it. */
export const handlers: Handlers = {
  portal: portalHandlers,
  session: sessionHandlers,
  secondFactor: secondFactorHandlers,
  location: locationHandlers,
  financials: financialsHandlers,
  financialReport: financialReportHandlers,
  reportMail: reportMailHandlers,
  target: targetHandlers,
  savedView: savedViewHandlers,
  companySixtyDay: companySixtyDayHandlers,
  guildSixtyDay: guildSixtyDayHandlers,
  upload: uploadHandlers,
  etl: etlHandlers,
  mail: mailHandlers,
  template: { ...templateHandlers, ...templateRecommendationHandlers },
  campaignApproval: campaignApprovalHandlers,
  campaign: { ...campaignHandlers, ...campaignRecommendationHandlers },
  sending: sendingHandlers,
  inbound: inboundHandlers,
  attribution: attributionHandlers,
  consent: consentHandlers,
  consentAdmin: consentAdminHandlers,
  report: reportHandlers,
  company: companyHandlers,
  erasure: erasureHandlers,
  signup: signupHandlers,
  signupAdmin: signupAdminHandlers,
  locationAdmin: locationAdminHandlers,
  locationImport: locationImportHandlers,
  sendingAdmin: sendingAdminHandlers,
  locationKey: locationKeyHandlers,
  moduleAdmin: moduleAdminHandlers,
  templateAdmin: templateAdminHandlers,
  templateRecommendation: templateRecommendationAdminHandlers,
  campaignAdmin: campaignAdminHandlers,
  campaignRecommendationAdmin: campaignRecommendationAdminHandlers,
  sequenceEvent: sequenceEventHandlers,
  runAdmin: runAdminHandlers,
  recruiterProvider: recruiterProviderHandlers,
  dashboard: dashboardHandlers,
  board: boardHandlers,
  sequenceRecommendation: sequenceRecommendationHandlers,
  sequenceAdmin: sequenceAdminHandlers,
  clinicalTrial: clinicalTrialHandlers,
  trialConsentForm: trialConsentFormHandlers,
  trialEthics: trialEthicsHandlers,
  trialConsent: trialConsentHandlers,
  trialInvite: trialInviteHandlers,
  referral: referralHandlers,
  audit: auditHandlers,
  user: userHandlers,
  userLink: userLinkHandlers,
  find: findHandlers,
  reportAdmin: reportAdminHandlers,
  fakePatient: fakePatientHandlers,
  s8: s8Handlers,
}

export const jobs: readonly Job[] = [
  loadUpload,
  removeUploadFiles,
  sendMail,
  afterUpload,
  renewPeopleOf,
  sendTest,
  prepareRun,
  mailApproval,
  mailNotSent,
  makeReport,
  countRecommendations,
  removeOld,
  publishAverage,
  publishBoard,
  countTrial,
  refreshAllSixtyDay,
  carryOutStatus,
  forecastInvitations,
  inviteTrial,
  verifyChains,
  anchorAudit,
  textCode,
  checkRegisters,
  mailReports,
].map((one) => one as unknown as Job)
