import { type Day, fromYmd } from '@pillar/domain/time/day'

/** This machine's day. */
export function localToday(): Day {
  const now = new Date()
  return fromYmd(now.getFullYear(), now.getMonth() + 1, now.getDate())
}
