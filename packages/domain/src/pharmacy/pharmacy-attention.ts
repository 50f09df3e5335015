import { MIN_SURE_N } from '../figure/interval.ts'

/** The issues of a pharmacy that need attention, worst first. */
export const ATTENTION = [
  'upload_failed',
  'never_uploaded',
  'upload_late',
  'adherence_fell',
  'counts_overdue',
  'repeats_due',
] as const
export type AttentionOf = (typeof ATTENTION)[number]

/** Points by which a share of scripts has to fall within a year before it is reported. */
export const FALL_POINTS = 3
/** The most drug types reported: the steepest falls. */
const MOST_FALLS = 2

/** Adherence of a drug type now and a year earlier; shares are null under 10 patients. */
export interface TypeAdherence {
  readonly name: string
  readonly now: { readonly value: number | null; readonly n: number }
  readonly before: { readonly value: number | null; readonly n: number }
}

export interface AttentionFacts {
  /** The newest upload if it failed; its note says why. */
  readonly failed: { readonly day: string | null; readonly note: string } | null
  /** Last day of its data; null if it never uploaded. */
  readonly dataTo: string | null
  readonly late: boolean
  readonly types: readonly TypeAdherence[]
  /** Schedule 8 products with an outdated stock count; null if the caller may not see registers. */
  readonly overdueCounts: number | null
  /** Repeats that fall due in the 30 days after the period's end; only for the running period. */
  readonly repeatsDue: number
}

export interface AttentionItem {
  readonly kind: AttentionOf
  readonly count: number | null
  readonly from: number | null
  readonly to: number | null
  readonly name: string | null
  readonly day: string | null
  readonly note: string | null
}

const item = (kind: AttentionOf, facts: Partial<AttentionItem> = {}): AttentionItem => ({
  ...{ kind, count: null, from: null, to: null, name: null, day: null, note: null },
  ...facts,
})

/**
 * What needs attention at a pharmacy, worst first. A failed upload replaces the late data it causes. A fall in adherence is reported from 3 points
 * and with at least 30 patients measured both times, so that chance alone is not reported.
 */
export function attentionOf({ failed, dataTo, late, types, ...more }: AttentionFacts): AttentionItem[] {
  const found: AttentionItem[] = []
  if (failed) found.push(item('upload_failed', { day: failed.day, note: failed.note || null }))
  else if (dataTo === null) found.push(item('never_uploaded'))
  else if (late) found.push(item('upload_late', { day: dataTo }))
  for (const { name, now, before } of fallsOf(types)) {
    found.push(item('adherence_fell', { name, count: now.n, from: before.value, to: now.value }))
  }
  if (more.overdueCounts) found.push(item('counts_overdue', { count: more.overdueCounts }))
  if (more.repeatsDue > 0) found.push(item('repeats_due', { count: more.repeatsDue }))
  return found
}

function fallsOf(types: readonly TypeAdherence[]): TypeAdherence[] {
  const fall = ({ now, before }: TypeAdherence) => (before.value ?? 0) - (now.value ?? 0)
  return types
    .filter(({ now, before }) => now.value !== null && before.value !== null && Math.min(now.n, before.n) >= MIN_SURE_N)
    .filter((type) => Math.round(fall(type) * 10_000) >= FALL_POINTS * 100)
    .sort((a, b) => fall(b) - fall(a))
    .slice(0, MOST_FALLS)
}
