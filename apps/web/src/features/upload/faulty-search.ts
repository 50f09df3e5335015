import type { AskOf, contract, ReplyOf } from '@pillar/contract'
import { type FaultyState, SILENCE } from '@pillar/domain/upload/faulty-upload'

/** The list of faulty uploads in the address bar. */
export interface FaultySearch {
  silence?: 'off'
  by?: 'hours'
  limit?: number
  state?: FaultyState
  assigned?: 'me' | 'nobody'
  rest?: 'only'
}

export type FaultyAnswer = ReplyOf<typeof contract.etl.faulty>
type Input = AskOf<typeof contract.etl.faulty>

/** How long a pharmacy may be silent according to the address bar, with the default of its unit. */
export function silenceOf({ by, limit }: FaultySearch): { by: 'hours' | 'days'; limit: number } {
  return by === 'hours'
    ? { by: 'hours', limit: Math.min(limit ?? SILENCE.hours, SILENCE.mostHours) }
    : { by: 'days', limit: Math.min(limit ?? SILENCE.businessDays, SILENCE.mostBusinessDays) }
}

/** The filters in the call's format. Silence is part of the list; the other filters can be cleared. */
export function filtersOf(search: FaultySearch): { within: Partial<Input>; filters: Partial<Input> } {
  const { by, limit } = silenceOf(search)
  const silence = by === 'hours' ? { hours: limit } : { business_days: limit }
  const { state, assigned, rest } = search
  return {
    within: { module: 'strong_pro', filters: { show_no_uploads: search.silence !== 'off', ...silence } },
    filters: {
      ...(state ? { status: state } : {}),
      ...(assigned ? { assigned } : {}),
      ...(rest ? { snoozed: true } : {}),
    },
  }
}

/** 'for 4 business days or more', 'for more than 96 hours'. */
export function silenceWords(search: FaultySearch): string {
  const { by, limit } = silenceOf(search)
  if (by === 'hours') return `for more than ${limit} ${limit === 1 ? 'hour' : 'hours'}`
  return `for ${limit} business ${limit === 1 ? 'day' : 'days'} or more`
}
