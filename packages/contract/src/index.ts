import { etl } from './etl.ts'
import { financials } from './financials.ts'
import { outbox } from './outbox.ts'
import { portal } from './portal.ts'
import { session } from './session.ts'

/** The table of contents of the product: every call, who may make it, what goes in and what comes out. */
export const contract = { portal, session, financials, etl, outbox }
export type Contract = typeof contract

export * from './call.ts'
export * from './refusals.ts'
