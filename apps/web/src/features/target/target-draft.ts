import type { Target } from '@pillar/contract/target'
import { TARGET_RULES, type TargetFigure, targetProblems } from '@pillar/domain/target/target'
import type { Problem } from '@pillar/domain/text/sentence'

/** The fields of a target's form. The target is as typed: a share in percent, '' for nothing. */
export interface TargetDraft extends Record<string, unknown> {
  /** The id of a pharmacy; '' for the whole company. */
  pharmacy: string
  figure: TargetFigure
  target: number | string
  /** The version of the target being changed; null for a new one. */
  version: number | null
}

/** The value in the call's format: a share as a fraction; null until entered. */
export function targetValue({ figure, target }: Pick<TargetDraft, 'figure' | 'target'>): number | null {
  if (target === '' || !Number.isFinite(Number(target))) return null
  const share = TARGET_RULES[figure].unit === 'fraction'
  return share ? Math.round(Number(target) * 100) / 10_000 : Number(target)
}

/** The target in the form's format. */
export function typedOf(figure: TargetFigure, value: number): number {
  return TARGET_RULES[figure].unit === 'fraction' ? Math.round(value * 10_000) / 100 : value
}

export function draftProblems(draft: TargetDraft): Problem<'target'>[] {
  return targetProblems(draft.figure, targetValue(draft)).map(({ words }) => ({ field: 'target', words }))
}

type Whose = Pick<TargetDraft, 'pharmacy' | 'figure'>
const replaced = (targets: readonly Target[], { pharmacy, figure }: Whose) =>
  targets.find((one) => one.figure === figure && (one.pharmacy_id ?? '') === pharmacy)

/** The version of the target that the draft would replace; 0 for none. */
export const replacedVersion = (targets: readonly Target[], draft: Whose): number =>
  replaced(targets, draft)?.version ?? 0

/** The draft in the call's format, beside the period it is for. @param targets those known to be saved */
export const sentTarget = (targets: readonly Target[], draft: TargetDraft) => ({
  figure: draft.figure,
  pharmacy_id: draft.pharmacy === '' ? null : draft.pharmacy,
  target: targetValue(draft) ?? 0,
  version: replacedVersion(targets, draft),
})

/** The draft with the values saved now: empty if the target was removed. */
export function savedDraft(targets: readonly Target[], { pharmacy, figure }: Whose): TargetDraft {
  const saved = replaced(targets, { pharmacy, figure })
  return { pharmacy, figure, target: saved ? typedOf(figure, saved.target) : '', version: saved?.version ?? 0 }
}
