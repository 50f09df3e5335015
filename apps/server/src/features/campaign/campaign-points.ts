import type { GoalPoint } from '../attribution/campaign-point.queries.ts'
import type { CampaignRow, GoalSums } from '../attribution/campaign-stat.queries.ts'
import { type Aim, progressOf } from './campaign-goal.ts'

/**
 * A campaign's progress towards its goal on the measured days, and on the newest. A pharmacy whose data end earlier counts with its
 * standing then, as in the campaign's own figure. Empty until something is sent.
 */
export function pointValues(rows: readonly CampaignRow[], points: readonly GoalPoint[], campaign: Aim) {
  const newest = rows
    .flatMap(({ to_day }) => (to_day === null ? [] : [to_day]))
    .sort()
    .at(-1)
  if (!newest || progressOf(rows, campaign) === null) return []
  const days = [...new Set(points.map(({ day }) => day))].filter((day) => day < newest)
  const values = days.map((day) => ({
    day,
    value: progressOf(
      rows.flatMap((row) => standingOn(row, points, day)),
      campaign,
    ),
  }))
  return [...values, { day: newest, value: progressOf(rows, campaign) }]
}

/** The pharmacy's last point up to a day, or its final figure if its data ended earlier. */
function standingOn(row: CampaignRow, points: readonly GoalPoint[], day: string): GoalSums[] {
  if (row.to_day !== null && row.to_day <= day) return [row]
  return points.filter((point) => point.location_id === row.location_id && point.day <= day).slice(-1)
}
