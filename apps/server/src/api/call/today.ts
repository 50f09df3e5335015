import type { Day } from '@pillar/domain/time/day'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type Context, callerOf } from '../context.ts'

/** The IANA zone by which the caller's company counts its days: the main one of its country. */
export const companyZone = (context: Context): string => zoneOf(callerOf(context).country, null)

/** Today by the calendar of the caller's company. A pharmacy's own day is that of its own zone. */
export const todayOf = (context: Context): Day => dayIn(companyZone(context), context.services.now())
