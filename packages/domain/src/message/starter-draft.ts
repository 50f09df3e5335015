import { CONDITION_DRAFTS } from './condition-draft.ts'
import type { StarterDraft } from './draft-kind.ts'
import { VISIT_DRAFTS } from './visit-draft.ts'

/**
 * Starter drafts, shown where no AI service is set. Each is one part of a text at average names, names the pharmacy, reminds or invites and
 * claims nothing about health; where a medicine could shame or expose its taker, the text does not say which.
 */
export const STARTER_DRAFTS: readonly StarterDraft[] = [...VISIT_DRAFTS, ...CONDITION_DRAFTS]
