import { message } from './attribution.ts'
import { campaign } from './campaign.ts'
import { consent } from './consent.ts'
import { financials } from './financials.ts'
import { outbox } from './mail.ts'
import { portal } from './portal.ts'
import { report } from './report.ts'
import { session } from './session.ts'
import { template } from './template.ts'
import { etl } from './upload.ts'

/** The table of contents of the product: every call, who may make it, what goes in and what comes out. */
export const contract = { portal, session, financials, etl, outbox, template, campaign, message, consent, report }
export type Contract = typeof contract

export * from './call.ts'
export * from './refusals.ts'
