import { campaign } from './campaign.ts'
import { company } from './company-admin.ts'
import { consent } from './consent.ts'
import { etl } from './etl.ts'
import { financials } from './financials.ts'
import { message } from './message.ts'
import { outbox } from './outbox.ts'
import { portal } from './portal.ts'
import { report } from './report.ts'
import { sequenceEvent } from './sequence-admin.ts'
import { session } from './session.ts'
import { template } from './template.ts'
import { templateAdmin } from './template-admin.ts'
import { templateRecommendation } from './template-recommendation-admin.ts'

/** The table of contents of the product: every call, who may make it, what goes in and what comes out. */
export const contract = {
  portal,
  session,
  financials,
  etl,
  outbox,
  template,
  campaign,
  message,
  consent,
  report,
  company,
  templateAdmin,
  templateRecommendation,
  sequenceEvent,
}
export type Contract = typeof contract

export * from './call.ts'
export * from './refusals.ts'
export { partsOf, subjectOf } from './subject.ts'
