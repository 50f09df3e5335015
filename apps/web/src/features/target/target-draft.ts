import type { Target } from '@pillar/contract/target'
import { TARGET_RULES, type TargetFigure, targetProblems } from '@pillar/domain/target/target'
import type { Problem } from '@pillar/domain/text/sentence'

/** What the form of a target holds. The target is as it is typed: a share in percent, '' for nothing. */
export interface TargetDraft extends Record<string, unknown> {
  /** The id of a pharmacy; '' for the whole company. */
  pharmacy: string
  figure: TargetFigure
  target: number | string
}

/** The value as the call takes it: a share as a fraction; null while nothing is entered. */
export function targetValue({ figure, target }: Pick<TargetDraft, 'figure' | 'target'>): number | null {
  if (target === '' || !Number.isFinite(Number(target))) return null
  const share = TARGET_RULES[figure].unit === 'fraction'
  return share ? Math.round(Number(target) * 100) / 10_000 : Number(target)
}

/** The target as it is typed. */
export function typedOf(figure: TargetFigure, value: number): number {
  return TARGET_RULES[figure].unit === 'fraction' ? Math.round(value * 10_000) / 100 : value
}

export function draftProblems(draft: TargetDraft): Problem<'target'>[] {
  return targetProblems(draft.figure, targetValue(draft)).map(({ words }) => ({ field: 'target', words }))
}

/** The version of the target that the draft would replace; 0 for none. */
export function replacedVersion(targets: readonly Target[], { pharmacy, figure }: TargetDraft): number {
  return targets.find((one) => one.figure === figure && (one.pharmacy_id ?? '') === pharmacy)?.version ?? 0
}
