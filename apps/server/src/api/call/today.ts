import type { Day } from '@pillar/domain/time/day'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type Context, callerOf } from '../context.ts'

/** The IANA zone in which the caller's company counts its days: its country's main zone. */
export const companyZone = (context: Context): string => zoneOf(callerOf(context).country, null)

/** Today in the calendar of the caller's company. A pharmacy's own day follows its own zone. */
export const todayOf = (context: Context): Day => dayIn(companyZone(context), context.services.now())
