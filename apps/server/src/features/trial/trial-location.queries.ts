import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'

/** Sums of a trial, over all pharmacies or at one. */
export interface TotalsRow {
  total_eligible: number
  total_contacted: number
  total_referred: number
  total_enrolled: number
  total_unenrolled: number
  total_optout: number
  rebate_cents: number
  sr_rebate_cents: number
}

const REACHED = ['total_eligible', 'total_contacted', 'total_referred', 'total_enrolled'] as const
const TOTALS = [...REACHED, 'total_unenrolled', 'total_optout'] as const
const SUMS = [...TOTALS, 'rebate_cents', 'sr_rebate_cents'] as const

const HERE = sql`(l.removed_at is null and c.removed_at is null)`
const PLACES = sql`trial_location x join location l on l.id = x.location_id join company c on c.id = l.company_id`
/** After a pharmacy has left nobody there can be contacted, so only patients who had been contacted still count. */
const ELIGIBLE = sql`case when ${HERE} then x.total_eligible else x.total_contacted end`
const sumColumn = (name: (typeof SUMS)[number]) => (name === 'total_eligible' ? ELIGIBLE : sql.ref(`x.${name}`))

/** The sums of trial `t` over all pharmacies, as JSON. */
export const TRIAL_TOTALS = sql`
  (select json_build_object('locations', count(*) filter (where ${HERE} and x.total_eligible > 0),
      ${sql.join(SUMS.map((name) => sql`${sql.lit(name)}::text, coalesce(sum(${sumColumn(name)}), 0)::bigint`))})
    from ${PLACES} where x.trial_id = t.id)`

export interface TrialLocationRow extends TotalsRow {
  location_id: string
  location_name: string
  company_name: string
  left: boolean
  counted_at: Date | null
}

type LocationSort = (typeof TOTALS)[number] | 'name'

/** One page of the pharmacies where a trial has or had eligible patients. */
export function listTrialLocations(tx: Tx, trial: number, input: ListAsk<LocationSort>) {
  const sort = Object.fromEntries(TOTALS.map((name) => [name, sumColumn(name)]))
  return pageOf<TrialLocationRow, LocationSort>(
    tx,
    {
      select: sql`l.uuid as location_id, l.name as location_name, c.name as company_name, not ${HERE} as "left", x.counted_at,
        ${sql.join(SUMS.map((name) => sql`${sumColumn(name)} as ${sql.ref(name)}`))}`,
      from: PLACES,
      where: [sql`x.trial_id = ${trial}`, sql`${ELIGIBLE} > 0`],
      search: [sql`l.name`, sql`c.name`],
      uuid: sql`l.uuid`,
      sort: { ...(sort as Record<(typeof TOTALS)[number], RawBuilder<unknown>>), name: sql`lower(l.name)` },
      key: sql`x.location_id`,
    },
    input,
  )
}
