import type { Flag } from '../access/permission.ts'
import type { DashboardType } from '../dashboard/dashboard.ts'
import { GAP_DAYS } from '../dispensing/persistence.ts'
import type { Day } from '../time/day.ts'

/** The flags that open each kind of dashboard; either opens the industry's. */
const OPENED_BY: Readonly<Record<DashboardType, readonly Flag[]>> = {
  Supplier: ['supplier_analytics'],
  Advertiser: ['ad_analytics'],
  'Industry Dashboard': ['supplier_analytics', 'ad_analytics'],
}

/** The kinds of dashboards a login with these flags may see. */
export const typesFor = (flags: ReadonlySet<Flag>): DashboardType[] =>
  (Object.keys(OPENED_BY) as DashboardType[]).filter((type) => OPENED_BY[type].some((flag) => flags.has(flag)))

/** Days for which people who arrived in a year are followed after its end: as long as the gap after which somebody has stopped. */
export const FOLLOW_DAYS = GAP_DAYS
/** Days allowed for late uploads. */
const SETTLE_DAYS = 8

/** The day on which a year's journeys can be counted. */
export const journeysDueOn = (year: { readonly to: Day }): Day => year.to + FOLLOW_DAYS + SETTLE_DAYS

/** How long a token for a dashboard is valid, in seconds; Superset's default. */
export const GUEST_SECONDS = 300
