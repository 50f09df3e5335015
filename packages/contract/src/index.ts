import { audit } from './access/audit-admin.ts'
import { find } from './access/find-admin.ts'
import { secondFactor } from './access/second-factor.ts'
import { session } from './access/session.ts'
import { user } from './access/user-admin.ts'
import { userLink } from './access/user-link-admin.ts'
import { board } from './board.ts'
import { campaign } from './campaign/campaign.ts'
import { campaignAdmin } from './campaign/campaign-admin.ts'
import { campaignApproval } from './campaign/campaign-approval.ts'
import { campaignRecommendationAdmin } from './campaign/campaign-recommendation-admin.ts'
import { company } from './company/company-admin.ts'
import { erasure } from './company/erasure-admin.ts'
import { location } from './company/location.ts'
import { locationAdmin } from './company/location-admin.ts'
import { locationImport } from './company/location-import.ts'
import { locationKey } from './company/location-key.ts'
import { moduleAdmin } from './company/module-admin.ts'
import { signup } from './company/signup.ts'
import { signupAdmin } from './company/signup-admin.ts'
import { dashboard } from './dashboard-admin.ts'
import { financialReport } from './financial-report.ts'
import { financials } from './financials.ts'
import { mail } from './mail.ts'
import { attribution } from './message/attribution.ts'
import { consent } from './message/consent.ts'
import { consentAdmin } from './message/consent-admin.ts'
import { fakePatient } from './message/fake-patient-admin.ts'
import { inbound } from './message/inbound.ts'
import { report } from './message/report.ts'
import { reportAdmin } from './message/report-admin.ts'
import { runAdmin } from './message/run-admin.ts'
import { sending } from './message/sending.ts'
import { sendingAdmin } from './message/sending-admin.ts'
import { portal } from './portal.ts'
import { reportMail } from './report-mail.ts'
import { s8 } from './s8.ts'
import { savedView } from './saved-view.ts'
import { sequenceAdmin } from './sequence/pharmacy-sequence-admin.ts'
import { sequenceEvent } from './sequence/sequence-admin.ts'
import { sequenceRecommendation } from './sequence/sequence-recommendation-admin.ts'
import { companySixtyDay } from './sixty-day/company-sixty-day.ts'
import { guildSixtyDay } from './sixty-day/guild-sixty-day.ts'
import { target } from './target.ts'
import { template } from './template/template.ts'
import { templateAdmin } from './template/template-admin.ts'
import { templateRecommendation } from './template/template-recommendation-admin.ts'
import { trialConsentForm, trialEthics } from './trial/consent-form-admin.ts'
import { trialInvite } from './trial/invite-admin.ts'
import { recruiterProvider } from './trial/recruiter-admin.ts'
import { referral } from './trial/referral.ts'
import { clinicalTrial } from './trial/trial-admin.ts'
import { trialConsent } from './trial/trial-consent.ts'
import { etl } from './upload/etl.ts'
import { upload } from './upload/upload.ts'

/** All calls: who may make each one, its input and its output. */
export const contract = {
  portal,
  session,
  secondFactor,
  location,
  financials,
  financialReport,
  reportMail,
  target,
  savedView,
  companySixtyDay,
  guildSixtyDay,
  upload,
  etl,
  mail,
  template,
  campaign,
  campaignApproval,
  sending,
  inbound,
  attribution,
  consent,
  consentAdmin,
  report,
  company,
  erasure,
  signup,
  signupAdmin,
  locationAdmin,
  locationImport,
  sendingAdmin,
  locationKey,
  moduleAdmin,
  templateAdmin,
  templateRecommendation,
  campaignAdmin,
  campaignRecommendationAdmin,
  sequenceEvent,
  runAdmin,
  recruiterProvider,
  dashboard,
  board,
  sequenceRecommendation,
  sequenceAdmin,
  clinicalTrial,
  trialConsentForm,
  trialEthics,
  trialConsent,
  trialInvite,
  referral,
  audit,
  user,
  userLink,
  find,
  reportAdmin,
  fakePatient,
  s8,
}
export type Contract = typeof contract

export * from './wire/call.ts'
export * from './wire/refusals.ts'
export { partsOf, subjectOf } from './wire/subject.ts'
