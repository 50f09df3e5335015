import { sql } from 'kysely'

/**
 * Whether a line `s` of script was supplied: neither reversed nor deferred, and not a refund (domain: measure/line.ts). A refund counts
 * only in revenue.
 */
export const supplied = sql<boolean>`(not s.reversed and not s.deferred and s.patient_price_cents::bigint + s.government_cents >= 0)`
