import { attribution } from './attribution.ts'
import { campaign } from './campaign.ts'
import { company } from './company-admin.ts'
import { consent } from './consent.ts'
import { financials } from './financials.ts'
import { inbound } from './inbound.ts'
import { location } from './location.ts'
import { mail } from './mail.ts'
import { portal } from './portal.ts'
import { report } from './report.ts'
import { sending } from './sending.ts'
import { sequenceEvent } from './sequence-admin.ts'
import { session } from './session.ts'
import { template } from './template.ts'
import { templateAdmin } from './template-admin.ts'
import { templateRecommendation } from './template-recommendation-admin.ts'
import { upload } from './upload.ts'

/** All calls: who may make each, what goes in and what comes out. */
export const contract = {
  portal,
  session,
  location,
  financials,
  upload,
  mail,
  template,
  campaign,
  sending,
  inbound,
  attribution,
  consent,
  report,
  company,
  templateAdmin,
  templateRecommendation,
  sequenceEvent,
}
export type Contract = typeof contract

export * from './wire/call.ts'
export * from './wire/refusals.ts'
export { partsOf, subjectOf } from './wire/subject.ts'
